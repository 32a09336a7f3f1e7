/** Fields whose cells wait for a decision before the import: what is known stays, or the file counts. */

import {html, nothing, type TemplateResult} from 'lit'

import type {FieldPolicies} from '../api/engine.js'
import type {Json} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {wordsIn, type DecideWords} from '../screens/words/words.js'
import {button} from '../ui/pieces.js'
import {Shown} from './shown.js'

/** What the engine says of a field; its cells are there for those who may see what is known. */
export interface Waiting {
  field: string
  why: 'ask' | 'conflict'
  rows: number
  cells: {row: number; known: Json; file: Json; delivered: Json}[]
}

type Side = 'known' | 'file'

const SHOWN_CELLS = 3

/** What the apply says of a field that waited: both kinds of wait have a member of their own. */
const POLICY: Record<Waiting['why'], Record<Side, FieldPolicies[string]>> = {
  ask: {known: {onKnown: 'keep'}, file: {onKnown: 'overwrite'}},
  conflict: {known: {conflicts: 'host'}, file: {conflicts: 'file'}},
}

export class Undecided {
  readonly #flow: Flow
  readonly #words: DecideWords
  readonly #waiting: readonly Waiting[]
  readonly #decided: (fields: FieldPolicies) => void
  readonly #chosen = new Map<Waiting, Side>()

  constructor(flow: Flow, words: DecideWords, waiting: readonly Waiting[], decided: (fields: FieldPolicies) => void) {
    this.#flow = flow
    this.#words = words
    this.#waiting = waiting
    this.#decided = decided
  }

  static async of(flow: Flow, waiting: readonly Waiting[], decided: (fields: FieldPolicies) => void): Promise<Undecided> {
    return new Undecided(flow, (await wordsIn(flow.page.language)).decide, waiting, decided)
  }

  /** The policies that the choices make; null while one is missing. A field may wait for two reasons. */
  get fields(): FieldPolicies | null {
    const fields: FieldPolicies = {}
    for (const item of this.#waiting) {
      const side = this.#chosen.get(item)
      if (!side) return null
      fields[item.field] = {...fields[item.field], ...POLICY[item.why][side]}
    }
    return fields
  }

  choose(item: Waiting, side: Side): void {
    this.#chosen.set(item, side)
    this.#flow.page.requestUpdate()
  }

  render(): TemplateResult {
    const {fields} = this
    return html`<div class="notice" part="notice" role="group" aria-label=${this.#words.title}><div class="grow">
      <strong role="alert">${this.#words.title}</strong>
      ${this.#waiting.map(item => this.#item(item))}</div>
      ${button(this.#words.go, () => fields && this.#decided(fields), {kind: 'primary', small: true, disabled: !fields || this.#flow.isBusy})}</div>`
  }

  #item(item: Waiting): TemplateResult {
    const {format} = this.#flow.page
    const label = this.#flow.fieldAt(item.field)?.label ?? item.field
    const side = (name: Side, words: string): TemplateResult =>
      html`<button type="button" aria-pressed=${this.#chosen.get(item) === name} @click=${() => this.choose(item, name)}>${words}</button>`
    const differs = item.why === 'conflict' ? this.#words.both : this.#words.differs
    return html`<div><bdi class="strong">${label}</bdi> <span class="small muted">${differs.replace('{n}', format.number(item.rows))}</span>
      ${item.cells.slice(0, SHOWN_CELLS).map(cell => this.#cell(item, cell))}
      <div class="segments" role="group" aria-label=${label}>${side('known', this.#words.keep)}${side('file', this.#words.use)}</div></div>`
  }

  /** The values of a cell, each with where it is from. */
  #cell({field, why}: Waiting, cell: Waiting['cells'][number]): TemplateResult {
    const {format, say} = this.#flow.page
    const shown = new Shown(this.#flow.fields, format.locale, say)
    const value = (from: string, given: Json): TemplateResult =>
      html`<span><span class="muted">${from}</span> <bdi>${shown.value(field, given).text || say('empty')}</bdi></span>`
    const {last, now, file} = this.#words
    return html`<div class="small sides">${why === 'conflict' ? value(last, cell.delivered) : nothing}${value(now, cell.known)}${value(file, cell.file)}</div>`
  }
}
