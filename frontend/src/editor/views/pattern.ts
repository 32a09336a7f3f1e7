/** Try a pattern on texts while it is written. */

import {html, nothing, type TemplateResult} from 'lit'

import {text} from '../model/catalog.js'
import {asRegExp} from '../model/pattern.js'
import {sign} from '../ui/icons.js'
import type {FieldForm} from './field_form.js'

const LONGEST = 500

/** What was typed into each tester; no part of the catalog. */
const tried = new Map<string, string>()

export function patternTester(form: FieldForm, pattern: string, flags: string, id: string): TemplateResult {
  const {desk, draft, field} = form
  const {say} = desk
  const whose = `${draft.key} ${id}`
  const sample = tried.get(whose) ?? text(field['example'])
  const regex = pattern ? asRegExp(pattern, flags) : null
  const fits = regex !== null && sample !== '' && regex.test(sample.slice(0, LONGEST))
  const verdict = !pattern || sample === '' ? nothing
    : regex === null ? html`<span class="verdict muted">${say('cannot_try')}</span>`
    : fits ? html`<span class="verdict ok">${sign('check')}${say('fits')}</span>` : html`<span class="verdict err">${sign('close')}${say('fits_not')}</span>`
  return html`<div class="tester"><label class="small muted" for="${id}-try">${say('try_text')}</label>
    <input class="input mono" id="${id}-try" autocomplete="off" spellcheck="false" .value=${sample} @input=${(event: Event) => {
      tried.set(whose, (event.target as HTMLInputElement).value)
      desk.requestUpdate()
    }}><span aria-live="polite">${verdict}</span></div>`
}
