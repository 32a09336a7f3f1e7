/** Options from the cells of a spreadsheet. */

import {readTsv} from '../../grid/tsv.js'
import type {JsonObject} from './catalog.js'

const HEADERS = /^(label|value|wert|text|name|code|option|libellé|valeur|etiqueta|valor)$/i
const APART = /\s*[;|]\s*/

export type OptionType = 'string' | 'int' | 'float'

/** The columns are label, value, other names (with ; between) and description; a value left out is the label. */
export function pastedOptions(source: string, type: OptionType): JsonObject[] {
  const rows = readTsv(source).map(row => row.map(cell => cell.trim())).filter(row => row.some(Boolean))
  const first = rows[0]
  if (first && rows.length > 1 && first.filter(Boolean).every(cell => HEADERS.test(cell) || cell.length === 0)) rows.shift()
  return rows.map(([label = '', value = '', names = '', description = '']) => ({
    label: label || value,
    type,
    value: valueOf(value || label, type),
    ...(names ? {alternativeMatches: names.split(APART).filter(Boolean)} : {}),
    ...(description ? {description} : {}),
  }))
}

/** A value as its type writes it; what is not a number stays a text, and the engine says so. */
export function valueOf(typed: string, type: OptionType): string | number {
  if (type === 'string' || typed.trim() === '') return typed
  const number = Number(typed.includes('.') ? typed : typed.replace(',', '.'))
  return Number.isFinite(number) && (type === 'float' || Number.isSafeInteger(number)) ? number : typed
}
