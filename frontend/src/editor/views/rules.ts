/** The rules of a field, each as a sentence. */

import {html, nothing, type TemplateResult} from 'lit'

import {fieldsOf, list, nameOf, objects, separatorOf, text, type Json, type JsonObject, type Rule} from '../model/catalog.js'
import {moved, pointer, type Path} from '../model/tree.js'
import {chipsField, idOf, isOff, said, section, textField} from '../ui/form.js'
import {button, select, type Choice} from '../ui/pieces.js'
import type {WordKey} from '../words/words.js'
import type {FieldForm} from './field_form.js'
import {patternTester} from './pattern.js'

export const KINDS = [
  'required', 'unique', 'regex', 'compare',
  'required_with', 'required_with_all', 'required_without', 'required_without_all',
  'required_with_values', 'required_with_all_values', 'required_without_values', 'required_without_all_values',
  'reference_required', 'reference_exists', 'reference_unique',
] as const
const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const
const SIGNS: Record<string, string> = {eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤'}
/** What a new rule of a kind says first, and which members another kind has no use for. */
const FRESH: Record<string, JsonObject> = {
  regex: {regex: ''}, compare: {op: 'gte', value: 0},
  required_with: {columns: []}, required_with_all: {columns: []}, required_without: {columns: []}, required_without_all: {columns: []},
  required_with_values: {columnValues: {}}, required_with_all_values: {columnValues: {}},
  required_without_values: {columnValues: {}}, required_without_all_values: {columnValues: {}},
}
const KEPT = ['severity', 'errorMessage']

export function rules(form: FieldForm): TemplateResult {
  const {desk, draft, path} = form
  const {say} = desk
  const at = [...path, 'validations']
  const held = objects(draft.get(at)) as Rule[]
  const add = (): void => {
    const first: Rule = {validate: held.some(rule => rule.validate === 'required') || form.field['required'] === true ? 'unique' : 'required'}
    draft.change(draft.with(at, [...held, first]))
    desk.focus(`#${idOf([...at, held.length, 'validate'])}`)
  }
  return section(say('rules'), held.length, held.length
    ? html`<ol class="cards">${held.map((rule, place) => card(form, at, held, rule, place))}</ol>`
    : html`<p class="muted small">${say('no_rules')}</p>`, desk.mayEdit ? {text: say('rule'), act: add} : null)
}

function card(form: FieldForm, at: Path, held: Rule[], rule: Rule, place: number): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const here = [...at, place]
  const kinds: Choice[] = KINDS.map(kind => ({value: kind, text: say(`rule_${kind}` as WordKey)}))
  const become = (kind: string): void => {
    const kept = Object.fromEntries(Object.entries(rule).filter(([name]) => KEPT.includes(name)))
    const alike = Object.fromEntries(Object.keys(FRESH[kind] ?? {}).flatMap(name => (rule[name] === undefined ? [] : [[name, rule[name]]])))
    draft.set(here, {validate: kind, ...FRESH[kind], ...alike, ...kept} as JsonObject)
  }
  const change = (next: Json[]): void => draft.change(draft.with(at, next.length ? next : undefined))
  const own = draft.findings.under(pointer(here))
  return html`<li class="card rule">
    <div class="rule-line">
      <span class="kind">${select(kinds, text(rule.validate), become, {id: idOf([...here, 'validate']), label: say('rule_kind'), disabled: isOff(form)})}</span>
      <div class="sentence grow">${sentence(form, here, rule)}</div>
      <span class="severity">${select([{value: 'error', text: say('error')}, {value: 'warning', text: say('warning')}], text(rule['severity']) || 'error',
        value => draft.set([...here, 'severity'], value === 'error' ? undefined : value), {label: say('severity'), disabled: isOff(form)})}</span>
      ${desk.mayEdit ? html`<span class="row tight">
        ${place > 0 ? button('', () => { change(moved(held, place, place - 1)) }, {sign: 'raise', kind: 'quiet', small: true, label: say('move_up')}) : nothing}
        ${button('', () => { change(held.filter((_, at) => at !== place)); desk.announce(say('removed_undo', {name: say(`rule_${rule.validate}` as WordKey)})) }, {sign: 'bin', kind: 'quiet', small: true, label: say('remove_rule')})}</span>` : nothing}
    </div>
    ${textField(form, [...here, 'errorMessage'], {label: say('message'), isBare: true, placeholder: say('message_hint')})}
    ${rule.validate === 'regex' ? patternTester(form, text(rule['regex']), '', idOf(here)) : nothing}
    ${said(own.filter(finding => !/\/(regex|errorMessage|columns)(\/|$)/.test(finding.pointer.slice(pointer(here).length))), idOf(here))}
  </li>`
}

/** The fields that a rule may look at: of its entry by key, of others by path. */
export function columnChoices(form: FieldForm): Choice[] {
  const {draft, place, field} = form
  const separator = separatorOf(draft.document)
  return draft.document.entries.flatMap((entry, e) => fieldsOf(entry).filter(item => item !== field).map(field => e === place.entry
    ? {value: text(field.key), text: nameOf(field)}
    : {value: `${text(entry.id)}${separator}${text(field.key)}`, text: `${text(entry['label']) || text(entry.id)}: ${nameOf(field)}`}))
}

