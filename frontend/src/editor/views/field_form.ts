/** One field: every member of it, each with what the engine found there. */

import {html, nothing, type TemplateResult} from 'lit'

import {fieldsOf, free, list, nameOf, separatorOf, slug, text, typeOf, type Entry, type Field} from '../model/catalog.js'
import {addField, moveField, removeField, type Place} from '../model/reorder.js'
import type {Path} from '../model/tree.js'
import {TYPE_GROUPS, aboutType, currencyOf, formatsOf, isNumber, withCurrency} from '../model/types.js'
import {choiceField, found, idOf, isOff, numberField, said, saidHere, section, textField, toggle, type Form} from '../ui/form.js'
import {sign} from '../ui/icons.js'
import {button, select} from '../ui/pieces.js'
import type {WordKey} from '../words/words.js'
import {detectors} from './detectors.js'
import {names} from './names.js'
import {options} from './options.js'
import {reference} from './reference.js'
import {rules} from './rules.js'

export interface FieldForm extends Form {
  readonly place: Place
  readonly path: Path
  readonly entry: Entry
  readonly field: Field
  /** Hosts know the key already, so it stays. */
  readonly isLocked: boolean
}

/** The choices of the column types in their groups; each says a text that it takes. */
export const typeChoices = (form: Form): {group: string; choices: {value: string; text: string}[]}[] =>
  Object.entries(TYPE_GROUPS).map(([group, types]) => ({
    group: form.desk.say(`group_${group}` as WordKey),
    choices: types.map(type => ({value: type.name, text: `${form.desk.say(`type_${type.name}` as WordKey)} · ${type.takes[0]}`})),
  }))

export const typeNames = (desk: Form['desk']): {group: string; choices: {value: string; text: string}[]}[] =>
  Object.entries(TYPE_GROUPS).map(([group, types]) => ({
    group: desk.say(`group_${group}` as WordKey),
    choices: types.map(type => ({value: type.name, text: desk.say(`type_${type.name}` as WordKey)})),
  }))

export function fieldForm(form: FieldForm, select: (place: Place | null) => void): TemplateResult {
  const {desk, draft, path, field} = form
  const {say} = desk
  const at = (member: string): Path => [...path, member]
  const type = typeOf(field)
  const hasOptions = list(field['dropdownOptions']).length > 0
  /** A member that has no effect on such a field is shown only where it is set, to be removed. */
  const applies = (member: string, does: boolean): boolean => does || draft.get(at(member)) !== undefined
  return html`<div class="detail" role="region" aria-label=${nameOf(field) || say('unnamed')}>
    ${heading(form, select)}
    ${saidHere(form, path)}
    <div class="two">
      ${textField(form, at('label'), {label: say('label'), typed: value => typedLabel(form, value)})}
      ${keyField(form)}
      ${typeField(form, type)}
      ${textField(form, at('example'), {label: say('example'), placeholder: aboutType(type)?.takes[0] ?? ''})}
    </div>
    <div class="toggles">
      ${toggle(form, at('required'), say('required'), {hint: say('required_hint')})}
      ${applies('isMultiSelect', hasOptions) ? toggle(form, at('isMultiSelect'), say('multiple'), {hint: say('multiple_hint')}) : nothing}
      ${toggle(form, at('hidden'), say('hidden'), {hint: say('hidden_hint')})}
      ${toggle(form, at('disabled'), say('disabled'), {hint: say('disabled_hint')})}
      ${toggle(form, at('readOnly'), say('read_only'), {hint: say('read_only_hint')})}
      ${toggle(form, at('scope'), say('once'), {on: 'document', hint: say('once_hint')})}
    </div>
    ${textField(form, at('description'), {label: say('description'), multiline: true})}
    ${names(form)}
    ${rules(form)}
    ${options(form)}
    ${detectors(form)}
    ${reference(form)}
    ${section(say('format'), null, html`<div class="three">
      ${numberField(form, at('columnSize'), {label: say('column_size'), min: 1, unit: say('characters')})}
      ${applies('numberFormat', isNumber(type)) ? choiceField(form, at('numberFormat'), [
        {value: '', text: say('number_auto')}, {value: 'eu', text: '1.234,56'}, {value: 'us', text: '1,234.56'},
      ], {label: say('number_format')}) : nothing}
      ${type === 'float' ? currencyField(form) : nothing}
      ${!applies('outputFormat', !hasOptions) ? nothing : textField(form, at('outputFormat'), {label: say('output_format'), mono: true, suggestions: formatsOf(type), placeholder: formatsOf(type)[0] ?? '', hint: say('output_format_hint')})}
    </div>`)}
  </div>`
}

