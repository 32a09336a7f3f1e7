/** The options of a field: a table to write in, and a place to paste cells of a spreadsheet. */

import {html, nothing, type TemplateResult} from 'lit'
import {guard} from 'lit/directives/guard.js'
import {live} from 'lit/directives/live.js'

import {list, objects, text, typeOf, type Json, type JsonObject} from '../model/catalog.js'
import {pastedOptions, valueOf, type OptionType} from '../model/options.js'
import {pointer, type Path} from '../model/tree.js'
import {choiceField, found, idOf, isOff, said, section, toggle} from '../ui/form.js'
import {button, select} from '../ui/pieces.js'
import type {FieldForm} from './field_form.js'

const SHOWN = 100
const APART = /\s*[;|]\s*/

/** What is open, by the place it belongs to; no part of the catalog. */
const open = {pasting: '', all: '', more: ''}

export function options(form: FieldForm): TemplateResult {
  const {desk, draft, path, field} = form
  const {say} = desk
  const at = [...path, 'dropdownOptions']
  const held = objects(draft.get(at))
  const here = `${draft.key}${pointer(at)}`
  const type = (text(held[0]?.['type']) || 'string') as OptionType
  const write = (next: readonly JsonObject[]): void => draft.change(draft.with(at, next.length ? [...next] : undefined))
  const add = (): void => {
    write([...held, {label: '', type, value: ''}])
    open.all = here
    desk.focus(`#${idOf([...at, held.length, 'label'])}`)
  }
  const shown = open.all === here ? held : held.slice(0, SHOWN)
  return section(say('options'), held.length, html`
    ${held.length || typeOf(field) === 'category' ? nothing : html`<p class="muted small">${say('no_options')}</p>`}
    ${said(draft.findings.at(pointer(at)), idOf(at))}
    ${held.length ? html`<div class="scroll"><table class="options"><thead><tr>
        <th scope="col">${say('option_label')}</th><th scope="col">${say('option_value')}</th><th scope="col">${say('option_type')}</th>
        <th scope="col">${say('option_names')}</th><th scope="col">${say('description')}</th><th scope="col"><span class="hidden-text">${say('remove_option')}</span></th></tr></thead>
      <tbody>${shown.map((option, place) => guard([option, place, found(form, [...at, place]), open.more, desk.mayEdit, say, held.length],
        () => row(form, [...at, place], option, () => write(held.filter((_, at) => at !== place)))))}</tbody></table></div>` : nothing}
    ${shown.length < held.length ? button(say('all_options', {n: held.length}), () => { open.all = here; desk.requestUpdate() }, {kind: 'link', small: true}) : nothing}
    ${desk.mayEdit && (held.length || typeOf(field) === 'category') ? html`<div class="row">${button(say('paste_options'), () => { open.pasting = open.pasting === here ? '' : here; desk.requestUpdate(); desk.focus('.pasting') }, {sign: 'clipboard', small: true, expanded: open.pasting === here})}</div>` : nothing}
    ${open.pasting === here ? html`<div class="control"><label class="label" for="pasting">${say('paste_options_hint')}</label>
      <textarea class="input mono pasting" id="pasting" rows="3" @input=${(event: Event) => {
        const area = event.target as HTMLTextAreaElement
        const pasted = pastedOptions(area.value, type)
        if (!pasted.length || !/[\n\t]/.test(area.value)) return
        open.pasting = ''
        write([...held.filter(item => text(item['label']) || text(item['value'])), ...pasted])
        desk.announce(say('options_added', {n: pasted.length}))
      }}></textarea></div>` : nothing}
    ${held.length ? html`<div class="three">
      ${choiceField(form, [...path, 'optionMappingMode'], [{value: 'smart', text: say('options_smart')}, {value: 'exact', text: say('options_exact')}], {label: say('options_mode')})}
      <div class="toggles low">${toggle(form, [...path, 'allowCustomOptions'], say('options_custom'))}</div></div>` : nothing}
  `, desk.mayEdit ? {text: say('option'), act: add} : null)
}

