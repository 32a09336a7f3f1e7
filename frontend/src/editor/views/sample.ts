/** What the engine suggests for the columns of a sample file, to be changed before it is a draft. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Inferred, SampleColumn} from '../api/shapes.js'
import type {Desk} from '../desk.js'
import {fieldsOf, list, text, type Catalog, type Field} from '../model/catalog.js'
import {typeNames} from './field_form.js'
import {notice, select, tag} from '../ui/pieces.js'

const WAIT_S = 10

export interface Sample {
  inferred: Inferred
  /** What the person made of each suggested column. */
  columns: SampleColumn[]
}

export async function inferSample(desk: Desk, file: File): Promise<Sample> {
  let inferred = await desk.engine.infer(file)
  while (!inferred.suggestion && !inferred.problem && inferred.state !== 'cancelled') inferred = await desk.engine.inferred(inferred.recordId, WAIT_S)
  if (inferred.suggestion) desk.sampleId = inferred.recordId
  return {inferred, columns: inferred.suggestion?.columns.map(one => ({...one})) ?? []}
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
    if (column.columnType !== before.columnType) for (const member of ['dropdownOptions', 'valueDetectors', 'outputFormat']) delete field[member]
    return [field]
  })
  const [entry, ...rest] = suggested.catalog.entries
  return {...suggested.catalog, entries: [{...entry!, fields: chosen}, ...rest]}
}

export function sampleTable(desk: Desk, sample: Sample): TemplateResult {
  const {say} = desk
  const {columns} = sample
  const chosen = columns.filter(one => one.selected).length
  const change = (place: number, next: Partial<SampleColumn>): void => {
    columns[place] = {...columns[place]!, ...next}
    desk.requestUpdate()
  }
  const keys = columns.filter(one => one.selected).map(one => one.key)
  return html`${notice('accent', say('columns_found', {n: columns.length, chosen}))}
    <div class="scroll card" tabindex="0" role="group" aria-label=${say('columns')}><table class="sample"><thead><tr>
      <th scope="col"><input type="checkbox" aria-label=${say('all_columns')} .checked=${chosen === columns.length} .indeterminate=${chosen > 0 && chosen < columns.length}
        @change=${(event: Event) => columns.forEach((_, place) => change(place, {selected: (event.target as HTMLInputElement).checked}))}></th>
      <th scope="col">${say('column')}</th><th scope="col">${say('label')}</th><th scope="col">${say('key')}</th><th scope="col">${say('type')}</th><th scope="col">${say('seen')}</th><th scope="col">${say('suggested_rules')}</th></tr></thead>
      <tbody>${columns.map((one, place) => html`<tr class=${one.selected ? '' : 'faded'}>
        <td><input type="checkbox" .checked=${one.selected} aria-label=${one.column} @change=${(event: Event) => change(place, {selected: (event.target as HTMLInputElement).checked})}></td>
        <th scope="row"><bdi>${one.column}</bdi>${one.samples.length ? html`<span class="below clip">${one.samples.slice(0, 3).join(', ')}</span>` : nothing}</th>
        <td><input class="input" .value=${one.label} aria-label="${say('label')}: ${one.column}" @input=${(event: Event) => change(place, {label: (event.target as HTMLInputElement).value})}></td>
        <td><input class="input mono" .value=${one.key} aria-label="${say('key')}: ${one.column}" aria-invalid=${one.selected && (!one.key || keys.filter(key => key === one.key).length > 1) ? 'true' : nothing}
          @input=${(event: Event) => change(place, {key: (event.target as HTMLInputElement).value})}></td>
        <td>${select(typeNames(desk), one.columnType, columnType => change(place, {columnType}), {label: `${say('type')}: ${one.column}`})}</td>
        <td class="muted">${one.evidence.join(', ')}${one.agreed?.odd.length
          ? html`<span class="below clip">${one.agreed.odd.map(odd => `${odd.sourceRow + 1}: ${odd.text}`).join(', ')}</span>` : nothing}</td>
        <td><span class="row tight wrap">${one.required ? tag(say('required')) : nothing}${one.unique ? tag(say('rule_unique')) : nothing}
          ${countOf(one.options) ? tag(say('options_n', {n: countOf(one.options)})) : nothing}${one.detectors.length ? tag(say('detector')) : nothing}</span></td></tr>`)}</tbody></table></div>`
}

const countOf = (options: SampleColumn['options']): number => (Array.isArray(options) ? options.length : options ?? 0)
