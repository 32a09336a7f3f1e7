/** One line per imported row: what changed against what was known, and what the receiver answered. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {ChangedRow, Changeset, HostResult, ResultRow} from '../api/outcomes.js'
import type {Json} from '../api/shapes.js'
import {answersOf, rangesOf, toneOf} from '../flow/answers.js'
import type {Flow} from '../flow/flow.js'
import {sayOr} from '../messages/words.js'
import {button, tag, type Tone} from '../ui/pieces.js'
import {Shown} from '../review/shown.js'

export const rowListStyles = css`
  .lines { inline-size: 100%; max-inline-size: 1040px; margin-inline: auto; overflow: clip; }
  .lines .by { display: flex; flex-wrap: wrap; gap: 10px 18px; padding: 12px 16px; border-block-end: 1px solid var(--_line); }
  .lines .segments { max-inline-size: 100%; overflow-x: auto; }
  .line-of { display: grid; grid-template-columns: 60px minmax(0, 4fr) minmax(0, 7fr) minmax(0, 5fr); gap: 4px 14px; align-items: center; padding: 8px 16px; min-block-size: 49px; border-block-end: 1px solid var(--_line); font-size: 13px; }
  .short .line-of { grid-template-columns: 60px minmax(0, 4fr) minmax(0, 8fr); }
  .line-of.head { min-block-size: 32px; padding-block: 0; font-weight: 600; color: var(--_fg-2); background: var(--_bg-2); }
  .line-of > span { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: center; overflow-wrap: anywhere; min-inline-size: 0; }
  .line-of .tag { min-inline-size: 84px; justify-content: center; }
  .line-of del, .line-of ins { border-radius: 3px; padding: 0 4px; text-decoration-thickness: 1px; }
  .line-of del { color: var(--_err); background: var(--_err-soft); }
  .line-of ins { color: var(--_ok); background: var(--_ok-soft); text-decoration: none; }
  .lines > p { padding: 10px 16px; display: flex; gap: 10px; align-items: center; }
  @container service-import (inline-size < 760px) {
    .lines .line-of { grid-template-columns: 44px minmax(0, 1fr); }
    .line-of > :nth-child(n + 3) { grid-column: 2; }
    .lines .line-of.head { display: none; }
  }
`

const PAGE = 25
const MOST_FIELDS = 3
const CHANGES = ['new', 'changed', 'unchanged', 'unclear'] as const
const TONES: Record<ChangedRow['status'], Tone> = {new: 'ok', changed: 'accent', unchanged: '', unclear: 'warn'}

interface Line extends ChangedRow {
  names: string[]
}

export class RowList {
  readonly #flow: Flow
  #look!: Shown
  #changeset: Changeset | null = null
  #answers = new Map<number, HostResult>()
  #lines: Line[] = []
  #total = 0
  /** The one change or answer that is shown; both empty for all rows. */
  #change = ''
  #answer = ''

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** How many rows the receiver refused. */
  get refused(): number {
    return [...this.#answers.values()].filter(({refused}) => refused).length
  }

  /** Read what is known of the rows; nothing is shown where neither changes nor answers are. */
  async load(changeset: Changeset): Promise<void> {
    const {engine, recordId, record, fields, page} = this.#flow
    this.#look = new Shown(fields, page.format.locale, page.say)
    this.#answers = await answersOf(engine, recordId, record?.deliveries ?? [], record?.counts.imported ?? 0)
    this.#changeset = changeset
    if (this.#isKnown || this.#answers.size) await this.#show('', '')
  }

  get #isKnown(): boolean {
    return CHANGES.some(change => this.#changeset?.counts[change])
  }

  async #show(change: string, answer: string): Promise<void> {
    const first = await this.#read(0, change, answer)
    ;[this.#lines, this.#change, this.#answer] = [first, change, answer]
    this.#flow.page.requestUpdate()
  }

  async #more(): Promise<void> {
    const more = await this.#read(this.#lines.length, this.#change, this.#answer)
    this.#lines = [...this.#lines, ...more]
  }

  /** Some lines of a view: those of an answer are found by their numbers, others the engine finds. */
  async #read(from: number, change: string, answer: string): Promise<Line[]> {
    const {engine, recordId} = this.#flow
    const id = this.#changeset!.id
    let rows: ChangedRow[]
    if (answer) {
      const numbers = [...this.#answers].filter(([, said]) => said.status === answer).map(([row]) => row).sort((one, other) => one - other)
      const wanted = numbers.slice(from, from + PAGE)
      const found = await Promise.all(rangesOf(wanted).map(([start, count]) => engine.changedRows(id, recordId, '', start, count)))
      rows = found.flatMap(page => page.items).filter(({row}) => wanted.includes(row))
      this.#total = numbers.length
    } else {
      const page = await engine.changedRows(id, recordId, change, from, PAGE)
      rows = page.items
      this.#total = page.total
    }
    const values = new Map<number, ResultRow>()
    await Promise.all(rangesOf(rows.map(({row}) => row)).map(async ([start, count]) => {
      const {items} = await engine.results(recordId, String(start), count)
      items.forEach((item, place) => values.set(start + place, item))
    }))
    return rows.map(row => ({...row, names: this.#named(values.get(row.row) ?? {})}))
  }

  /** What a row is told by: its first two values. */
  #named(values: ResultRow): string[] {
    return this.#flow.fields.map(({path}) => this.#look.value(path, values[path] ?? null).text).filter(Boolean).slice(0, 2)
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#lines.length) return nothing
    const {say} = this.#flow.page
    const hasAnswers = this.#answers.size > 0
    return html`<section class="card lines ${this.#isKnown && hasAnswers ? '' : 'short'}" aria-label=${say('lines_title')}>
      <div class="by">${this.#isKnown ? this.#changes() : nothing}${hasAnswers ? this.#answered() : nothing}</div>
      <div role="table" aria-label=${say('lines_title')}>
        <div class="line-of head" role="row"><span role="columnheader">${say('row')}</span><span role="columnheader">${say('value')}</span>
          ${this.#isKnown ? html`<span role="columnheader">${say('lines_change')}</span>` : nothing}${hasAnswers ? html`<span role="columnheader">${say('lines_answer')}</span>` : nothing}</div>
        ${this.#lines.map(line => this.#line(line))}</div>
      <p class="small muted"><span class="grow">${say('lines_shown', {shown: this.#lines.length, n: this.#total})}${this.#most()}</span>
        ${this.#lines.length < this.#total ? button(say('more'), () => void this.#flow.attempt(() => this.#more()), {small: true, disabled: this.#flow.isBusy}) : nothing}</p>
    </section>`
  }

  /** The fields that differ in most rows. */
  #most(): string {
    const {say, format} = this.#flow.page
    const most = (this.#changeset?.changedFields ?? []).slice(0, MOST_FIELDS)
    const fields = most.map(({field, rows}) => `${this.#labelOf(field)} ${format.number(rows)}`)
    return fields.length ? ` ${say('lines_fields', {fields: fields.join(', ')})}` : ''
  }

  #labelOf(field: string): string {
    return this.#flow.fieldAt(field)?.label ?? field
  }

  #segment(change: string, answer: string, text: string): TemplateResult {
    return html`<button type="button" aria-pressed=${this.#change === change && this.#answer === answer}
      @click=${() => void this.#flow.attempt(() => this.#show(change, answer))}>${text}</button>`
  }

  #changes(): TemplateResult {
    const {say, format} = this.#flow.page
    const {counts} = this.#changeset!
    return html`<div class="segments" role="group" aria-label=${say('lines_change')}>${this.#segment('', '', say('all_n', {n: counts.imported ?? 0}))}
      ${CHANGES.map(change => counts[change] ? this.#segment(change, '', `${this.#changed(change)} ${format.number(counts[change])}`) : nothing)}</div>`
  }

  #answered(): TemplateResult {
    const {say, format} = this.#flow.page
    const counts = new Map<string, number>()
    for (const {status} of this.#answers.values()) counts.set(status, (counts.get(status) ?? 0) + 1)
    return html`<div class="segments" role="group" aria-label=${say('lines_answer')}>${this.#isKnown ? nothing : this.#segment('', '', say('all_n', {n: this.#changeset?.counts.imported ?? 0}))}
      ${[...counts].map(([status, n]) => this.#segment('', status, `${this.#said(status)} ${format.number(n)}`))}</div>`
  }

  /** A change as it begins a line. */
  #changed(change: ChangedRow['status']): string {
    const said = sayOr(this.#flow.page.say, `figure_${change}`, change)
    return said.replace(/\p{L}/u, letter => letter.toUpperCase())
  }

  /** A status in the person's language where we know the word, else as the receiver said it. */
  #said(status: string): string {
    return sayOr(this.#flow.page.say, `said_${status}`, status)
  }

  #line({row, status, differences, names}: Line): TemplateResult {
    const {format} = this.#flow.page
    const answer = this.#answers.get(row)
    const tone = answer ? toneOf(answer) : ''
    return html`<div class="line-of" role="row"><span role="cell" class="number muted">${format.number(row + 1)}</span>
      <span role="cell"><bdi class="strong">${names[0] ?? ''}</bdi><bdi class="muted">${names[1] ?? ''}</bdi></span>
      ${this.#isKnown ? html`<span role="cell">${tag(this.#changed(status), TONES[status], undefined)}${differences.map(({field, before, after}) =>
        html`<span><bdi>${this.#labelOf(field)}</bdi> <del><bdi>${this.#text(field, before)}</bdi></del> <ins><bdi>${this.#text(field, after)}</bdi></ins></span>`)}</span>` : nothing}
      ${this.#answers.size ? html`<span role="cell">${answer ? html`${tag(html`<bdi>${this.#said(answer.status)}</bdi>`, tone)}<bdi>${answer.message ?? ''}</bdi>` : nothing}</span>` : nothing}</div>`
  }

  #text(field: string, value: Json): string {
    return this.#look.value(field, value).text || this.#flow.page.say('empty')
  }
}
