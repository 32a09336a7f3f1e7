/** Which rows a step of the recipe changes: loaded only for a person who asks for them. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Answer, Shape} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import type {Draft} from '../flow/mapping.js'
import {wordsIn, type StepsWords} from './words/words.js'

type Changes = Shape<'OneStepChangesOut'>
type ChangedRow = Shape<'ComparedRowOut'>
type Texts = ChangedRow['before']

/** What a step changes in one row: each column with its text before and after; null where a row is left out. */
export function cellsOf({before, after}: ChangedRow): [column: string, before: string, after: string][][] | null {
  if (!after.length) return null
  const text = (texts: Texts, column: string): string => texts[column] ?? ''
  return after.map(made => [...new Set([...Object.keys(before), ...Object.keys(made)])]
    .map((column): [string, string, string] => [column, text(before, column), text(made, column)])
    .filter(([, old, now]) => old !== now))
}

/** A row of the file as people count them. */
const numberOf = ({sourceRow}: ChangedRow): number => sourceRow + 1

export class ChangedRows {
  readonly #flow: Flow
  #words: StepsWords | null = null
  /** The draft that was compared: another one is compared again. */
  #draft: Draft | null = null
  #outcome: Answer<'imports_mapping_preview'> | null = null

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** Compare the rows before and after the steps of a draft. */
  async compare(draft: Draft): Promise<void> {
    const {engine, recordId, page} = this.#flow
    this.#words ??= (await wordsIn(page.language)).steps
    this.#outcome = await engine.transport.json(`imports/${recordId}/mapping/preview`, {method: 'POST', body: {recipe: draft.recipe}})
    this.#draft = draft
  }

  isOf(draft: Draft): boolean {
    return this.#draft?.recipe === draft.recipe
  }

  render(at: number): TemplateResult | typeof nothing {
    const changes = this.#outcome?.steps[at]
    if (!changes || !this.#words) return nothing
    return html`<div class="changed small" role="status">${this.#counted(changes)}
      ${changes.rows.length ? html`<ul>${changes.rows.map(row => html`<li><span class="muted">${numberOf(row)}</span><span class="grow">${this.#told(row)}</span></li>`)}</ul>` : nothing}</div>`
  }

  #counted({changedRows, rowsBefore}: Changes): string {
    const {format} = this.#flow.page
    return changedRows
      ? this.#words!.of.replace('{n}', format.number(changedRows)).replace('{total}', format.number(rowsBefore))
      : this.#words!.none
  }

  #told(row: ChangedRow): TemplateResult | string {
    const made = cellsOf(row)
    if (!made) return html`<del><bdi>${Object.values(row.before).filter(Boolean).join(' · ')}</bdi></del> ${this.#words!.gone}`
    return html`${made.map(cells => html`<div>${cells.map(([column, old, now]) => html`<bdi class="muted">${column}:</bdi> ${old ? html`<del><bdi>${old}</bdi></del> ` : nothing}${now ? html`<ins><bdi>${now}</bdi></ins> ` : nothing}`)}</div>`)}`
  }
}