function heading(form: FieldForm, choose: (place: Place | null) => void): TemplateResult {
  const {desk, draft, place, field, entry} = form
  const {say} = desk
  const count = fieldsOf(entry).length
  const jump = (event: Event): void => {
    const wanted = (event.target as HTMLInputElement).valueAsNumber
    if (Number.isNaN(wanted)) return
    const {catalog, place: now} = moveField(draft.document, place, {entry: place.entry, field: wanted - 1})
    draft.change(catalog)
    choose(now)
    desk.announce(say('moved_to', {name: nameOf(field), place: now.field + 1, count}))
  }
  const duplicate = (): void => {
    const key = free(text(field.key), new Set(fieldsOf(entry).map(field => text(field.key))))
    const next = {entry: place.entry, field: place.field + 1}
    draft.change(addField(draft.document, next, {...field, key}))
    choose(next)
    desk.focus(`#${idOf([...form.path.slice(0, -1), next.field, 'label'])}`)
  }
  const remove = (): void => {
    draft.change(removeField(draft.document, place))
    choose(count > 1 ? {entry: place.entry, field: Math.min(place.field, count - 2)} : null)
    desk.announce(say('removed_undo', {name: nameOf(field)}))
    desk.focus('.field-row.selected .field-main, .add-field')
  }
  return html`<div class="detail-head">
    <button type="button" class="button quiet small only-narrow" @click=${() => { choose(null); desk.focus('.field-main') }}>${sign('back')}${say('fields')}</button>
    <h2 class="grow clip"><bdi>${nameOf(field) || say('unnamed')}</bdi></h2>
    ${desk.mayEdit ? html`
      <label class="position"><span class="small muted">${say('position')}</span><input class="input number" type="number" min="1" max=${count} .value=${String(place.field + 1)} @change=${jump}><span class="small muted">${say('of_n', {count})}</span></label>
      ${draft.document.entries.length > 1 ? select(draft.document.entries.map((entry, at) => ({value: String(at), text: text(entry['label']) || text(entry.id)})), String(place.entry), value => {
        const {catalog, place: now} = moveField(draft.document, place, {entry: Number(value), field: 1e6})
        draft.change(catalog)
        choose(now)
      }, {label: say('entity'), disabled: form.isLocked}) : nothing}
      ${button('', duplicate, {sign: 'copy', kind: 'quiet', small: true, label: say('duplicate_field')})}
      ${button('', remove, {sign: 'bin', kind: 'quiet', small: true, label: say('remove_field')})}` : nothing}
  </div>`
}

/** The key follows the label until it is edited itself. */
function typedLabel(form: FieldForm, label: string): void {
  const {draft, field, path, isLocked} = form
  const follows = !isLocked && (text(field.key) === '' || text(field.key) === keyFor(form, text(field['label'])) || /^field(_\d+)?$/.test(text(field.key)))
  const next: Field = {...field, label}
  if (!label) delete next['label']
  if (follows && slug(label)) next.key = keyFor(form, label)
  draft.change(draft.with(path, next), [...path, 'label'].join('/'))
}

function keyFor(form: FieldForm, label: string): string {
  const others = fieldsOf(form.entry).filter(field => field !== form.field).map(field => text(field.key))
  return free(slug(label), new Set(others))
}

function keyField(form: FieldForm): TemplateResult {
  const {desk, draft, path, entry, isLocked} = form
  const {say} = desk
  const whole = `${text(entry.id)}${separatorOf(draft.document)}`
  return textField(form, [...path, 'key'], {
    label: say('key'), mono: true, keepEmpty: true, disabled: isLocked,
    aside: isLocked ? html`<span class="small muted">${sign('lock')}</span>` : nothing,
    hint: isLocked ? say('key_locked', {version: draft.base?.version ?? ''}) : say('key_hint', {path: `${whole}${text(form.field.key)}`}),
  })
}

function typeField(form: FieldForm, type: string): TemplateResult {
  const {desk, draft, path} = form
  const at = [...path, 'columnType']
  const id = idOf(at)
  const findings = found(form, at)
  const about = aboutType(type)
  return html`<div class="control"><label class="label" for=${id}>${desk.say('type')}</label>
    ${select(typeChoices(form), type, value => draft.set(at, value === 'string' ? undefined : value), {id, disabled: isOff(form), invalid: findings.length > 0, describedBy: `${id}-hint`})}
    <p class="hint" id="${id}-hint"><code>${type}</code>${about ? html` · ${desk.say('takes')} ${about.takes.map((take, at) => html`${at ? ', ' : ''}<code>${take}</code>`)} → <code>${about.gives}</code>` : nothing}</p>
    ${said(findings, id)}</div>`
}

/** The currency of a number; anything but three letters is left alone. */
function currencyField(form: FieldForm): TemplateResult {
  const {desk, draft, path} = form
  const at = [...path, 'outputFormat']
  const id = `${idOf(at)}-currency`
  const format = text(draft.get(at))
  const typed = (event: Event): void => {
    const code = (event.target as HTMLInputElement).value.trim().toUpperCase()
    if (!/^([A-Z]{3})?$/.test(code)) return
    draft.set(at, withCurrency(format, code) || undefined)
  }
  return html`<div class="control"><div class="label-row"><label class="label" for=${id}>${desk.say('currency')}</label></div>
    <input class="input mono" id=${id} .value=${currencyOf(format)} ?readonly=${isOff(form)} autocomplete="off" spellcheck="false" maxlength="3" placeholder="CHF"
      list="${id}-list" aria-describedby="${id}-hint" @change=${typed}>
    <datalist id="${id}-list">${CURRENCIES.map(code => html`<option value=${code}></option>`)}</datalist>
    <p class="hint" id="${id}-hint">${desk.say('currency_hint')}</p></div>`
}

const CURRENCIES = ['CHF', 'GBP', 'JPY', 'CNY', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'HUF', 'CAD', 'AUD', 'INR', 'BRL', 'MXN', 'TRY', 'ZAR']