function sentence(form: FieldForm, here: Path, rule: Rule): TemplateResult {
  const {say} = form.desk
  const kind = text(rule.validate)
  if (kind === 'regex') return textField(form, [...here, 'regex'], {label: say('pattern'), isBare: true, mono: true, keepEmpty: true, placeholder: '^[A-Z]{2}[0-9]+$'})
  if (kind === 'compare') return comparison(form, here, rule)
  if (kind.endsWith('_values')) return conditions(form, here, rule)
  if (kind === 'unique' || (kind.startsWith('required_with') && !kind.endsWith('_values'))) {
    return html`<span>${say(`says_${kind}` as WordKey)}</span>${chipsField(form, [...here, 'columns'], {
      label: say('columns'), isBare: true, choices: columnChoices(form), placeholder: say('choose_field'), keepEmpty: kind !== 'unique'})}`
  }
  return html`<span class="muted">${say(`says_${kind}` as WordKey)}</span>`
}

function conditions(form: FieldForm, here: Path, rule: Rule): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const at = [...here, 'columnValues']
  const held = rule['columnValues']
  const pairs = Object.entries(typeof held === 'object' && held !== null && !Array.isArray(held) ? held : {})
  const choices = columnChoices(form)
  const write = (next: [string, Json][]): void => draft.set(at, Object.fromEntries(next) as JsonObject)
  return html`<span>${say(`says_${text(rule.validate)}` as WordKey)}</span>
    ${pairs.map(([column], place) => html`<div class="condition">
      ${select(choices, column, value => write(pairs.map((pair, at) => (at === place ? [value, pair[1]] : pair))), {label: say('field'), disabled: isOff(form)})}
      <span>${say('is')}</span>
      ${chipsField(form, [...at, column], {label: say('values'), isBare: true, keepEmpty: true, suggestions: valuesOf(form, column), placeholder: say('value')})}
      ${desk.mayEdit ? button('', () => write(pairs.filter((_, at) => at !== place)), {sign: 'close', kind: 'quiet', small: true, label: say('remove_condition')}) : nothing}
    </div>`)}
    ${desk.mayEdit ? select([{value: '', text: pairs.length ? say('and_field') : say('choose_field')}, ...choices.filter(choice => !pairs.some(([name]) => name === choice.value))], '',
      value => { if (value) write([...pairs, [value, []]]) }, {label: say('choose_field')}) : nothing}`
}

/** The options of another field, as values to choose from. */
function valuesOf(form: FieldForm, column: string): string[] {
  const {draft, entry} = form
  const separator = separatorOf(draft.document)
  const found = fieldsOf(entry).find(field => text(field.key) === column)
    ?? draft.document.entries.flatMap(entry => fieldsOf(entry).filter(each => `${text(entry.id)}${separator}${text(each.key)}` === column))[0]
  return objects(found?.['dropdownOptions']).map(option => text(option['value'])).slice(0, 100)
}

function comparison(form: FieldForm, here: Path, rule: Rule): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const against = rule['column'] !== undefined ? 'column' : rule['fn'] !== undefined || rule['columns'] !== undefined ? text(rule['fn']) || 'sum' : 'value'
  const turn = (to: string): void => {
    const kept = Object.fromEntries(Object.entries(rule).filter(([name]) => !['column', 'value', 'columns', 'fn'].includes(name)))
    const first = columnChoices(form)[0]?.value ?? ''
    const fresh: JsonObject = to === 'value' ? {value: 0} : to === 'column' ? {column: first} : {columns: list(rule['columns']), fn: to}
    draft.set(here, {...kept, ...fresh} as JsonObject)
  }
  return html`<span class="short">${select(OPERATORS.map(op => ({value: op, text: `${SIGNS[op]}  ${say(`op_${op}`)}`})), text(rule['op']) || 'eq', op => draft.set([...here, 'op'], op), {label: say('operator'), disabled: isOff(form)})}</span>
    <span class="short">${select([
      {value: 'value', text: say('against_value')}, {value: 'column', text: say('against_column')}, {value: 'sum', text: say('against_sum')}, {value: 'product', text: say('against_product')},
    ], against, turn, {label: say('against'), disabled: isOff(form)})}</span>
    ${against === 'column' ? select(columnChoices(form), text(rule['column']), value => draft.set([...here, 'column'], value), {label: say('field'), disabled: isOff(form)})
      : against === 'value' ? textField(form, [...here, 'value'], {label: say('value'), isBare: true, typed: value => draft.set([...here, 'value'], scalar(value))})
      : chipsField(form, [...here, 'columns'], {label: say('columns'), isBare: true, choices: columnChoices(form), placeholder: say('choose_field'), keepEmpty: true})}`
}

/** A number where the text is one as JSON writes it, the text itself otherwise. */
export function scalar(typed: string): Json {
  return /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(typed) && Number.isSafeInteger(Math.trunc(Number(typed))) && !(typed === '-0') ? Number(typed) : typed
}
