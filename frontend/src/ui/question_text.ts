/** A question of the ledger as a sentence. */

import type {Question} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import type {MessageKey} from '../messages/catalogue.js'
import {sayOr} from '../messages/words.js'

const KINDS = new Set([
  'table', 'header_row', 'encoding', 'column', 'columns', 'unpivot', 'required_field', 'date_order',
  'decimal_separator', 'percent_scale', 'region', 'category_value', 'reference', 'recognised_text',
])

export function questionText(question: Question, flow: Flow): string {
  const key = KINDS.has(question.kind) ? `ask_${question.kind}` : 'ask_other'
  const column = question.columns.join(', ')
  const field = flow.fieldAt(question.field)?.label ?? question.field
  if (key === 'ask_other' && !field && !column) return flow.page.say('question')
  return flow.page.say(key as MessageKey, {
    field: field || column,
    column,
    text: question.evidence[0] ?? '',
  })
}

/** The label of a candidate: ours where the engine names a code, the engine's otherwise. */
export function candidateText(question: Question, value: unknown, label: string, flow: Flow): string {
  const key = `answer_${question.kind}_${String(value)}`
  const known = ['date_order', 'decimal_separator', 'percent_scale'].includes(question.kind)
  if (known) return sayOr(flow.page.say, key, label)
  if (value === null) return flow.page.say('answer_none')
  return flow.fieldAt(typeof value === 'string' ? value : null)?.label ?? label
}
