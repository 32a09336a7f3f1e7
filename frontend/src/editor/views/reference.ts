/** The entity that a field's values name, and how it is found. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Desk} from '../desk.js'
import {fieldsOf, nameOf, text, type JsonObject} from '../model/catalog.js'
import {choiceField, chipsField, idOf, isOff, numberField, section, textField, toggle} from '../ui/form.js'
import {button} from '../ui/pieces.js'
import type {FieldForm} from './field_form.js'

/** The names of known entities, by engine; asked for once a reference is shown. */
const asked = new WeakMap<object, string[]>()

function known(desk: Desk): string[] {
  const found = asked.get(desk.engine)
  if (found) return found
  asked.set(desk.engine, [])
  void desk.engine.knownNames().then(names => {
    asked.set(desk.engine, names)
    desk.requestUpdate()
  }).catch(() => undefined) // suggestions only: without them any name can be typed
  return []
}

export function reference(form: FieldForm): TemplateResult {
  const {desk, draft, path, entry} = form
  const {say} = desk
  const at = [...path, 'reference']
  const held = draft.get(at) as JsonObject | undefined
  const entries = draft.document.entries
  const add = (): void => {
    const first = entries.find(item => item !== entry) ?? entry
    draft.change(draft.with(at, {entity: text(first.id), matchOn: fieldsOf(first).slice(0, 1).map(field => text(field.key)), cardinality: 'one', onMissing: 'error'}))
    desk.focus(`#${idOf([...at, 'entity'])}`)
  }
  if (!held) return section(say('reference'), null, html`<p class="muted small">${say('no_reference')}</p>`, desk.mayEdit ? {text: say('refer'), act: add} : null)
  const named = entries.find(entry => text(entry.id) === text(held['entity']))
  const ways = [...at, 'resolve']
  const startResolve = (): void => draft.set(ways, {exact: true, fuzzy: false, learned: true})
  return section(say('reference'), null, html`<div class="card rule">
    <div class="two">
      ${textField(form, [...at, 'entity'], {label: say('ref_entity'), mono: true, keepEmpty: true, suggestions: [...new Set([...entries.map(entry => text(entry.id)), ...known(desk)])], hint: say('ref_entity_hint')})}
      ${chipsField(form, [...at, 'matchOn'], {label: say('ref_match'), keepEmpty: true, hint: say('ref_match_hint'), ...(named ? {choices: fieldsOf(named).map(field => ({value: text(field.key), text: nameOf(field)}))} : {})})}
      ${choiceField(form, [...at, 'cardinality'], [{value: 'one', text: say('ref_one')}, {value: 'many', text: say('ref_many')}], {label: say('ref_cardinality'), keep: true})}
      ${choiceField(form, [...at, 'onMissing'], [{value: 'error', text: say('ref_error')}, {value: 'create', text: say('ref_create')}, {value: 'null', text: say('ref_null')}, {value: 'ignore', text: say('ref_ignore')}], {label: say('ref_missing'), keep: true})}
      ${held['cardinality'] === 'many' ? textField(form, [...at, 'separator'], {label: say('ref_separator'), mono: true, placeholder: ';'}) : nothing}
    </div>
    ${held['resolve'] ? html`<div class="toggles">
        ${toggle(form, [...ways, 'exact'], say('ref_exact'), {off: false})}${toggle(form, [...ways, 'fuzzy'], say('ref_fuzzy'), {off: false})}${toggle(form, [...ways, 'learned'], say('ref_learned'), {off: false})}
        <span class="ratio">${say('ref_score')} ${numberField(form, [...ways, 'minScore'], {label: say('ref_score'), isBare: true, min: 0, max: 100, placeholder: '85'})}</span></div>` : nothing}
    ${isOff(form) ? nothing : html`<div class="row wrap">
      ${held['resolve'] ? nothing : button(say('ref_how'), startResolve, {small: true, kind: 'quiet'})}
      ${button(say('remove_reference'), () => draft.set(at, undefined), {small: true, kind: 'quiet', sign: 'bin'})}</div>`}
  </div>`)
}
