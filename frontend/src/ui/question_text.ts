/** A question of the ledger as a sentence. */

import type {Question} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import type {MessageKey} from '../messages/catalogue.js'

const KINDS = new Set([
  'table', 'header_row', 'encoding', 'column', 'columns', 'unpivot', 'required_field', 'date_order',
  'decimal_separator', 'percent_scale', 'region', 'category_value', 'reference',
])

export function questionText(question: Question, flow: Flow): string {
  const key = KINDS.has(question.kind) ? `ask_${question.kind}` : 'ask_other'
  return flow.page.say(key as MessageKey, {
    field: flow.fieldAt(question.field)?.label ?? question.field,
    column: question.columns.join(', '),
    text: question.evidence[0] ?? '',
  })
}

/** The label of a candidate: ours where the engine names a code, the engine's otherwise. */
export function candidateText(question: Question, value: unknown, label: string, flow: Flow): string {
  const key = `answer_${question.kind}_${String(value)}`
  const known = ['date_order', 'decimal_separator', 'percent_scale'].includes(question.kind)
  if (known) return flow.page.say(key as MessageKey)
  if (value === null) return flow.page.say('answer_none')
  return flow.fieldAt(typeof value === 'string' ? value : null)?.label ?? label
}
