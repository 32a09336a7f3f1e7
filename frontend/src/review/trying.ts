/** An answer that is tried: its rows in the grid, now and then, before it is taken. */

import type {Json, Question, RowIssue} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import type {GridColumn, GridIssue, GridRow, RowSource} from '../grid/types.js'
import {sayOr} from '../messages/words.js'
import {candidateText} from '../ui/question_text.js'
import {textOf} from '../ui/format.js'
import {Shown} from './shown.js'
import {told} from './source.js'

type Outcome = 'fixed' | 'broken' | 'changed' | 'unchanged'
export type TrialCounts = Record<Outcome, number>

interface TriedRow {
  row: number
  outcome: Outcome
  cells: {field: string, text: string | null, now: Json, then: Json}[]
  issuesNow: RowIssue[]
  issuesThen: RowIssue[]
}

interface Tried {
  effect: string
  counts: TrialCounts | null
  items: TriedRow[]
  next: string | null
}

export class Trial implements RowSource {
  counts: TrialCounts | null = null
  readonly question: Question
  readonly value: Json
  readonly #flow: Flow
  #field = ''
  readonly #look: Shown

  constructor(flow: Flow, question: Question, value: Json) {
    this.#flow = flow
    this.question = question
    this.value = value
    this.#field = question.field
    this.#look = new Shown(flow.fields, flow.page.format.locale, flow.page.say)
  }

  is(question: Question, value: Json): boolean {
    return this.question.id === question.id && JSON.stringify(this.value) === JSON.stringify(value)
  }

  /** How many rows the grid shows; none where the answer makes other rows. */
  get rows(): number {
    const {fixed = 0, broken = 0, changed = 0} = this.counts ?? {}
    return fixed + broken + changed
  }

  /** The answer as its button says it. */
  get label(): string {
    const found = this.question.candidates.find(candidate => this.is(this.question, candidate.value))
    return candidateText(this.question, this.value, found?.label ?? '', this.#flow)
  }

  get columns(): GridColumn[] {
    const {say} = this.#flow.page
    const label = this.#flow.fieldAt(this.#field)?.label ?? this.#field
    const column = (key: string, name: string): GridColumn => ({key, label: name, type: '', required: false, readOnly: true, width: 190})
    return [column('now', label), column('then', say('with_answer', {answer: this.label})), column('outcome', say('what_becomes'))]
  }

  /** Ask what the answer would do. */
  async look(): Promise<void> {
    const {counts, items} = await this.#page(0, 1)
    this.counts = counts
    this.#field = items[0]?.cells[0]?.field ?? this.#field
  }

  async fetch(offset: number, limit: number, signal: AbortSignal): Promise<GridRow[]> {
    const {items, next} = await this.#page(offset, limit, signal)
    const shown = items.map(item => this.#shown(item))
    // A page of very long texts ends before.
    return next && shown.length < limit ? [...shown, ...await this.fetch(Number(next), limit - shown.length, signal)] : shown
  }

  #page(offset: number, limit: number, signal?: AbortSignal): Promise<Tried> {
    const {engine, recordId} = this.#flow
    const asked = new URLSearchParams({value: JSON.stringify(this.value), cursor: String(offset), limit: String(limit)})
    return engine.transport.json(`imports/${recordId}/questions/${this.question.id}/preview?${asked}`, signal ? {signal} : {})
  }

  #shown({row, outcome, cells, issuesNow, issuesThen}: TriedRow): GridRow {
    const {say} = this.#flow.page
    const cell = cells.find(cell => textOf(cell.now) !== textOf(cell.then)) ?? cells[0]
    const mine = (issues: RowIssue[]): GridIssue[] => issues.filter(issue => issue.field === cell?.field)
      .map(issue => ({code: issue.code, severity: issue.severity, message: told(issue)}))
    const text = cell?.text ?? ''
    const shown = (value: Json | undefined): string => this.#look.value(cell?.field ?? '', value ?? null).text
    const said = sayOr(say, `outcome_${outcome}`, outcome, {now: shown(cell?.now)})
    return {
      row,
      cells: [
        {value: cell?.now, text: shown(cell?.now) || text, issues: mine(issuesNow)},
        {value: cell?.then, text: shown(cell?.then) || text, issues: mine(issuesThen)},
        {value: said, text: said, issues: []},
      ],
    }
  }
}
