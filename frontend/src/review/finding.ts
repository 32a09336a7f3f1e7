/** Find and replace over the rows of the open view, counted before it is done. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {Replacement} from '../api/engine.js'
import type {Preview, View} from '../api/shapes.js'
import type {Field} from '../flow/fields.js'
import type {Flow} from '../flow/flow.js'
import {mayEdit} from '../flow/moves.js'
import {button, select} from '../ui/pieces.js'
import type {Changing} from './changing.js'

export const findingStyles = css`
  .finding { display: flex; gap: 10px; align-items: end; padding: 10px 16px; background: var(--_bg-2); flex-wrap: wrap; }
  .finding label { inline-size: 180px; }
  .finding .check { inline-size: auto; min-block-size: 34px; }
  .counted { flex: 1 0 100%; }
`

export class Finding {
  isOpen = false
  /** It has not had the focus since it was opened. */
  #isNew = false
  readonly #flow: Flow
  readonly #changing: Changing
  readonly #replace: (what: Replacement) => Promise<void>
  #what: Omit<Replacement, 'view'> = {inFields: [], find: '', replace: '', whole: false, matchCase: false}
  #preview: Preview | null = null

  constructor(flow: Flow, changing: Changing, replace: (what: Replacement) => Promise<void>) {
    this.#flow = flow
    this.#changing = changing
    this.#replace = replace
  }

  toggle(): void {
    this.isOpen = this.#isNew = !this.isOpen
    this.#preview = null
    this.#flow.page.requestUpdate()
  }

  updated(root: ParentNode): void {
    if (this.#isNew) root.querySelector<HTMLElement>('.find-text')?.focus()
    this.#isNew = false
  }

  /** The columns of the grid whose cells may change. */
  get #fields(): Field[] { return this.#flow.fields.filter(({hidden, path}) => !hidden && mayEdit(this.#flow, path)) }

  render(view: View): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing
    const {say} = this.#flow.page
    const fields = [{value: '', text: say('all_columns')}, ...this.#fields.map(field => ({value: field.path, text: field.label}))]
    const set = (change: Partial<Replacement>) => {
      this.#what = {...this.#what, ...change}
      this.#preview = null
      this.#flow.page.requestUpdate()
    }
    const typed = (event: Event): string => (event.target as HTMLInputElement).value
    const checked = (event: Event): boolean => (event.target as HTMLInputElement).checked
    return html`<form class="finding" role="search" aria-label=${say('find_replace')} @submit=${(event: Event) => { event.preventDefault(); void this.#look(view) }}
      @keydown=${(event: KeyboardEvent) => { if (event.key === 'Escape') this.toggle() }}>
      <label><span class="label">${say('find')}</span><input class="input find-text" @input=${(event: Event) => set({find: typed(event)})}></label>
      <label><span class="label">${say('replace_by')}</span><input class="input" @input=${(event: Event) => set({replace: typed(event)})}></label>
      <label><span class="label">${say('in_column')}</span>${select(fields, this.#what.inFields[0] ?? '', value => set({inFields: value ? [value] : []}), say('in_column'))}</label>
      <label class="check"><input type="checkbox" @change=${(event: Event) => set({whole: checked(event)})}>${say('whole_cell')}</label>
      <label class="check"><input type="checkbox" @change=${(event: Event) => set({matchCase: checked(event)})}>${say('match_case')}</label>
      <button class="button" part="button" ?disabled=${this.#flow.isBusy || (!this.#what.find && !this.#what.whole)}>${say('count')}</button>
      <div class="row counted">${this.#found(view)}
        <span class="grow"></span>${button('', () => this.toggle(), {icon: 'close', kind: 'quiet', label: say('close')})}</div>
    </form>`
  }

  /** What was counted; in a large table only the first rows were, and the rest may hold more. */
  #found(view: View): TemplateResult | typeof nothing {
    if (!this.#preview || this.#changing.isRunning) return nothing
    const {say} = this.#flow.page
    const {cells, of, complete = true} = this.#preview
    const counted = complete ? say('cells_found', {n: cells}) : say('cells_found_first', {n: cells, of})
    const label = complete ? say('replace_n', {n: cells}) : say('replace_all')
    return html`<span class="small muted" role="status">${counted}</span>
      ${cells || !complete ? button(label, () => void this.#do(view), {kind: 'primary', disabled: this.#flow.isBusy}) : nothing}`
  }

  #asked(view: View): Replacement {
    const all = this.#fields.map(field => field.path)
    return {...this.#what, inFields: this.#what.inFields.length ? this.#what.inFields : all, view}
  }

  async #look(view: View): Promise<void> {
    await this.#flow.attempt(async () => {
      this.#preview = await this.#flow.engine.previewReplace(this.#flow.recordId, this.#flow.record!.revision, this.#asked(view))
    })
  }

  async #do(view: View): Promise<void> {
    const asked = this.#asked(view)
    this.#preview = null
    await this.#replace(asked)
  }
}
