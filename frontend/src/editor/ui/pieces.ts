/** Small templates that every view uses. */

import {html, nothing, type TemplateResult} from 'lit'

import {sign, type Sign} from './icons.js'

export interface ButtonLook {
  sign?: Sign
  kind?: 'primary' | 'quiet' | 'link' | 'danger'
  small?: boolean
  disabled?: boolean
  pressed?: boolean
  expanded?: boolean
  label?: string
  class?: string
}

export function button(text: unknown, act: (event: Event) => void, look: ButtonLook = {}): TemplateResult {
  return html`<button
    type="button"
    class="button ${look.kind ?? ''} ${look.small ? 'small' : ''} ${look.class ?? ''}"
    part=${look.kind === 'primary' ? 'button primary-button' : 'button'}
    ?disabled=${look.disabled ?? false}
    aria-pressed=${look.pressed === undefined ? nothing : String(look.pressed)}
    aria-expanded=${look.expanded === undefined ? nothing : String(look.expanded)}
    aria-label=${look.label ?? nothing}
    title=${look.label ?? nothing}
    @click=${act}
  >${sign(look.sign)}${text}</button>`
}

export type Tone = 'ok' | 'warn' | 'err' | 'accent' | ''

export const tag = (text: unknown, tone: Tone = '', drawn?: Sign): TemplateResult =>
  html`<span class="tag ${tone}">${sign(drawn)}${text}</span>`

const SIGNS: Record<Exclude<Tone, ''>, Sign> = {ok: 'check', warn: 'warn', err: 'err', accent: 'eye'}

export function notice(tone: Exclude<Tone, ''>, content: unknown, actions: unknown = nothing): TemplateResult {
  return html`<div class="notice ${tone}" part="notice" role=${tone === 'err' ? 'alert' : nothing}>
    ${sign(SIGNS[tone])}<div class="grow">${content}</div>${actions}</div>`
}

export interface Choice {
  value: string
  text: string
}

type Group = {group: string; choices: readonly Choice[]}

export interface SelectLook {
  label?: string
  id?: string
  small?: boolean
  disabled?: boolean
  invalid?: boolean
  describedBy?: string | undefined
}

/** A value that is none of the choices, as JSON may say, is shown all the same. */
export function select(choices: readonly (Choice | Group)[], value: string, change: (value: string) => void, look: SelectLook = {}): TemplateResult {
  const all = choices.flatMap(each => ('group' in each ? each.choices : [each]))
  const shown = all.some(each => each.value === value) ? choices : [{value, text: value}, ...choices]
  const option = (choice: Choice): TemplateResult =>
    html`<option value=${choice.value} ?selected=${choice.value === value}>${choice.text}</option>`
  return html`<span class="picker ${look.small ? 'small' : ''}"><select
    class="select" id=${look.id ?? nothing} aria-label=${look.label ?? nothing} ?disabled=${look.disabled ?? false}
    aria-invalid=${look.invalid ? 'true' : nothing} aria-describedby=${look.describedBy ?? nothing}
    .value=${value}
    @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}
  >${shown.map(each => ('group' in each
    ? html`<optgroup label=${each.group}>${each.choices.map(option)}</optgroup>`
    : option(each)))}</select></span>`
}

export function segments<T extends string>(choices: readonly {value: T; text: unknown}[], value: T, change: (value: T) => void, label: string): TemplateResult {
  return html`<div class="segments" role="group" aria-label=${label}>${choices.map(each => html`<button
    type="button" aria-pressed=${String(each.value === value)} @click=${() => change(each.value)}>${each.text}</button>`)}</div>`
}

export const loading = (text: string): TemplateResult =>
  html`<div class="loading"><progress class="progress" aria-label=${text}></progress><p class="muted small">${text}</p></div>`
