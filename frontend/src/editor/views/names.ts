/** The other names of a column: those of the author, and those that users confirmed. */

import {html, nothing, type TemplateResult} from 'lit'

import {list, separatorOf, text} from '../model/catalog.js'
import {chipsField, section} from '../ui/form.js'
import {button} from '../ui/pieces.js'
import type {FieldForm} from './field_form.js'

interface Confirmed {
  name: string
  count: number
  lastAt: string
}

/** What users confirmed, by catalog and field; asked for once each. */
const asked = new WeakMap<object, Map<string, Confirmed[]>>()

export function names(form: FieldForm): TemplateResult {
  const {say} = form.desk
  const at = [...form.path, 'alternativeMatches']
  const taken = new Set(list(form.draft.get(at)).map(text))
  const confirmed = confirmedFor(form).filter(name => !taken.has(name.name)).slice(0, 12)
  return section(say('names'), null, html`
    ${chipsField(form, at, {label: say('names'), isBare: true, ...(taken.size ? {} : {hint: say('names_hint')})})}
    ${confirmed.length ? html`<p class="small muted">${say('names_confirmed', {n: confirmed.length})}
      ${confirmed.map(name => button(html`<bdi>${name.name}</bdi>`, () => form.draft.set(at, [...list(form.draft.get(at)), name.name]), {kind: 'link', small: true, sign: 'plus', disabled: !form.desk.mayEdit}))}</p>` : nothing}`)
}

function confirmedFor(form: FieldForm): Confirmed[] {
  const {desk, draft, entry, field} = form
  if (!form.isLocked) return []
  let known = asked.get(draft)
  if (!known) asked.set(draft, (known = new Map()))
  const path = `${text(entry.id)}${separatorOf(draft.document)}${text(field.key)}`
  const found = known.get(path)
  if (found) return found
  known.set(path, [])
  void desk.engine.confirmedNames(draft.key, path).then(items => {
    known.set(path, items)
    desk.requestUpdate()
  }).catch(() => undefined) // suggestions only: without them the form is whole
  return []
}
