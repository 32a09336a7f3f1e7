/** Columns that no field takes and that become fields of their own, where the catalog and the page's rights allow it. */

import {nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {Flow} from '../flow/flow.js'
import {NEW, customOf, withCustom, type Draft} from '../flow/mapping.js'
import type {Choice} from '../ui/pieces.js'
import type {CustomForm} from './custom_form.js'

export class CustomFields {
  readonly #flow: Flow
  readonly #change: (draft: Draft) => void
  #form?: CustomForm

  constructor(flow: Flow, change: (draft: Draft) => void) {
    this.#flow = flow
    this.#change = change
  }

  get choices(): Choice[] {
    const {catalog, page, verified} = this.#flow
    const may = verified?.rights?.includes('customFields') && catalog?.entries.some(entry => entry.allowCustomFields)
    return may ? [{value: NEW, text: page.say('keep_as_field')}] : []
  }

  add(draft: Draft, column: string): void {
    void this.#flow.attempt(async () => {
      this.#form ??= await (await loaded(import('./custom_form.js'))).CustomForm.of(this.#flow, this.#change)
      this.#change(withCustom(draft, {column, label: column, columnType: 'string'}))
    })
  }

  render(draft: Draft, column: string): TemplateResult | typeof nothing {
    const own = customOf(draft, column)
    return own && this.#form ? this.#form.render(draft, own) : nothing
  }
}
