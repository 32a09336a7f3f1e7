/** The form of a step of the recipe: loaded only for a person who opens it. */

import {html, nothing, type TemplateResult} from 'lit'

import type {ProposedColumn, RecipeStep} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {freeName, withStep, type Draft} from '../flow/mapping.js'
import type {MessageKey} from '../messages/catalogue.js'
import {isLong, type Combobox} from '../ui/combobox.js'
import {select} from '../ui/pieces.js'
import type {Kind} from './recipe.js'

const SEVERAL = new Set<Kind>(['join', 'fill_down', 'drop_rows', 'unpivot'])

export class RecipeForm {
  readonly #flow: Flow
  readonly #combobox: Combobox
  readonly #change: (draft: Draft) => void
  #kind: Kind = 'split'
  #column = ''

  /** change: takes the draft with the step that was added. */
  constructor(flow: Flow, combobox: Combobox, change: (draft: Draft) => void) {
    this.#flow = flow
    this.#combobox = combobox
    this.#change = change
  }

  /** kinds: the steps that may be added. */
  render(draft: Draft, columns: readonly ProposedColumn[], kinds: readonly Kind[]): TemplateResult {
    const kind = kinds.includes(this.#kind) ? this.#kind : kinds[0]!
    const names = columns.map(column => column.column)
    const text = (name: string, label: MessageKey, value = ''): TemplateResult =>
      html`<label><span class="label">${this.#say(label)}</span><input class="input" name=${name} .defaultValue=${value}></label>`
    return html`<form @submit=${(event: SubmitEvent) => this.#add(event, draft, kind, names)}>
      <label><span class="label">${this.#say('step_kind')}</span>${select(kinds.map(each => ({value: each, text: this.#say(`do_${each}`)})), kind, value => { this.#kind = value as Kind; this.#flow.page.requestUpdate() }, this.#say('step_kind'))}</label>
      ${kind === 'constant' ? nothing : SEVERAL.has(kind)
        ? html`<fieldset class="several"><legend class="label">${this.#say('step_columns')}</legend>${names.map(name => html`<label class="check"><input type="checkbox" name="columns" value=${name}><bdi>${name}</bdi></label>`)}</fieldset>`
        : this.#one(names)}
      ${kind === 'split' || kind === 'join' ? text('separator', 'separator', ' ') : nothing}
      ${kind === 'constant' ? text('value', 'value') : nothing}
      ${kind === 'split' ? text('into', 'new_columns') : nothing}
      ${kind === 'join' || kind === 'copy' || kind === 'constant' ? text('into', 'new_column') : nothing}
      ${kind === 'unpivot' ? html`${text('nameInto', 'name_column')}${text('valueInto', 'value_column')}` : nothing}
      <button class="button small" part="button">${this.#say('add_step')}</button>
    </form>`
  }

  /** The column that a step reads: searched where there are many. */
  #one(names: string[]): TemplateResult {
    const now = names.includes(this.#column) ? this.#column : (names[0] ?? '')
    const choices = names.map(name => ({value: name, text: name}))
    const change = (name: string): void => {
      this.#column = name
      this.#flow.page.requestUpdate()
    }
    const label = this.#say('column')
    return html`<label><span class="label">${label}</span><input type="hidden" name="column" .value=${now}>${isLong(names.length)
      ? this.#combobox.render('recipe-column', choices, now, change, label, this.#say('nothing_found'))
      : select(choices, now, change, label)}</label>`
  }

  #add(event: SubmitEvent, draft: Draft, kind: Kind, names: string[]): void {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const step = stepOf(kind, new FormData(form), names)
    if (!step) return form.querySelector<HTMLElement>('input:not([type=checkbox]), input')?.focus()
    this.#change(withStep(draft, step))
  }

  #say(key: MessageKey): string {
    return this.#flow.page.say(key)
  }
}

/** The step that a form describes; null while something is missing. */
export function stepOf(kind: Kind, form: FormData, names: readonly string[]): RecipeStep | null {
  const text = (name: string): string => String(form.get(name) ?? '')
  const fresh = (name: string, fallback: string): string => freeName(names, text(name).trim() || fallback)
  const columns = form.getAll('columns').map(String)
  const column = text('column')
  switch (kind) {
    case 'split': {
      const into = text('into').split(',').map(name => name.trim()).filter(Boolean)
      const named = into.length > 1 ? into : [`${column} 1`, `${column} 2`]
      return {do: 'split', column, separator: text('separator') || ' ', into: named.map(name => freeName(names, name))}
    }
    case 'join':
      return columns.length > 1 ? {do: 'join', columns, separator: text('separator'), into: fresh('into', columns.join(' '))} : null
    case 'copy':
      return {do: 'copy', column, into: fresh('into', column)}
    case 'constant':
      return text('value') ? {do: 'constant', value: text('value'), into: fresh('into', text('value'))} : null
    case 'fill_down':
      return columns.length ? {do: 'fill_down', columns} : null
    case 'drop_rows':
      return columns.length ? {do: 'drop_rows', columns, where: 'empty'} : null
    case 'unpivot':
      return columns.length > 1 ? {do: 'unpivot', columns, nameInto: fresh('nameInto', 'name'), valueInto: fresh('valueInto', 'value')} : null
  }
}
