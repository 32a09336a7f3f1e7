/** What a mapping can say beyond "this column feeds that field": the steps before it. */

import {css, html, nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {ProposedColumn, RecipeStep} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {freeName, made, read, withStep, withoutStep, type Draft} from '../flow/mapping.js'
import type {MessageKey} from '../messages/catalogue.js'
import {sayOr} from '../messages/words.js'
import {isLong, type Combobox} from '../ui/combobox.js'
import {button, select} from '../ui/pieces.js'
import type {ChangedRows} from './changed_rows.js'

export const recipeStyles = css`
  .recipe { display: grid; gap: 10px; padding: 14px 20px; border-block-start: 1px solid var(--_line); background: var(--_bg-2); }
  .recipe form { display: flex; flex-wrap: wrap; gap: 10px; align-items: end; }
  .recipe form > label { inline-size: 190px; }
  .recipe .several { inline-size: 100%; display: flex; flex-wrap: wrap; gap: 6px 14px; border: 0; margin: 0; padding: 0; }
  .recipe li { display: flex; gap: 10px; align-items: center; font-size: 13px; }
  .recipe del { color: var(--_fg-3); }
  .recipe ins { text-decoration: none; }
  .asked-above { padding: 0 20px 14px; }
`

type Kind = 'split' | 'join' | 'copy' | 'constant' | 'fill_down' | 'drop_rows' | 'unpivot'
const KINDS: Kind[] = ['split', 'join', 'copy', 'constant', 'fill_down', 'drop_rows', 'unpivot']
const SEVERAL = new Set<Kind>(['join', 'fill_down', 'drop_rows', 'unpivot'])

export class RecipeEditor {
  readonly #flow: Flow
  readonly #combobox: Combobox
  readonly #change: (draft: Draft) => void
  #isOpen = false
  #kind: Kind = 'split'
  #column = ''
  #changed?: ChangedRows
  /** The step whose changed rows are shown. */
  #compared = -1

  constructor(flow: Flow, combobox: Combobox, change: (draft: Draft) => void) {
    this.#flow = flow
    this.#combobox = combobox
    this.#change = change
  }

  /** The steps that may be added: those that drop rows leave rows out, all others change them. */
  get #kinds(): Kind[] {
    return KINDS.filter(kind => this.#flow.may(kind === 'drop_rows' ? 'exclude' : 'fix'))
  }

  opener(): TemplateResult | typeof nothing {
    if (!this.#kinds.length) return nothing
    return button(this.#say('more_steps'), () => this.#toggle(), {small: true, pressed: this.#isOpen})
  }

  /** isTold: whether a step is shown elsewhere. */
  render(draft: Draft, columns: readonly ProposedColumn[], isTold: (step: RecipeStep) => boolean): TemplateResult | typeof nothing {
    const steps = draft.recipe?.steps ?? []
    if (!this.#isOpen && steps.every(isTold)) return nothing
    return html`<section class="recipe" aria-label=${this.#say('more_steps')}>
      ${steps.length ? html`<ul>${steps.map((step, at) => isTold(step) ? nothing : html`<li><span class="grow">${this.#told(step)}</span>
        ${button(this.#say('show_changed'), () => void this.#compare(draft, at), {kind: 'quiet', small: true, pressed: this.#isCompared(draft, at)})}
        ${button('', () => this.#change(withoutStep(draft, at)), {icon: 'close', kind: 'quiet', small: true, label: this.#say('remove_step')})}</li>
        ${this.#isCompared(draft, at) ? html`<li>${this.#changed!.render(at)}</li>` : nothing}`)}</ul>` : nothing}
      ${this.#isOpen ? this.#form(draft, columns) : nothing}
    </section>`
  }

  #say(key: MessageKey, params?: Record<string, string | number>): string {
    return this.#flow.page.say(key, params)
  }

  #isCompared(draft: Draft, at: number): boolean {
    return at === this.#compared && this.#changed!.isOf(draft)
  }

  async #compare(draft: Draft, at: number): Promise<void> {
    const flow = this.#flow
    const wasCompared = this.#isCompared(draft, at)
    this.#compared = -1
    if (!wasCompared) {
      await flow.attempt(async () => {
        this.#changed ??= new (await loaded(import('./changed_rows.js'))).ChangedRows(flow)
        await this.#changed.compare(draft)
        this.#compared = at
      })
    }
    flow.page.requestUpdate()
  }

  #toggle(): void {
    this.#isOpen = !this.#isOpen
    this.#flow.page.requestUpdate()
  }

  #told(step: RecipeStep): string {
    return sayOr(this.#flow.page.say, `told_${step.do}`, `${step.do}: ${read(step).join(', ')}`, {
      columns: this.#flow.page.format.list(read(step)), into: this.#flow.page.format.list(made(step)), value: String(step['value'] ?? ''),
    })
  }

  #form(draft: Draft, columns: readonly ProposedColumn[]): TemplateResult {
    const kind = this.#kinds.includes(this.#kind) ? this.#kind : this.#kinds[0]!
    const names = columns.map(column => column.column)
    const text = (name: string, label: MessageKey, value = ''): TemplateResult =>
      html`<label><span class="label">${this.#say(label)}</span><input class="input" name=${name} .defaultValue=${value}></label>`
    return html`<form @submit=${(event: SubmitEvent) => this.#add(event, draft, names)}>
      <label><span class="label">${this.#say('step_kind')}</span>${select(this.#kinds.map(each => ({value: each, text: this.#say(`do_${each}`)})), kind, value => { this.#kind = value as Kind; this.#flow.page.requestUpdate() }, this.#say('step_kind'))}</label>
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

  #add(event: SubmitEvent, draft: Draft, names: string[]): void {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const kind = this.#kinds.includes(this.#kind) ? this.#kind : this.#kinds[0]!
    const step = stepOf(kind, new FormData(form), names)
    if (!step) return form.querySelector<HTMLElement>('input:not([type=checkbox]), input')?.focus()
    this.#change(withStep(draft, step))
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
