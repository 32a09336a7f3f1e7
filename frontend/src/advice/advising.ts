/** The page helps with the review: it sees the rows, notes what it thinks of them, and proposes values. */

import {html, nothing, type TemplateResult} from 'lit'

import {EngineProblem, Stopped} from '../api/problem.js'
import type {Changed, RefusedCell, Row} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {changedBy, mayEdit, mayMove} from '../flow/moves.js'
import type {PageFinding, PageProposal} from '../flow/page.js'
import type {GridNote} from '../grid/types.js'
import {few} from '../ui/few.js'
import {button} from '../ui/pieces.js'
import {MOST_ITEMS, Unusable, type Advice} from './answer.js'
import {advised} from './call.js'
import * as events from './events.js'

const PAGE_ROWS = 500
export const MOST_ROWS = 50_000 // that a page looks at: a browser reads them one page after the other
const MOST_NAMES = 4

export interface AdvisingActs {
  /** Fetch what is shown again. */
  repaint(): void
  /** Rows were changed: look at what is wrong with them. */
  changed(): Promise<void>
  undo(): void
}

const keyOf = (row: number, field: string): string => `${row} ${field}`

export class Advising {
  readonly #flow: Flow
  readonly #acts: AdvisingActs
  readonly #findings = new Map<number, Required<PageFinding>[]>()
  /** What was proposed and made, by its cell: the same is not made again, since a person may have undone it. */
  readonly #made = new Map<string, {text: string; reason: string}>()
  #refused: RefusedCell[] = []
  /** What the last step of proposals led to. */
  #last: {revision: number; cells: number} | null = null
  /** What is to be looked at next. */
  #queue: 'all' | Map<number, Row> = new Map()
  #isRunning = false
  #hasFailed = false
  #isPartly = false
  #isRetried = false
  #stop = new AbortController()

  constructor(flow: Flow, acts: AdvisingActs) {
    this.#flow = flow
    this.#acts = acts
  }

  /** Let the page look at the rows that a change made different, or at all rows. */
  look({rows, changedRows}: Partial<Changed> = {}): void {
    if (!rows || rows.length !== changedRows) {
      this.#queue = 'all'
      this.#stop.abort()
    } else if (this.#queue !== 'all') {
      for (const row of rows) this.#queue.set(row.row, row)
    }
    void this.#run()
  }

  leave(): void {
    this.#queue = new Map()
    this.#stop.abort()
  }

