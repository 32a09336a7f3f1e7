/** What each table of a file becomes, where it has several: imported, below another, joined by a key, or left out. */

import {html, type TemplateResult} from 'lit'

import type {Reading, Table, Tables} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {select, type Choice} from '../ui/pieces.js'
import {choicesFor, ownTables, planOf, readingFor, roleOf, type Role, type RoleChoice} from './table_roles.js'
import {planWords, type PlanWords} from './table_words.js'

export class TablePlan {
  readonly #flow: Flow
  readonly #words: PlanWords
  readonly #name: (table: Table, at: number) => string
  readonly #read: (reading: Reading) => void

  constructor(flow: Flow, name: (table: Table, at: number) => string, read: (reading: Reading) => void) {
    this.#flow = flow
    this.#words = planWords(flow.page.language)
    this.#name = name
    this.#read = read
  }

  render(tables: Tables): TemplateResult {
    const nameOf = (at: number): string => this.#name(tables.tables[at]!, at)
    const main = nameOf(planOf(tables).main)
    return html`<section class="card plan" aria-label=${this.#words.title}><p class="strong">${this.#words.title}</p>
      ${ownTables(tables).map(at => {
        const choices = choicesFor(tables, at).map(choice => this.#choice(choice, main, nameOf))
        const change = (value: string): void => this.#read(readingFor(tables, at, value as Role))
        return html`<div class="row wrap"><span class="grow clip"><bdi>${nameOf(at)}</bdi></span>
          ${select(choices, roleOf(tables, at), change, nameOf(at))}</div>`
      })}</section>`
  }

  #choice({role, differing, join}: RoleChoice, main: string, nameOf: (at: number) => string): Choice {
    const words = this.#words
    if (role === 'import') return {value: role, text: words.imported}
    if (role === 'ignore') return {value: role, text: words.ignored}
    if (differing) return {value: role, text: filled(words.differs, {table: main, columns: differing.join(', ')}), disabled: true}
    if (!join) return {value: role, text: filled(words.below, {table: main})}
    const rate = new Intl.NumberFormat(this.#flow.page.language, {style: 'percent'}).format(join.firstRate ?? 0)
    const [{child, parent} = {child: '', parent: ''}] = join.on
    return {value: role, text: filled(words.joined, {first: nameOf(join.first), other: nameOf(join.other), child, parent, rate})}
  }
}

const filled = (text: string, values: Record<string, string>): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
