/** What a field that a person adds is called, and what its values are: loaded only for those who add one. */

import {html, type TemplateResult} from 'lit'

import type {CustomField} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {withCustom, type Draft} from '../flow/mapping.js'
import {select} from '../ui/pieces.js'
import {wordsIn, type CustomWords} from './words/words.js'

/** The types that people tell apart; a host may send any other. */
export const TYPES = ['string', 'int', 'float', 'boolean', 'date', 'email', 'phone', 'url'] as const

export class CustomForm {
  readonly #change: (draft: Draft) => void
  readonly #words: CustomWords

  constructor(words: CustomWords, change: (draft: Draft) => void) {
    this.#words = words
    this.#change = change
  }

  static async of({page}: Flow, change: (draft: Draft) => void): Promise<CustomForm> {
    return new CustomForm((await wordsIn(page.language)).custom, change)
  }

  render(draft: Draft, own: CustomField): TemplateResult {
    const words = this.#words
    const put = (members: Partial<CustomField>): void => this.#change(withCustom(draft, {...own, ...members}))
    return html`<div class="row own-field">
      <input class="input" aria-label=${words.name} .value=${own.label} maxlength="200" @change=${({target}: Event) => put({label: (target as HTMLInputElement).value.trim() || own.column})}>
      ${select(TYPES.map(value => ({value, text: words[value]})), own.columnType, value => put({columnType: value as CustomField['columnType']}), words.type)}</div>`
  }
}
