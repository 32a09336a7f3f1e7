/** Fields that a person must feed: each a row with one control, whose state is the mapping itself. */

import {html, nothing, type TemplateResult} from 'lit'

import type {ProposedColumn, Question} from '../api/shapes.js'
import type {Field} from '../flow/fields.js'
import type {Flow} from '../flow/flow.js'
import {assign, constantOf, fedBy, withConstant, withoutField, type Draft} from '../flow/mapping.js'
import {icon} from '../ui/icons.js'
import {select, tag, type Choice} from '../ui/pieces.js'

const OPEN = ''
const SAME = '+'
const NONE = '-'

export class AskedFields {
  readonly #flow: Flow
  readonly #change: (draft: Draft) => void
  /** The fields that are asked for, by their paths; they stay where they are once they are fed. */
  readonly #asked = new Map<string, readonly string[]>()
  /** What was chosen and is not in the mapping: nothing, or a value that is not written yet. */
  readonly #chosen = new Map<string, typeof SAME | typeof NONE>()

  constructor(flow: Flow, change: (draft: Draft) => void) {
    this.#flow = flow
    this.#change = change
  }

  /** Ask for the fields of these questions, with the columns that are likely. */
  ask(questions: readonly Question[]): void {
    for (const {field, candidates} of questions) {
      this.#asked.set(field, candidates.map(({value}) => value).filter(value => typeof value === 'string'))
    }
  }

  /** Ask for fields that are missing, also for those that were to stay empty. */
  missing(fields: readonly Field[]): void {
    for (const {path} of fields) {
      if (!this.#asked.has(path)) this.#asked.set(path, [])
      if (this.#chosen.get(path) === NONE) this.#chosen.delete(path)
    }
  }

  /** How many have no answer. */
  open(draft: Draft): number {
    return [...this.#asked.keys()].filter(path => this.#isOpen(path, draft)).length
  }

  /** Whether the person said of each of these fields that it stays empty. */
  areLeft(paths: readonly string[]): boolean {
    return paths.length > 0 && paths.every(path => this.#chosen.get(path) === NONE)
  }

  /** Whether a column holds the same value in every row for one of these fields: its row says so already. */
  owns(column: string, draft: Draft): boolean {
    return constantOf(draft, column) !== undefined && this.#asked.has(draft.mapping[column] ?? '')
  }

  #isOpen(path: string, draft: Draft): boolean {
    return fedBy(draft, path) === undefined && this.#chosen.get(path) !== NONE
  }

  render(draft: Draft, columns: readonly ProposedColumn[]): TemplateResult[] {
    return [...this.#asked].flatMap(([path, likely]) => {
      const field = this.#flow.fieldAt(path)
      return field ? [this.#row(field, likely, draft, columns)] : []
    })
  }

  #state(path: string, draft: Draft): string {
    const column = fedBy(draft, path)
    if (column === undefined) return this.#chosen.get(path) ?? OPEN
    return constantOf(draft, column) === undefined ? `=${column}` : SAME
  }

  #row(field: Field, likely: readonly string[], draft: Draft, columns: readonly ProposedColumn[]): TemplateResult {
    const {say} = this.#flow.page
    const now = this.#state(field.path, draft)
    const isOpen = this.#isOpen(field.path, draft)
    const names = columns.filter(({column}) => constantOf(draft, column) === undefined || now === `=${column}`)
    const ordered = [...names.filter(({column}) => likely.includes(column)), ...names.filter(({column}) => !likely.includes(column))]
    const choices: Choice[] = [
      {value: OPEN, text: say('choose_column')},
      ...ordered.map(({column, samples}) => ({value: `=${column}`, text: samples[0] ? `${column} (${samples[0]})` : column})),
      ...(this.#flow.may('fix') ? [{value: SAME, text: say('do_constant')}] : []),
      {value: NONE, text: say('leave_empty')},
    ]
    return html`<div class="match field ${isOpen ? 'asked' : ''}" role="listitem">
      <div class="stack">${select(choices, now, choice => this.#choose(field.path, choice, draft), say('ask_required_field', {field: field.label}))}
        ${now === SAME ? this.#value(field, draft, columns) : nothing}</div>
      <span class="arrow">${icon('arrow')}</span>
      <div class="target"><bdi class="strong">${field.label}</bdi>${field.required ? ' *' : ''}</div>
      <div class="why">${isOpen ? tag(say('question'), 'warn', 'question') : now === NONE ? tag(say('skipped')) : tag(say('by_you'), 'accent', 'check')}
        <span>${field.required && isOpen ? say('required') : ''}</span></div>
    </div>`
  }

  #value(field: Field, draft: Draft, columns: readonly ProposedColumn[]): TemplateResult {
    const column = fedBy(draft, field.path)
    const now = (column && constantOf(draft, column)) ?? ''
    const label = `${field.label}: ${this.#flow.page.say('value')}`
    const set = (value: string): void => this.#change(withConstant(draft, field.path, value, field.label, columns.map(each => each.column)))
    const options = field.dropdownOptions
    return options?.length && !field.allowCustomOptions
      ? select([{value: '', text: this.#flow.page.say('value')}, ...options.map(option => ({value: option.label, text: option.label}))], now, set, label)
      : html`<input class="input" aria-label=${label} placeholder=${field.example ?? this.#flow.page.say('value')} .value=${now} @change=${(event: Event) => set((event.target as HTMLInputElement).value)}>`
  }

  #choose(path: string, choice: string, draft: Draft): void {
    if (choice === SAME || choice === NONE) this.#chosen.set(path, choice)
    else this.#chosen.delete(path)
    const bare = withoutField(draft, path)
    this.#change(choice.startsWith('=') ? assign(bare, choice.slice(1), path) : bare)
  }
}
