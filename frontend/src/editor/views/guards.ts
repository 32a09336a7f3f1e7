/** What people confirm: a second person for large changes, and what a full sync may delete. */

import {html, nothing, type TemplateResult} from 'lit'

import {chipsField, idOf, isOff, numberField, section, toggle, type Form} from '../ui/form.js'
import {button} from '../ui/pieces.js'
import type {Path} from '../model/tree.js'

const START_ABOVE = 1000

export function secondPerson(form: Form): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const at = ['secondPerson']
  const require = (): void => {
    draft.set(at, {above: START_ABOVE})
    desk.focus(`#${idOf([...at, 'above'])}`)
  }
  if (draft.get(at) === undefined) {
    return section(say('second_person'), null, html`<p class="muted small">${say('no_second_person')}</p>`, desk.mayEdit ? {text: say('require'), act: require} : null)
  }
  const on = (['apply', 'revert', 'publish'] as const).map(value => ({value, text: say(`on_${value}`)}))
  return section(say('second_person'), null, html`<div class="card rule"><div class="two">
      ${numberField(form, [...at, 'above'], {label: say('approve_above'), min: 0, hint: say('approve_above_hint')})}
      ${chipsField(form, [...at, 'on'], {label: say('approve_on'), choices: on, hint: say('approve_on_hint')})}
    </div>
    ${isOff(form) ? nothing : html`<div class="row">${button(say('remove_second'), () => draft.set(at, undefined), {small: true, kind: 'quiet', sign: 'bin'})}</div>`}
  </div>`)
}

/** The switch of one entity, and from when on a person confirms. */
export function fullSync(form: Form, entry: Path): TemplateResult {
  const {desk, draft} = form
  const {say} = desk
  const at = [...entry, 'fullSync']
  const isOn = draft.get(at) !== undefined
  return html`<div class="toggles">${isOn
      ? html`${numberField(form, [...at, 'share'], {label: say('sync_share'), percent: true, min: 0, max: 100, unit: '%', placeholder: '10'})}
        ${numberField(form, [...at, 'rows'], {label: say('sync_rows'), min: 0, placeholder: '5'})}
        ${isOff(form) ? nothing : button(say('sync_never'), () => draft.set(at, undefined), {small: true, kind: 'quiet', sign: 'bin'})}`
      : toggle(form, at, say('full_sync'), {on: {}, hint: say('full_sync_hint')})}</div>`
}
