/** A question of the ledger as a sentence. */

import type {Question} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import type {MessageKey} from '../messages/catalogue.js'
import {sayOr} from '../messages/words.js'

const KINDS = new Set([
  'table', 'header_row', 'encoding', 'column', 'columns', 'unpivot', 'groups', 'required_field', 'date_order',
  'decimal_separator', 'percent_scale', 'region', 'category_value', 'reference', 'recognised_text',
])

export function questionText(question: Question, flow: Flow): string {
  const key = KINDS.has(question.kind) ? `ask_${question.kind}` : 'ask_other'
  const column = question.columns.join(', ')
  const field = flow.fieldAt(question.field)?.label ?? question.field
  if (question.kind === 'drift') return question.evidence[0]!
  if (key === 'ask_other' && !field && !column) return flow.page.say('question')
  return flow.page.say(key as MessageKey, {
    field: field || column,
    column,
    text: question.evidence[0] ?? '',
  })
}

/** A text of the file as an answer reads it: "12/04/2026 → 12 April 2026"; empty where no text shows the difference. */
export function readingOf({kind, evidence}: Question, value: unknown, {page: {format}}: Flow): string {
  for (const text of evidence) {
    const [, first, , second, year] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text) ?? []
    if (kind === 'date_order' && first && Number(first) < 13 && Number(second) < 13) {
      const [day, month] = value === 'mdy' ? [second, first] : [first, second]
      return `${text} → ${format.date(new Date(Number(year), Number(month) - 1, Number(day)))}`
    }
    if (kind !== 'decimal_separator' || !/^-?[\d.,]+$/.test(text)) continue
    const plain = value === 'eu' ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '')
    return `${text} → ${format.number(Number(plain))}`
  }
  return ''
}

/** The label of a candidate: ours where the engine names a code, the engine's otherwise. */
export function candidateText(question: Question, value: unknown, label: string, flow: Flow): string {
  const key = `answer_${question.kind}_${String(value)}`
  const known = ['date_order', 'decimal_separator', 'percent_scale'].includes(question.kind)
  if (known) return sayOr(flow.page.say, key, label)
  if (value === null) return flow.page.say('answer_none')
  return flow.fieldAt(typeof value === 'string' ? value : null)?.label ?? label
}
