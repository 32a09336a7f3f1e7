/** Controls that are bound to a place of the draft, each with what the engine found there. */

import {html, nothing, type TemplateResult} from 'lit'
import {live} from 'lit/directives/live.js'

import type {Finding} from '../api/shapes.js'
import type {Desk} from '../desk.js'
import {list, text, type Json} from '../model/catalog.js'
import type {Draft} from '../model/draft.js'
import {pointer, type Path} from '../model/tree.js'
import {sign} from './icons.js'
import {button, select, type Choice} from './pieces.js'

export interface Form {
  readonly desk: Desk
  readonly draft: Draft
}

export interface Look {
  label: string
  hint?: unknown
  mono?: boolean
  placeholder?: string
  disabled?: boolean
  /** The label is read aloud, and not seen. */
  isBare?: boolean
  /** What is shown next to the label. */
  aside?: unknown
  suggestions?: readonly string[]
  multiline?: boolean
}

export const idOf = (path: Path): string => `at${path.join('-')}`.replace(/[^\w-]/g, '_')

export const isOff = (form: Form, look: {disabled?: boolean} = {}): boolean => !form.desk.mayEdit || (look.disabled ?? false)

export const found = (form: Form, path: Path): readonly Finding[] => form.draft.findings.under(pointer(path))

/** What the engine found at a place, as texts below its control. */
export function said(findings: readonly Finding[], id: string): TemplateResult | typeof nothing {
  if (!findings.length) return nothing
  return html`<ul class="said" id="${id}-said">${findings.slice(0, 4).map(finding => html`<li class=${finding.severity === 'error' ? 'err' : 'warn'}>
    ${sign(finding.severity === 'error' ? 'err' : 'warn')}<span>${finding.detail}</span></li>`)}</ul>`
}

/** What is wrong with a thing as a whole; its controls say what is wrong with them. */
export const saidHere = (form: Form, path: Path): TemplateResult | typeof nothing =>
  said(form.draft.findings.at(pointer(path)), idOf(path))

function framed(form: Form, path: Path, look: Look, control: (id: string, invalid: boolean, describedBy: string | undefined) => TemplateResult): TemplateResult {
  const id = idOf(path)
  const findings = found(form, path)
  const describedBy = [findings.length ? `${id}-said` : '', look.hint ? `${id}-hint` : ''].filter(Boolean).join(' ') || undefined
  return html`<div class="control">
    ${look.isBare ? nothing : html`<div class="label-row"><label class="label" for=${id}>${look.label}</label>${look.aside ?? nothing}</div>`}
    ${control(id, findings.some(finding => finding.severity === 'error'), describedBy)}
    ${look.hint ? html`<p class="hint" id="${id}-hint">${look.hint}</p>` : nothing}${said(findings, id)}
  </div>`
}

/** One line of text; empty takes the member away, or leaves it empty where it must be there. */
export function textField(form: Form, path: Path, look: Look & {keepEmpty?: boolean; typed?: (value: string) => void}): TemplateResult {
  return framed(form, path, look, (id, invalid, describedBy) => {
    const typed = (event: Event): void => {
      const value = (event.target as HTMLInputElement).value
      if (look.typed) look.typed(value)
      else form.draft.set(path, value === '' && !look.keepEmpty ? undefined : value)
    }
    const value = live(text(form.draft.get(path)))
    if (look.multiline) {
      return html`<textarea class="input ${look.mono ? 'mono' : ''}" rows="2" id=${id} .value=${value} ?readonly=${isOff(form, look)}
        placeholder=${look.placeholder ?? nothing} aria-invalid=${invalid ? 'true' : nothing} aria-describedby=${describedBy ?? nothing} @input=${typed}></textarea>`
    }
    return html`<input class="input ${look.mono ? 'mono' : ''}" id=${id} .value=${value} ?readonly=${isOff(form, look)} autocomplete="off" spellcheck=${look.mono ? 'false' : nothing}
      list=${look.suggestions?.length ? `${id}-list` : nothing} aria-label=${look.isBare ? look.label : nothing} placeholder=${look.placeholder ?? nothing}
      aria-invalid=${invalid ? 'true' : nothing} aria-describedby=${describedBy ?? nothing} @input=${typed}>
      ${look.suggestions?.length ? html`<datalist id="${id}-list">${look.suggestions.map(suggestion => html`<option value=${suggestion}></option>`)}</datalist>` : nothing}`
  })
}

/** A number; other text stays as it was typed, and the engine says what is wrong. */
export function numberField(form: Form, path: Path, look: Look & {percent?: boolean; min?: number; max?: number; unit?: string}): TemplateResult {
  return framed(form, path, look, (id, invalid, describedBy) => {
    const held = form.draft.get(path)
    const value = typeof held === 'number' ? String(look.percent ? Math.round(held * 10000) / 100 : held) : text(held)
    const typed = (event: Event): void => {
      const {value: written, valueAsNumber} = event.target as HTMLInputElement
      form.draft.set(path, written === '' || Number.isNaN(valueAsNumber) ? undefined : look.percent ? Math.round(valueAsNumber * 100) / 10000 : valueAsNumber)
    }
    return html`<span class="unit-row"><input class="input number" type="number" id=${id} .value=${live(value)} min=${look.min ?? nothing} max=${look.max ?? nothing} step="any"
      ?readonly=${isOff(form, look)} placeholder=${look.placeholder ?? nothing} aria-label=${look.isBare ? look.label : nothing}
      aria-invalid=${invalid ? 'true' : nothing} aria-describedby=${describedBy ?? nothing} @input=${typed}>${look.unit ? html`<span class="muted">${look.unit}</span>` : nothing}</span>`
  })
}