function row(form: FieldForm, at: Path, option: JsonObject, remove: () => void): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const type = (text(option['type']) || 'string') as OptionType
  const name = text(option['label']) || text(option['value'])
  const findings = found(form, at)
  const conditions = objects(option['validations'])
  const isOpen = open.more === pointer(at)
  const cell = (member: string, label: string, value: string, typed: (value: string) => void, mono = false): TemplateResult =>
    html`<td><input class="input ${mono ? 'mono' : ''}" id=${idOf([...at, member])} aria-label="${label}: ${name}" .value=${live(value)} ?readonly=${isOff(form)}
      aria-invalid=${found(form, [...at, member]).length ? 'true' : nothing} @input=${(event: Event) => typed((event.target as HTMLInputElement).value)}></td>`
  const put = (member: string, value: Json | undefined): void => draft.set([...at, member], value)
  const relabel = (label: string): void => {
    const follows = type === 'string' && text(option['value']) === text(option['label'])
    draft.change(draft.with(at, {...option, label, ...(follows ? {value: label} : {})}), [...at, 'label'].join('/'))
  }
  return html`<tr>
      ${cell('label', say('option_label'), text(option['label']), relabel)}
      ${cell('value', say('option_value'), text(option['value']), value => put('value', valueOf(value, type)), true)}
      <td class="narrow">${select([{value: 'string', text: say('kind_string')}, {value: 'int', text: say('kind_int')}, {value: 'float', text: say('kind_float')}], type,
        next => draft.set(at, {...option, type: next, value: valueOf(text(option['value']), next as OptionType)}), {label: `${say('option_type')}: ${name}`, disabled: isOff(form)})}</td>
      <td><input class="input" aria-label="${say('option_names')}: ${name}" .value=${live(list(option['alternativeMatches']).map(text).join('; '))} ?readonly=${isOff(form)} placeholder="a; b"
        @change=${(event: Event) => {
          const wanted = (event.target as HTMLInputElement).value.split(APART).map(item => item.trim()).filter(Boolean)
          put('alternativeMatches', wanted.length ? wanted : undefined)
        }}></td>
      ${cell('description', say('description'), text(option['description']), value => put('description', value || undefined))}
      <td class="narrow"><span class="row tight">${button(conditions.length || '', () => { open.more = isOpen ? '' : pointer(at); desk.requestUpdate() }, {sign: 'link', kind: 'quiet', small: true, label: say('conditions_of', {name}), expanded: isOpen})}
        ${desk.mayEdit ? button('', remove, {sign: 'close', kind: 'quiet', small: true, label: `${say('remove_option')}: ${name}`}) : nothing}</span></td>
    </tr>
    ${isOpen ? html`<tr><td colspan="6">${conditionText(form, at, conditions)}</td></tr>` : nothing}
    ${findings.length ? html`<tr><td colspan="6">${said(findings, idOf(at))}</td></tr>` : nothing}`
}

/** What must hold in the row when the option is chosen: a condition nests, so it is written as JSON. */
function conditionText(form: FieldForm, at: Path, held: JsonObject[]): TemplateResult {
  const {desk, draft} = form
  const id = idOf([...at, 'validations'])
  return html`<div class="control"><label class="label" for=${id}>${desk.say('conditions')}</label>
    <textarea class="input mono" rows="3" id=${id} spellcheck="false" ?readonly=${isOff(form)} placeholder='[{"validate": {"paid_on": {"filled": true}}}]'
      .value=${held.length ? JSON.stringify(held, null, 1) : ''} @change=${(event: Event) => {
        const area = event.target as HTMLTextAreaElement
        area.setCustomValidity('')
        if (!area.value.trim()) return draft.set([...at, 'validations'], undefined)
        try {
          draft.set([...at, 'validations'], JSON.parse(area.value) as Json)
        } catch {
          area.setCustomValidity(desk.say('no_json'))
          area.reportValidity()
        }
      }}></textarea><p class="hint">${desk.say('conditions_hint')}</p></div>`
}
