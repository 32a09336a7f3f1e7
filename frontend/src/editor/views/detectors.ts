/** How a column is recognised by its values, with what a sample says about each way. */

import {html, nothing, type TemplateResult} from 'lit'

import {objects, text, typeOf, type Json, type JsonObject} from '../model/catalog.js'
import type {Path} from '../model/tree.js'
import {choiceField, chipsField, idOf, isOff, numberField, saidHere, section, textField, toggle} from '../ui/form.js'
import {button, select} from '../ui/pieces.js'
import {typeChoices, type FieldForm} from './field_form.js'
import {hitRate, sampleChooser} from './hit_rate.js'
import {patternTester} from './pattern.js'

const FRESH: Record<string, (form: FieldForm) => JsonObject> = {
  builtin: form => ({name: typeOf(form.field)}),
  regex: () => ({pattern: ''}),
  oneOf: () => ({values: []}),
}

export function detectors(form: FieldForm): TemplateResult {
  const {desk, draft, path} = form
  const {say} = desk
  const at = [...path, 'valueDetectors']
  const held = objects(draft.get(at))
  const write = (next: Json[]): void => draft.change(draft.with(at, next.length ? next : undefined))
  const add = (): void => {
    write([...held, {kind: 'builtin', ...FRESH['builtin']!(form), minRatio: 0.8}])
    desk.focus(`#${idOf([...at, held.length, 'kind'])}`)
  }
  return section(say('detectors'), held.length, html`
    ${held.length ? html`<ol class="cards">${held.map((detector, place) => card(form, [...at, place], detector, () => write(held.filter((_, each) => each !== place))))}</ol>
      ${sampleChooser(form)}` : html`<p class="muted small">${say('no_detectors')}</p>`}
  `, desk.mayEdit ? {text: say('detector'), act: add} : null)
}

function card(form: FieldForm, at: Path, detector: JsonObject, remove: () => void): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const kind = text(detector['kind'])
  const become = (next: string): void => {
    const kept = Object.fromEntries(['minRatio', 'weight'].flatMap(name => (detector[name] === undefined ? [] : [[name, detector[name]]])))
    draft.set(at, {kind: next, ...FRESH[next]?.(form), ...kept} as JsonObject)
  }
  return html`<li class="card rule">
    <div class="rule-line">
      <span class="kind">${select([{value: 'builtin', text: say('detector_builtin')}, {value: 'regex', text: say('detector_regex')}, {value: 'oneOf', text: say('detector_oneOf')}], kind, become, {id: idOf([...at, 'kind']), label: say('detector_kind'), disabled: isOff(form)})}</span>
      <div class="sentence grow">${kind === 'builtin' ? select(typeChoices(form), text(detector['name']), value => draft.set([...at, 'name'], value), {label: say('type'), disabled: isOff(form)})
        : kind === 'regex' ? html`${textField(form, [...at, 'pattern'], {label: say('pattern'), isBare: true, mono: true, keepEmpty: true, placeholder: '^A-\\d+$'})}
            <span class="short">${choiceField(form, [...at, 'flags'], [{value: '', text: say('case_matters')}, {value: 'i', text: say('case_any')}], {label: say('flags'), isBare: true})}</span>`
        : chipsField(form, [...at, 'values'], {label: say('values'), isBare: true, keepEmpty: true})}</div>
      <span class="ratio">${say('at_least')} ${numberField(form, [...at, 'minRatio'], {label: say('min_ratio'), isBare: true, percent: true, min: 0, max: 100, placeholder: '80', unit: '%'})} ${say('of_values')}</span>
      ${desk.mayEdit ? button('', remove, {sign: 'bin', kind: 'quiet', small: true, label: say('remove_detector')}) : nothing}
    </div>
    <div class="rule-line">
      <span class="ratio">${say('weight')} ${numberField(form, [...at, 'weight'], {label: say('weight'), isBare: true, min: 0, max: 100})}</span>
      ${kind === 'oneOf' ? toggle(form, [...at, 'caseInsensitive'], say('case_any')) : nothing}
      <span class="grow"></span>${hitRate(form, detector)}
    </div>
    ${kind === 'regex' ? patternTester(form, text(detector['pattern']), text(detector['flags']), idOf(at)) : nothing}
    ${saidHere(form, at)}
  </li>`
}
