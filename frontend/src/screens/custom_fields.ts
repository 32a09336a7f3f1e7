/** Columns that no field takes and that become fields of their own, where the catalog and the page's rights allow it. */

import {nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {Flow} from '../flow/flow.js'
import {NEW, customOf, withCustom, type Draft} from '../flow/mapping.js'
import type {Choice} from '../ui/pieces.js'
import type {CustomForm} from './custom_form.js'

export interface CustomFields {
  choices(): Choice[]
  add(draft: Draft, column: string): void
  render(draft: Draft, column: string): TemplateResult | typeof nothing
}

export function customFields(flow: Flow, change: (draft: Draft) => void): CustomFields {
  let form: CustomForm | undefined
  return {
    choices() {
      const may = flow.verified?.rights?.includes('customFields') && flow.catalog?.entries.some(entry => entry.allowCustomFields)
      return may ? [{value: NEW, text: flow.page.say('keep_as_field')}] : []
    },
    add: (draft, column) => void flow.attempt(async () => {
      form ??= await (await loaded(import('./custom_form.js'))).CustomForm.of(flow, change)
      change(withCustom(draft, {column, label: column, columnType: 'string'}))
    }),
    render(draft, column) {
      const own = customOf(draft, column)
      return own && form ? form.render(draft, own) : nothing
    },
  }
}
