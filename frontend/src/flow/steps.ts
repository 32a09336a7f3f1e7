/** Which step an import is in: pure, from what the engine says and what the person has seen. */

import type {ImportRecord, ImportState, ProposedColumn, Question} from '../api/shapes.js'

export const STEPS = ['upload', 'table', 'columns', 'review', 'import'] as const
export type Step = (typeof STEPS)[number]

export type Phase =
  | 'verifying' | 'upload' | 'typing' | 'uploading' | 'parsing' | 'table' | 'columns' | 'values' | 'review'
  | 'applying' | 'done' | 'failed'

/** What a person decides before the review. */
export type Decision = 'table' | 'columns' | 'values'

export const SURE = 80 // a score from which a match is shown as certain

const STEP_OF: Record<Exclude<Phase, 'parsing'>, Step> = {
  verifying: 'upload', upload: 'upload', typing: 'upload', uploading: 'upload', table: 'table',
  columns: 'columns', values: 'columns', review: 'review', applying: 'import', done: 'import', failed: 'upload',
}

const DECIDED_BY: Record<string, Decision> = {
  table: 'table', header_row: 'table', encoding: 'table',
  column: 'columns', columns: 'columns', unpivot: 'columns', groups: 'columns', required_field: 'columns',
  category_value: 'values',
}

/** The phase of each state in which no person is asked. */
const PHASES: Partial<Record<ImportState, Phase>> = {
  received: 'parsing', reading: 'parsing', transforming: 'parsing', applying: 'applying',
  applied: 'done', reverting: 'done', reverted: 'done', failed: 'failed', cancelled: 'failed',
} satisfies Record<Exclude<ImportState, 'mapping' | 'review' | 'staged'>, Phase>

/** The step of a phase; null while the engine works, which may be in any. */
export const stepOf = (phase: Phase): Step | null => (phase === 'parsing' ? null : STEP_OF[phase])

export const isWorking = ({state}: Pick<ImportRecord, 'state'>): boolean => ['parsing', 'applying'].includes(PHASES[state]!)

/** Whether a person who comes back has nothing to look at: its file never came, or it was given up or reverted. */
export const isOver = (state: ImportState): boolean => ['received', 'cancelled', 'reverting', 'reverted'].includes(state)

/** Which step a question belongs to; null for one that is answered in the review. */
export const decisionOf = (question: Question): Decision | null => DECIDED_BY[question.kind] ?? null

export interface Facts {
  questions: readonly Question[]
  columns: readonly ProposedColumn[]
  /** Decisions that the person has confirmed for this reading of the file. */
  seen: ReadonlySet<Decision | 'fit'>
  showAll: boolean
  /** Whether texts may be given a meaning of one's own; else the review asks of each what it offers. */
  canFix: boolean
  /** What is shown now: a step is left when the person says so, not with its last answer. */
  at?: Phase
}

/** What needs a person before the review, in order; empty for a file that needs no decision. */
export function decisions(facts: Facts): Decision[] {
  const asked = new Set(facts.questions.map(decisionOf))
  if (!facts.canFix) asked.delete('values')
  if (facts.columns.some(isDoubtful)) asked.add('columns')
  asked.add(facts.at as Decision)
  if (facts.showAll) asked.add('table').add('columns')
  return (['table', 'columns', 'values'] as const).filter(each => asked.has(each) && !facts.seen.has(each))
}

/** Return whether a match needs a look: proposed, but not certain, and not decided by a person. */
export const isDoubtful = (column: ProposedColumn): boolean =>
  column.field !== null && column.score < SURE && column.decidedBy === null

/** The phase of an import that the engine has a record of; the screen of one that failed also tells a state that is not known. */
export function phaseOf({state}: ImportRecord, facts: Facts): Phase {
  if (state === 'mapping') return decisions(facts)[0] === 'table' ? 'table' : 'columns'
  if (state === 'review' || state === 'staged') return decisions(facts)[0] ?? 'review'
  return PHASES[state] ?? 'failed'
}

/** Which steps can be opened from where an import is: those behind it, while nothing is applied. */
export function reachable(phase: Phase, record: ImportRecord | null): Step[] {
  if (!record || phase === 'applying' || phase === 'done' || phase === 'failed' || phase === 'parsing') return []
  if (record.state === 'mapping') return ['table', 'columns']
  return ['table', 'columns', 'review']
}
