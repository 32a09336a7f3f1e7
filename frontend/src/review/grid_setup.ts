/** The columns and the sentences of the grid. */

import type {Flow} from '../flow/flow.js'
import {mayEdit} from '../flow/moves.js'
import type {GridColumn, GridLabels} from '../grid/types.js'
import type {MessageKey, Say} from '../messages/catalogue.js'
import {few} from '../ui/few.js'

const NUMERIC = /^(int|float|percentage|currency_eur|currency_usd)$/

/** One column per field that a person sees: those that are fed first, in the order of the catalog. */
export function gridColumns(flow: Flow): GridColumn[] {
  return flow.fields.filter(field => !field.hidden).map(field => ({
    key: field.path,
    label: withCurrency(field),
    type: field.columnType,
    required: field.required ?? false,
    readOnly: !mayEdit(flow, field.path),
    numeric: NUMERIC.test(field.columnType),
    ...(field.dropdownOptions?.length && !field.isMultiSelect ? {options: field.dropdownOptions.map(({label}) => label), isOpen: field.allowCustomOptions ?? false} : {}),
    ...(field.example ? {example: field.example} : {}),
  }))
}

const MOST_NAMED = 6

/** Which options a field takes, in a sentence; empty where it takes other texts, too. */
export function optionsSaid(flow: Flow, path: string | null): string {
  const {dropdownOptions: options, allowCustomOptions} = flow.fieldAt(path) ?? {}
  if (!options?.length || allowCustomOptions) return ''
  const value = few(options.map(({label}) => label), MOST_NAMED, flow.page, 'disjunction')
  return `${flow.page.say('suggestion', {value})}.`
}

const CODE = /^(?:([A-Z]{3})(?: [^A-Z]+)?|[^A-Z]+ ([A-Z]{3}))$/

/** The name of a field; amounts in a stated currency say which, unless the name does. */
export function withCurrency({label, columnType, outputFormat}: {label: string; columnType: string; outputFormat?: string | null}): string {
  const [, before, after] = columnType === 'float' && outputFormat ? CODE.exec(outputFormat) ?? [] : []
  const code = before ?? after
  return code && !label.includes(code) ? `${label} (${code})` : label
}

const KEYS = [
  'grid', 'row', 'rowNumber', 'loading', 'rowsLoaded', 'required', 'excluded', 'edit', 'save', 'saveNext', 'clear',
  'leaveOut', 'putBack', 'close', 'example', 'previousError', 'nextError', 'errorOf', 'noErrors', 'noRows', 'error', 'warning', 'selected',
  'sortUp', 'sortDown', 'onlyErrors', 'columnMenu', 'copied', 'pasted', 'notPasted', 'tooLarge', 'clipboardRefused', 'columnWidth',
] as const satisfies readonly (keyof GridLabels)[]

const made = {leaving: new WeakMap<Say, GridLabels>(), keeping: new WeakMap<Say, GridLabels>()}

/** The sentences, one object per language: a new one would be a change to the grid. What may not be done has none. */
export function gridLabels(say: Say, mayLeaveOut = true): GridLabels {
  const kept = mayLeaveOut ? made.leaving : made.keeping
  const known = kept.get(say)
  if (known) return known
  const labels = Object.fromEntries(KEYS.map(key => [key, say(`grid_${key}` satisfies MessageKey)])) as unknown as GridLabels
  if (!mayLeaveOut) labels.leaveOut = ''
  kept.set(say, labels)
  return labels
}
