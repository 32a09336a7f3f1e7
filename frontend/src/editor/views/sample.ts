/** What the engine suggests for the columns of a sample file, to be changed before it is a draft. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Inferred, SampleColumn} from '../api/shapes.js'
import type {Desk} from '../desk.js'
import {fieldsOf, list, text, type Catalog, type Field} from '../model/catalog.js'
import {typeNames} from './field_form.js'
import {notice, select} from '../ui/pieces.js'

const WAIT_S = 10

/** What may be suggested of a column besides its type; each is taken or left. */
const RULES = ['required', 'unique', 'options', 'detectors'] as const
type Rule = (typeof RULES)[number]
/** Where the rules are in a field. */
const MEMBERS = {options: 'dropdownOptions', detectors: 'valueDetectors'} as const
const MANY_ROWS = 100 // from so many on, what a sample has in every row says something
const CLEARLY_TRUTH = /^(y|yes|n|no|t|f|true|false|j|ja|nein|oui|non|si|sí|0|1|x|wahr|falsch)$/i

export interface SampledColumn extends SampleColumn {
  takes: ReadonlySet<Rule>
}

export interface Sample {
  inferred: Inferred
  /** What the person made of each suggested column. */
  columns: SampledColumn[]
}

/** The rules that a sample suggests, and those of them that it proves: a small one proves little. Pure. */
export function cautious(column: SampleColumn, rows: number): SampledColumn {
  const isTruth = column.samples.every(sample => CLEARLY_TRUTH.test(sample.trim()))
  const columnType = column.columnType === 'boolean' && !isTruth ? 'string' : column.columnType
  const isProven: Record<Rule, boolean> = {
    required: rows >= MANY_ROWS || column.unique, unique: rows >= MANY_ROWS,
    options: countOf(column.options) * 4 <= rows, detectors: true,
  }
  return {...column, columnType, takes: new Set(suggestedOf(column).filter(rule => isProven[rule]))}
}

const suggestedOf = (column: SampleColumn): Rule[] =>
  RULES.filter(rule => rule === 'options' || rule === 'detectors' ? countOf(column[rule]) > 0 : column[rule])

export async function inferSample(desk: Desk, file: File): Promise<Sample> {
  let inferred = await desk.engine.infer(file)
  while (!inferred.suggestion && !inferred.problem && inferred.state !== 'cancelled') inferred = await desk.engine.inferred(inferred.recordId, WAIT_S)
  if (inferred.suggestion) desk.sampleId = inferred.recordId
  return {inferred, columns: inferred.suggestion?.columns.map(column => cautious(column, inferred.rows ?? 0)) ?? []}
}

/** The suggested catalog with what was changed and chosen in the table. */
export function ofSample(sample: Sample): Catalog {
  const suggested = sample.inferred.suggestion!
  const fields = fieldsOf(suggested.catalog.entries[0])
  const chosen = sample.columns.flatMap((column, place): Field[] => {
    const before = suggested.columns[place]!
    if (!column.selected) return []
    const found = fields.find(field => text(field.key) === before.key)
    const field: Field = {...(found ?? {key: column.key}), key: column.key, label: column.label, columnType: column.columnType}
    const names = list(field['alternativeMatches'])
    if (column.label !== column.column && !names.includes(column.column)) field['alternativeMatches'] = [column.column, ...names]
    // Options, detectors and the currency were read from the values as the suggested type.
    if (!column.takes.has('required')) delete field['required']
    if (!column.takes.has('unique')) delete field['validations']
    for (const rule of ['options', 'detectors'] as const) if (!column.takes.has(rule)) delete field[MEMBERS[rule]]
    if (field.columnType === 'category' && !column.takes.has('options')) field.columnType = 'string'
    if (column.columnType !== before.columnType) for (const member of ['dropdownOptions', 'valueDetectors', 'outputFormat']) delete field[member]
    return [field]
  })
  const [entry, ...rest] = suggested.catalog.entries
  return {...suggested.catalog, entries: [{...entry!, fields: chosen}, ...rest]}
}

export function sampleTable(desk: Desk, sample: Sample): TemplateResult {
  const {say} = desk
  const {columns} = sample
  const chosen = columns.filter(column => column.selected).length
  const rows = sample.inferred.rows ?? 0
  const change = (place: number, next: Partial<SampledColumn>): void => {
    columns[place] = {...columns[place]!, ...next}
    desk.requestUpdate()
  }
  const keys = columns.filter(column => column.selected).map(column => column.key)
  return html`${notice('accent', say('columns_found', {n: columns.length, chosen}))}
    <div class="scroll card" tabindex="0" role="group" aria-label=${say('columns')}><table class="sample"><thead><tr>
      <th scope="col"><input type="checkbox" aria-label=${say('all_columns')} .checked=${chosen === columns.length} .indeterminate=${chosen > 0 && chosen < columns.length}
        @change=${(event: Event) => columns.forEach((_, place) => change(place, {selected: (event.target as HTMLInputElement).checked}))}></th>
      <th scope="col">${say('column')}</th><th scope="col">${say('label')}</th><th scope="col">${say('key')}</th><th scope="col">${say('type')}</th><th scope="col">${say('seen')}</th><th scope="col">${say('suggested_rules')}</th></tr></thead>
      <tbody>${columns.map((column, place) => html`<tr class=${column.selected ? '' : 'faded'}>
        <td><input type="checkbox" .checked=${column.selected} aria-label=${column.column} @change=${(event: Event) => change(place, {selected: (event.target as HTMLInputElement).checked})}></td>
        <th scope="row"><bdi>${column.column}</bdi>${column.samples.length ? html`<span class="below clip">${column.samples.slice(0, 3).join(', ')}</span>` : nothing}</th>
        <td><input class="input" .value=${column.label} aria-label="${say('label')}: ${column.column}" @input=${(event: Event) => change(place, {label: (event.target as HTMLInputElement).value})}></td>
        <td><input class="input mono" .value=${column.key} aria-label="${say('key')}: ${column.column}" aria-invalid=${column.selected && (!column.key || keys.filter(key => key === column.key).length > 1) ? 'true' : nothing}
          @input=${(event: Event) => change(place, {key: (event.target as HTMLInputElement).value})}></td>
        <td>${select(typeNames(desk), column.columnType, columnType => change(place, {columnType}), {label: `${say('type')}: ${column.column}`})}</td>
        <td class="muted">${column.evidence.join(', ')}${column.agreed?.odd.length
          ? html`<span class="below clip">${column.agreed.odd.map(odd => `${odd.sourceRow + 1}: ${odd.text}`).join(', ')}</span>` : nothing}</td>
        <td><span class="stack tight">${suggestedOf(column).map(rule => html`<label class="check small"><input type="checkbox" .checked=${column.takes.has(rule)} aria-label="${named(rule, column, rows, say)}: ${column.column}"
          @change=${() => change(place, {takes: toggled(column.takes, rule)})}>${named(rule, column, rows, say)}</label>`)}</span></td></tr>`)}</tbody></table></div>`
}

function toggled(rules: ReadonlySet<Rule>, rule: Rule): Set<Rule> {
  const next = new Set(rules)
  if (!next.delete(rule)) next.add(rule)
  return next
}

/** A rule with what speaks for it. */
function named(rule: Rule, column: SampleColumn, rows: number, say: Desk['say']): string {
  if (rule === 'required') return say('required')
  if (rule === 'unique') return say('rule_unique')
  return rule === 'options' ? say('options_of', {n: countOf(column.options), rows}) : say('detector')
}

const countOf = (options: SampleColumn['options']): number => (Array.isArray(options) ? options.length : options ?? 0)
