/** Answers that were given for an earlier import and count here again: told as such, and to be changed. */

import type {Engine} from '../api/engine.js'
import type {Actor, Recalled} from '../api/outcomes.js'
import type {Candidate, Proposal, Question} from '../api/shapes.js'
import type {MessageKey, Say} from '../messages/catalogue.js'
import type {Field} from './fields.js'
import {OF_SEVERAL} from './mapping.js'
import type {Page} from './page.js'

export interface RecalledQuestion extends Question {
  recalled: Recalled
}

/** What decides about the file itself: rows that were restored could be left out again by another answer. */
const OF_FILE = new Set(['table', 'joined_lines'])
const OF_TEXT = new Set(['category_value', 'reference'])
const OF_COLUMNS = new Set(['column', 'columns', ...OF_SEVERAL])

/** Every answer of an import that is an earlier one's. */
export async function recalledIn(engine: Engine, recordId: string): Promise<RecalledQuestion[]> {
  const found: Question[] = []
  for (let next: string | null = ''; next !== null;) {
    const path = `imports/${recordId}/questions?state=answered&limit=500${next && `&cursor=${encodeURIComponent(next)}`}`
    const page: {items: Question[]; next: string | null} = await engine.transport.json(path)
    found.push(...page.items)
    next = page.next
  }
  return found.filter((question): question is RecalledQuestion => Boolean(question.recalled))
}

/** When an answer was first given, and by whom: "As answered on 23 November 2026 by Ada". */
export function toldOf({givenAt, givenBy, confirmedBy}: Recalled, {say, format}: Pick<Page, 'say' | 'format'>): string {
  if (!givenAt) return say('recalled_before')
  const date = format.date(new Date(givenAt))
  const [key, name] = by(givenBy, confirmedBy)
  return say(key, {date, name})
}

function by(first: Actor | null, last: Actor | null): [MessageKey, string] {
  if (first?.kind === 'agent') return last?.kind === 'person' && last.label ? ['recalled_confirmed', last.label] : ['recalled_agent', '']
  if (first?.kind === 'system') return ['recalled_host', '']
  return first?.label ? ['recalled_by', first.label] : ['recalled_on', '']
}

/** The answers that may be given instead: those that were offered; of a text also each option of its field. */
export function otherAnswers(question: Question, field: Field | undefined, may: {fix: boolean; exclude: boolean}): Candidate[] {
  if (OF_FILE.has(question.kind) && !may.exclude) return []
  if (question.candidates.length || !may.fix || !OF_TEXT.has(question.kind)) return question.candidates
  return (field?.dropdownOptions ?? []).map(({value, label}) => ({value, label, score: null, effect: ''}))
}

/** The answer in force as people call it. */
export function answerLabel({answer}: Question, candidates: readonly Candidate[]): string {
  const known = candidates.find(candidate => JSON.stringify(candidate.value) === JSON.stringify(answer))
  if (known) return known.label
  return typeof answer === 'object' && answer !== null ? Object.values(answer).join(', ') : String(answer ?? '')
}

/** What earlier imports settled here, in parts: "8 columns", "3 values", "month first". */
export function settledBefore(proposal: Proposal | null, questions: readonly RecalledQuestion[], say: Say): string[] {
  const byProfile = (proposal?.columns ?? []).filter(({decidedBy}) => decidedBy?.kind === 'profile')
  const counts = {n_columns: byProfile.length, n_values: 0, n_answers: 0}
  const orders = new Set<string>()
  for (const {kind, columns, answer} of questions) {
    if (kind === 'date_order') orders.add(say(answer === 'mdy' ? 'month_first' : 'day_first'))
    else if (OF_TEXT.has(kind)) counts.n_values += 1
    else if (OF_COLUMNS.has(kind)) counts.n_columns += columns.length
    else counts.n_answers += 1
  }
  const said = (Object.keys(counts) as (keyof typeof counts)[]).map(what => counts[what] ? say(what, {n: counts[what]}) : '')
  return [...said, ...orders].filter(Boolean)
}

/** The recalled answer that gave a column its field. */
export const recalledFor = (column: string, questions: readonly RecalledQuestion[]): RecalledQuestion | undefined =>
  questions.find(({kind, columns}) => kind === 'column' ? columns[0] === column : (kind === 'columns' || OF_SEVERAL.has(kind)) && columns.includes(column))
