/** Small templates that several steps use. */

import {html, nothing, type TemplateResult} from 'lit'

import {icon, type IconName} from './icons.js'

export interface ButtonLook {
  autofocus?: boolean
  icon?: IconName
  kind?: 'primary' | 'quiet' | 'link' | 'danger'
  small?: boolean
  disabled?: boolean
  pressed?: boolean
  label?: string
  key?: TemplateResult
}

export function button(text: unknown, act: (event: Event) => void, look: ButtonLook = {}): TemplateResult {
  return html`<button
    type="button"
    class="button ${look.kind ?? ''} ${look.small ? 'small' : ''}"
    part=${look.kind === 'primary' ? 'button primary-button' : 'button'}
    ?disabled=${look.disabled ?? false}
    ?autofocus=${look.autofocus ?? false}
    aria-pressed=${look.pressed === undefined ? nothing : String(look.pressed)}
    aria-label=${text === '' && look.label ? look.label : nothing}
    title=${look.label ?? nothing}
    @click=${act}
  >${icon(look.icon)}${text}${look.key ?? nothing}</button>`
}

export type Tone = 'ok' | 'warn' | 'err' | 'accent' | ''

const SIGNS: Record<Tone, IconName | undefined> = {ok: 'check', warn: 'warn', err: 'err', accent: undefined, '': undefined}

export const tag = (text: unknown, tone: Tone = '', sign: IconName | undefined = SIGNS[tone]): TemplateResult =>
  html`<span class="tag ${tone}">${icon(sign)}${text}</span>`

export function notice(tone: Exclude<Tone, ''>, content: unknown, sign?: IconName, actions: unknown = nothing): TemplateResult {
  return html`<div class="notice ${tone}" part="notice">${icon(sign ?? SIGNS[tone])}<div class="grow">${content}</div>${actions}</div>`
}

export const title = (text: unknown, below: unknown = nothing): TemplateResult => html`
  <div class="grow">
    <h2 class="step-title" tabindex="-1">${text}</h2>
    ${below === nothing ? nothing : html`<p class="small muted">${below}</p>`}
  </div>`

export interface Choice {
  value: string
  text: string
  disabled?: boolean
}

export function select(
  choices: readonly (Choice | {group: string; choices: readonly Choice[]})[],
  value: string,
  change: (value: string) => void,
  label: string,
): TemplateResult {
  const option = (choice: Choice): TemplateResult =>
    html`<option value=${choice.value} ?selected=${choice.value === value} ?disabled=${choice.disabled ?? false}>${choice.text}</option>`
  return html`<span class="picker"><select
    class="select"
    aria-label=${label}
    .value=${value}
    @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}
  >${choices.map(each => 'group' in each
    ? html`<optgroup label=${each.group}>${each.choices.map(option)}</optgroup>`
    : option(each))}</select></span>`
}