/** One of some words; the first choice is the default, and takes the member away. */
export function choiceField(form: Form, path: Path, choices: readonly Choice[], look: Look & {keep?: boolean}): TemplateResult {
  return framed(form, path, look, (id, invalid, describedBy) => select(
    choices, text(form.draft.get(path)) || choices[0]!.value,
    value => form.draft.set(path, value === choices[0]!.value && !look.keep ? undefined : value),
    {id, ...(look.isBare ? {label: look.label} : {}), disabled: isOff(form, look), invalid, describedBy},
  ))
}

export interface ToggleLook {
  hint?: string
  on?: Json
  off?: Json | undefined
}

/** A switch; off removes the member, unless another value is given for it. */
export function toggle(form: Form, path: Path, label: string, look: ToggleLook = {}): TemplateResult {
  const on = look.on ?? true
  const id = idOf(path)
  const findings = found(form, path)
  return html`<div class="toggle"><label><input type="checkbox" role="switch" class="switch" id=${id} .checked=${live(form.draft.get(path) === on)} ?disabled=${isOff(form)}
    title=${look.hint ?? nothing} aria-describedby=${findings.length ? `${id}-said` : nothing}
    @change=${(event: Event) => form.draft.set(path, (event.target as HTMLInputElement).checked ? on : look.off)}>${label}</label>${said(findings, id)}</div>`
}

/** A list of texts as chips: Enter or a comma adds, Backspace in the empty input takes the last. */
export function chipsField(form: Form, path: Path, look: Look & {choices?: readonly Choice[]; keepEmpty?: boolean}): TemplateResult {
  const held = form.draft.get(path)
  const values = Array.isArray(held) ? list(held) : held === undefined || held === null ? [] : [held]
  const change = (next: Json[]): void => form.draft.change(putList(form, path, next, look.keepEmpty ?? false))
  const add = (input: HTMLInputElement | HTMLSelectElement): void => {
    const wanted = input.value.trim()
    input.value = ''
    if (wanted && !values.some(item => text(item) === wanted)) change([...values, wanted])
  }
  const nameOf = (value: Json): string => look.choices?.find(choice => choice.value === value)?.text ?? text(value)
  return framed(form, path, look, (id, invalid, describedBy) => html`<div class="chips ${invalid ? 'invalid' : ''}">
    ${values.map((value, place) => html`<span class="chip"><bdi>${nameOf(value)}</bdi>${isOff(form, look) ? nothing : html`<button type="button"
      aria-label=${form.desk.say('take_away', {name: nameOf(value)})} @click=${() => { change(values.filter((_, at) => at !== place)); form.desk.focus(`#${id}`) }}>${sign('close')}</button>`}</span>`)}
    ${isOff(form, look) ? nothing : look.choices
      ? html`<select class="chip-input" id=${id} aria-label=${look.isBare ? look.label : nothing} aria-describedby=${describedBy ?? nothing}
          @change=${(event: Event) => add(event.target as HTMLSelectElement)}>
          <option value="">${look.placeholder ?? form.desk.say('choose')}</option>
          ${look.choices.filter(choice => !values.includes(choice.value)).map(choice => html`<option value=${choice.value}>${choice.text}</option>`)}
        </select>`
      : html`<input class="chip-input" id=${id} autocomplete="off" list=${look.suggestions?.length ? `${id}-list` : nothing}
          placeholder=${look.placeholder ?? form.desk.say('type_and_enter')} aria-label=${look.isBare ? look.label : nothing}
          aria-describedby=${describedBy ?? nothing} @change=${(event: Event) => add(event.target as HTMLInputElement)}
          @keydown=${(event: KeyboardEvent) => chipKey(event, add, () => values.length && change(values.slice(0, -1)))}>
        ${look.suggestions?.length ? html`<datalist id="${id}-list">${look.suggestions.map(suggestion => html`<option value=${suggestion}></option>`)}</datalist>` : nothing}`}
  </div>`)
}

function chipKey(event: KeyboardEvent, add: (input: HTMLInputElement) => void, takeLast: () => void): void {
  const input = event.target as HTMLInputElement
  if (event.key === 'Enter') {
    event.preventDefault()
    add(input)
  } else if (event.key === 'Backspace' && input.value === '') takeLast()
}

function putList(form: Form, path: Path, values: Json[], keepEmpty: boolean): typeof form.draft.document {
  return form.draft.with(path, values.length || keepEmpty ? values : undefined)
}

/** A part of the form under a heading, with a button that adds to it. */
export function section(title: string, count: number | null, content: unknown, add: {text: string; act: () => void} | null = null): TemplateResult {
  return html`<section class="part"><div class="part-head"><h3>${title}${count ? html`<span class="muted small">${count}</span>` : nothing}</h3>
    ${add ? button(add.text, add.act, {sign: 'plus', small: true}) : nothing}</div>${content}</section>`
}