  /** What the page says of a cell as it is. */
  notes(row: Row, field: string): GridNote[] {
    const {say} = this.#flow.page
    const made = this.#made.get(keyOf(row.row, field))
    const isMade = made !== undefined && made.text === JSON.stringify(row.values[field] ?? null)
    const proposed = isMade ? [{kind: 'proposed', text: made.reason ? say('advice_reason', {reason: made.reason}) : say('advice_proposed')} as const] : []
    const found = this.#findings.get(row.row)?.filter(finding => finding.field === field) ?? []
    return [...proposed, ...found.map(({severity, message}) => ({kind: severity, text: say('advice_finding', {severity: say(`grid_${severity}`), message})}))]
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#flow.page.onRows && (this.#queue === 'all' || this.#queue.size)) {
        const queue = this.#queue
        this.#queue = new Map()
        this.#stop = new AbortController()
        await this.#pass(queue === 'all' ? null : [...queue.values()])
      }
    } finally {
      this.#isRunning = false
    }
  }

  /** Look at rows, and take all that the page says of them, or nothing. */
  async #pass(rows: Row[] | null): Promise<void> {
    const {signal} = this.#stop
    const looked: number[] = []
    const advice: Advice = {findings: [], proposals: []}
    try {
      for await (const page of rows ? parts(rows) : this.#pages(signal)) {
        looked.push(...page.map(({row}) => row))
        const asked = page.filter(row => !row.excluded)
        if (asked.length) this.#add(advice, await this.#ask(asked, signal), asked)
      }
    } catch (error) {
      return this.#failed(error, looked)
    }
    if (signal.aborted) return
    this.#hasFailed = false
    if (!rows) this.#findings.clear()
    this.#note(looked, advice.findings)
    await this.#propose(advice.proposals)
    this.#acts.repaint()
  }

  async *#pages(signal: AbortSignal): AsyncGenerator<Row[]> {
    const {engine, recordId, record} = this.#flow
    for (let offset: number | null = 0; offset !== null && offset < MOST_ROWS;) {
      const page = await engine.rows(recordId, {filter: 'all'}, offset, PAGE_ROWS, record?.revision, signal)
      this.#isPartly = page.total > MOST_ROWS
      yield page.rows
      offset = page.next
    }
  }

  async #ask(rows: Row[], signal: AbortSignal): Promise<Advice> {
    const {recordId, catalog, fields, page: {onRows}} = this.#flow
    if (!onRows) throw new Stopped()
    const about = {recordId, catalogKey: catalog?.key ?? '', fields: new Set(fields.map(field => field.path))}
    return await advised(onRows, rows, about, signal)
  }

  /** Add what is said of a page; a value that is there already is not proposed. */
  #add(all: Advice, {findings, proposals}: Advice, rows: readonly Row[]): void {
    const byNumber = new Map(rows.map(row => [row.row, row]))
    const isNew = ({row, field, value}: PageProposal): boolean => JSON.stringify(byNumber.get(row)?.values[field] ?? null) !== JSON.stringify(value)
    all.findings.push(...findings)
    all.proposals.push(...proposals.filter(isNew))
    for (const list of [all.findings, all.proposals]) {
      if (list.length > MOST_ITEMS) throw new Unusable('too_large', `it returned more than ${MOST_ITEMS} findings or proposals`)
    }
  }

  #note(looked: readonly number[], findings: readonly Required<PageFinding>[]): void {
    for (const row of looked) this.#findings.delete(row)
    for (const finding of findings) this.#findings.set(finding.row, [...this.#findings.get(finding.row) ?? [], finding])
  }

  #failed(error: unknown, looked: readonly number[]): void {
    if (error instanceof Stopped || this.#stop.signal.aborted) return
    const {page} = this.#flow
    this.#hasFailed = true
    this.#note(looked, []) // what it said of them before may no longer be so
    if (error instanceof Unusable) {
      console.warn(`Import engine: onRows changed nothing, since ${error.message}.`, ...error.cause === undefined ? [] : [error.cause])
      page.dispatchEvent(events.importRowsFailed({reason: error.reason, message: error.message}))
    } else if (!(error instanceof EngineProblem)) console.warn(error)
    page.requestUpdate()
    this.#acts.repaint()
  }

  /** Make what is proposed in one step; what does not fit is named. */
  async #propose(all: readonly Required<PageProposal>[]): Promise<void> {
    const {record} = this.#flow
    const wanted = all.filter(({row, field, value}) => this.#made.get(keyOf(row, field))?.text !== JSON.stringify(value) && !this.#isAhead(row))
    // What a person undid can be redone, as long as nothing else is changed.
    if (!record || !wanted.length || !this.#flow.may('fix') || (record.may && mayMove(record, 'redo'))) return
    const isOpen = ({field}: PageProposal): boolean => !this.#flow.fieldAt(field)?.hidden && mayEdit(this.#flow, field)
    const proposals = wanted.filter(isOpen)
    const kept: RefusedCell[] = wanted.filter(proposal => !isOpen(proposal)).map(({row, field}) => ({row, field, code: 'read_only_field'}))
    const refused = proposals.length ? await this.#send(proposals) : []
    if (refused) this.#tell([...kept, ...refused])
  }

  /** Whether a row was changed since the page looked at it: it looks at it again. */
  #isAhead(row: number): boolean {
    return this.#queue === 'all' || this.#queue.has(row)
  }

  /** Return what the engine refused; null: nothing came of it. */
  async #send(proposals: readonly Required<PageProposal>[]): Promise<RefusedCell[] | null> {
    const {engine, record, isApplying, phase} = this.#flow
    if (!record || isApplying || phase !== 'review') return null
    let refused: RefusedCell[] | null = null
    await this.#flow.attempt(async () => {
      const cells = proposals.map(({row, field, value}) => ({row, field, value}))
      const changed = await engine.edit(record.recordId, record.revision, {proposals: cells}).catch(conflict)
      if (!changed) return await this.#lookAgain()
      this.#isRetried = false
      refused = changed.refused
      this.#remember(proposals, changed.refused)
      if (changed.revision <= record.revision) return
      this.#last = {revision: changed.revision, cells: changed.cells}
      Object.assign(record, changedBy(changed, record))
      await this.#acts.changed()
    })
    return refused
  }

  /** What another person changed meanwhile stays; the page looks at it, once. */
  async #lookAgain(): Promise<void> {
    await this.#flow.refreshRecord()
    if (this.#isRetried) return
    this.#isRetried = true
    this.#queue = 'all'
  }

  #remember(proposals: readonly Required<PageProposal>[], refused: readonly RefusedCell[]): void {
    const wrong = new Set(refused.map(({row, field}) => keyOf(row, field)))
    for (const {row, field, value, reason} of proposals) {
      if (!wrong.has(keyOf(row, field))) this.#made.set(keyOf(row, field), {text: JSON.stringify(value), reason})
    }
  }

  #tell(refused: RefusedCell[]): void {
    this.#refused = refused
    if (refused.length) this.#flow.page.dispatchEvent(events.importRowsRefused({refused}))
    this.#flow.page.requestUpdate()
  }

  #close(): void {
    this.#hasFailed = this.#isPartly = false
    this.#refused = []
    this.#last = null
    this.#flow.page.requestUpdate()
  }

  /** What the page did, with its way back, and what it could not do. */
  render(): TemplateResult | typeof nothing {
    const {record, page: {say}} = this.#flow
    const isLast = this.#last !== null && this.#last.revision === record?.revision
    const said = [
      this.#hasFailed ? say('advice_failed') : '',
      this.#last && isLast ? say('advice_made', {n: this.#last.cells}) : '',
      this.#refused.length ? say('advice_refused', {n: this.#refused.length, cells: this.#named()}) : '',
      this.#isPartly ? say('advice_partly', {n: MOST_ROWS}) : '',
    ].filter(Boolean)
    if (!said.length) return nothing
    return html`<div class="changing advice" role="status"><span class="small grow">${said.join(' ')}</span>
      ${isLast && mayMove(record, 'undo') ? button(say('advice_undo'), () => this.#acts.undo(), {icon: 'undo', small: true, disabled: this.#flow.isBusy}) : nothing}
      ${button('', () => this.#close(), {icon: 'close', kind: 'quiet', label: say('close')})}</div>`
  }

  #named(): string {
    const {page} = this.#flow
    const names = this.#refused.map(({row, field}) => `${this.#flow.fieldAt(field)?.label ?? field} (${page.format.number(row + 1)})`)
    return few(names, MOST_NAMES, page)
  }
}

function* parts(rows: Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += PAGE_ROWS) yield rows.slice(at, at + PAGE_ROWS)
}

/** Return nothing for a conflict: the rows are others now. */
function conflict(error: unknown): null {
  if (error instanceof EngineProblem && error.status === 409) return null
  throw error
}
