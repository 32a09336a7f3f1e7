/** What the page's function returned, read strictly: one item that does not fit refuses all of it. Pure. */

import type {Json} from '../api/shapes.js'
import type {PageFinding, PageProposal} from '../flow/page.js'

export const MOST_ITEMS = 10_000 // of each kind: as many cells as one step of the engine changes
export const LONGEST_TEXT = 500 // of a message or a reason, in characters
export const MOST_CHARACTERS = 1_000_000 // of everything that is returned for one page of rows

export type Reason = 'threw' | 'timed_out' | 'nothing' | 'not_understood' | 'too_large' | 'other_rows'

/** Why an answer changes nothing. */
export class Unusable extends Error {
  readonly reason: Reason

  constructor(reason: Reason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

export interface Advice {
  findings: Required<PageFinding>[]
  proposals: Required<PageProposal>[]
}

/** Return a copy of an answer about these rows and fields. Throw Unusable if any of it does not fit. */
export function readAnswer(answer: unknown, rows: ReadonlySet<number>, fields: ReadonlySet<string>): Advice {
  if (answer === undefined || answer === null) throw new Unusable('nothing', 'it returned nothing; return {} where there is nothing to say')
  const {findings, proposals} = Object(answer) as Record<string, unknown>
  const reader = new Reader(rows, fields)
  if (typeof answer !== 'object' || Array.isArray(answer)) throw notUnderstood('it did not return {findings, proposals}')
  return {
    findings: listOf(findings, 'findings').map((item, at) => reader.finding(item, `findings[${at}]`)),
    proposals: listOf(proposals, 'proposals').map((item, at) => reader.proposal(item, `proposals[${at}]`)),
  }
}

const notUnderstood = (detail: string): Unusable => new Unusable('not_understood', detail)

function listOf(list: unknown, name: string): unknown[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) throw notUnderstood(`${name} is not a list`)
  if (list.length > MOST_ITEMS) throw new Unusable('too_large', `${name} has more than ${MOST_ITEMS} items`)
  return Array.from<unknown>(list) // a hole is an item, too
}

class Reader {
  readonly #rows: ReadonlySet<number>
  readonly #fields: ReadonlySet<string>
  readonly #proposed = new Set<string>()
  #characters = 0

  constructor(rows: ReadonlySet<number>, fields: ReadonlySet<string>) {
    this.#rows = rows
    this.#fields = fields
  }

  finding(item: unknown, where: string): Required<PageFinding> {
    const {message, severity = 'warning'} = membersOf(item, where)
    if (severity !== 'error' && severity !== 'warning') throw notUnderstood(`${where}.severity is neither error nor warning`)
    return {...this.#cell(item, where), message: this.#text(message, `${where}.message`), severity}
  }

  proposal(item: unknown, where: string): Required<PageProposal> {
    const {value, reason = ''} = membersOf(item, where)
    const cell = this.#cell(item, where)
    const key = JSON.stringify(cell)
    if (this.#proposed.has(key)) throw notUnderstood(`${where} is for the same cell as another`)
    this.#proposed.add(key)
    return {...cell, value: this.#value(value, `${where}.value`), reason: this.#text(reason, `${where}.reason`)}
  }

  #cell(item: unknown, where: string): {row: number, field: string} {
    const {row, field} = membersOf(item, where)
    if (typeof row !== 'number' || !this.#rows.has(row)) throw new Unusable('other_rows', `${where}.row is not a row of the page`)
    if (typeof field !== 'string' || !this.#fields.has(field)) throw notUnderstood(`${where}.field is not a field of the catalog`)
    return {row, field}
  }

  #text(text: unknown, where: string): string {
    if (typeof text !== 'string') throw notUnderstood(`${where} is not a text`)
    if (text.length > LONGEST_TEXT) throw new Unusable('too_large', `${where} has more than ${LONGEST_TEXT} characters`)
    this.#count(text)
    return text
  }

  #value(value: unknown, where: string): Json {
    if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
    const items: unknown[] = Array.isArray(value) ? Array.from<unknown>(value) : [value]
    for (const item of items) {
      if (typeof item !== 'string') throw notUnderstood(`${where} is not a value of a cell`)
      this.#count(item)
    }
    return Array.isArray(value) ? (items as string[]) : (value as string)
  }

  #count(text: string): void {
    this.#characters += text.length
    if (this.#characters > MOST_CHARACTERS) throw new Unusable('too_large', `it returned more than ${MOST_CHARACTERS} characters`)
  }
}

function membersOf(item: unknown, where: string): Record<string, unknown> {
  if (typeof item !== 'object' || item === null) throw notUnderstood(`${where} is not an object`)
  return item as Record<string, unknown>
}
