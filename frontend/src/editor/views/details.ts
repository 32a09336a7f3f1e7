/** What a catalog says of itself, and its entries. */

import {html, nothing, type TemplateResult} from 'lit'

import {fieldsOf, free, pathsOf, separatorOf, text, type Entry} from '../model/catalog.js'
import {moved, type Path} from '../model/tree.js'
import {chipsField, choiceField, idOf, numberField, saidHere, section, textField, toggle, type Form} from '../ui/form.js'
import {sign} from '../ui/icons.js'
import {button} from '../ui/pieces.js'
import {fullSync, secondPerson} from './guards.js'
import {ownSample} from './own_sample.js'

export function details(form: Form): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const {entries} = draft.document
  const isLocked = draft.lockedPaths.size > 0
  const add = (): void => {
    const id = free('entity', new Set(entries.map(entry => text(entry.id))))
    draft.change({...draft.document, entries: [...entries, {id, fields: []}]})
    desk.focus(`#${idOf(['entries', entries.length, 'label'])}`)
  }
  return html`<div class="body details"><h2 class="hidden-text">${say('tab_details')}</h2>
    <div class="three">
      ${textField(form, ['title'], {label: say('title')})}
      <div class="control"><label class="label" for="catalog-key">${say('catalog_key')}</label><input class="input mono" id="catalog-key" readonly .value=${draft.key}><p class="hint">${say('catalog_key_hint')}</p></div>
      ${textField(form, ['keySeparator'], {label: say('separator'), mono: true, disabled: isLocked, placeholder: '.', hint: isLocked ? say('separator_locked') : say('separator_hint')})}
      ${textField(form, ['region'], {label: say('region'), mono: true, placeholder: 'CH', hint: say('region_hint')})}
      ${numberField(form, ['retentionDays'], {label: say('retention'), min: 1, unit: say('retention_days'), hint: say('retention_hint')})}
      ${ownSample(form)}
    </div>
    ${section(say('entities'), entries.length, html`<ol class="cards">${entries.map((entry, place) => entryCard(form, entry, place))}</ol>`, desk.mayEdit ? {text: say('entity'), act: add} : null)}
    ${secondPerson(form)}
  </div>`
}

function entryCard(form: Form, entry: Entry, place: number): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const {entries} = draft.document
  const path = ['entries', place]
  const name = text(entry['label']) || text(entry.id)
  const prefix = `${text(entry.id)}${separatorOf(draft.document)}`
  const isLocked = [...pathsOf({...draft.document, entries: [entry]}).keys()].some(item => item.startsWith(prefix) && draft.lockedPaths.has(item))
  const write = (next: Entry[]): void => draft.change({...draft.document, entries: next})
  return html`<li class="card rule">
    <div class="rule-line"><h4 class="grow"><bdi>${name}</bdi> <span class="muted small">${say('fields_n', {n: fieldsOf(entry).length})}</span></h4>
      ${desk.mayEdit ? html`<span class="row tight">
        ${place > 0 ? button('', () => { write(moved(entries, place, place - 1)) }, {sign: 'raise', kind: 'quiet', small: true, label: `${say('move_up')}: ${name}`}) : nothing}
        ${entries.length > 1 ? button('', () => { write(entries.filter((_, at) => at !== place)); desk.announce(say('removed_undo', {name})) }, {sign: 'bin', kind: 'quiet', small: true, label: `${say('remove_entity')}: ${name}`}) : nothing}</span>` : nothing}</div>
    <div class="three">
      ${textField(form, [...path, 'label'], {label: say('label')})}
      ${textField(form, [...path, 'id'], {label: say('entity_id'), mono: true, keepEmpty: true, disabled: isLocked, aside: isLocked ? html`<span class="small muted">${sign('lock')}</span>` : nothing, hint: say(isLocked ? 'entity_locked' : 'entity_hint')})}
      ${chipsField(form, [...path, 'aliases'], {label: say('aliases'), hint: say('aliases_hint')})}
    </div>${nesting(form, entry, path)}${fullSync(form, path)}<div class="toggles">${toggle(form, [...path, 'allowCustomFields'], say('custom_fields'), {hint: say('custom_fields_hint')})}</div>${saidHere(form, path)}</li>`
}

/** Whose list the rows of an entity are, and what makes rows one record. */
function nesting(form: Form, entry: Entry, path: Path): TemplateResult | typeof nothing {
  const {say} = form.desk
  const others = form.draft.document.entries.filter(other => other !== entry)
  const isParent = others.some(other => other['childOf'] === entry.id)
  const isUsed = entry['childOf'] !== undefined || entry['groupBy'] !== undefined
  if (!others.length && !isUsed) return nothing
  const parents = others.map(other => ({value: text(other.id), text: text(other['label']) || text(other.id)}))
  const keys = fieldsOf(entry).map(field => ({value: text(field.key), text: text(field['label']) || text(field.key)}))
  return html`<div class="two">
    ${isParent && entry['childOf'] === undefined ? nothing : choiceField(form, [...path, 'childOf'], [{value: '', text: say('child_of_none')}, ...parents], {label: say('child_of'), hint: say('child_of_hint')})}
    ${isParent || entry['groupBy'] !== undefined ? chipsField(form, [...path, 'groupBy'], {label: say('group_by'), choices: keys, hint: say('group_by_hint')}) : nothing}
  </div>`
}
