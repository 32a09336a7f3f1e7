/** Rows of the engine for the grid: pages of a view, and where the next error is. */

import type {Engine} from '../api/engine.js'
import type {Row, RowIssue, RowsPage, View} from '../api/shapes.js'
import {textOf} from '../ui/format.js'
import type {Shown} from './shown.js'
import type {ErrorPlace, GridCell, GridNote, GridRow, RowSource} from '../grid/types.js'

const ERRORS_A_PAGE = 100
const FIRST_ROWS = 100 // as many as the grid asks for at once

/** What the engine says of an issue, in the language it was asked in. */
export const told = ({message, hint}: RowIssue): string => (hint ? `${message} ${hint}` : message)

/** What is said of an issue where the field's options are known: they name what it takes. */
const withOptions = (issue: RowIssue, options: string): string =>
  issue.code === 'unknown_option' && options ? `${issue.message} ${options}` : told(issue)

/** How values look to a person, and what is said of those that are delivered as another text. */
export interface Look {
  readonly shown: Shown
  delivered(value: string): string
  /** The options of a field in a sentence; empty where it has none. */
  options(field: string): string
  /** What the page says of a cell. */
  notes?(row: Row, field: string): readonly GridNote[]
}

/** One cell: where the text could not be read, it holds the text of the file. */
export function cellOf(row: Row, field: string, {shown, delivered, options, notes}: Look): GridCell {
  const issues = row.issues.filter(issue => issue.field === field)
  const wrong = issues.find((issue): issue is RowIssue & {value: string} => issue.severity === 'error' && issue.value !== null)
  const value = row.values[field] ?? null
  const own = textOf(value)
  const look = shown.value(field, value)
  const source = row.texts?.[field] ?? (wrong ? null : look.source)
  const text = wrong ? wrong.value : look.text
  return {
    value,
    text,
    ...(source && source !== text ? {source} : {}),
    ...(own && own !== text ? {explained: delivered(own)} : {}),
    changed: row.edited.includes(field),
    ...(row.cut?.includes(field) ? {isCut: true} : {}),
    issues: issues.map(issue => ({code: issue.code, severity: issue.severity, message: withOptions(issue, options(field))})),
    ...(notes && {notes: notes(row, field)}),
  }
}

export const rowOf = (row: Row, fields: readonly string[], look: Look): GridRow =>
  ({row: row.row, excluded: row.excluded, cells: fields.map(field => cellOf(row, field, look))})

export class Rows implements RowSource {
  /** Whether the last request for rows failed, so that it is unclear what would be imported. */
  isUnreadable = false
  readonly #engine: Engine
  readonly #recordId: string
  readonly #fields: readonly string[]
  readonly #view: View
  readonly #look: Look
  readonly #hear: (page: RowsPage | null) => void
  readonly #errors = new Map<number, Promise<RowsPage>>()
  #first: Promise<RowsPage> | null

  constructor(engine: Engine, recordId: string, fields: readonly string[], view: View, look: Look, hear: (page: RowsPage | null) => void) {
    this.#engine = engine
    this.#recordId = recordId
    this.#fields = fields
    this.#view = view
    this.#look = look
    this.#hear = hear
    this.#first = this.#begin() // on its way while the grid is made
  }

  #begin(): Promise<RowsPage> {
    return this.#page(0, FIRST_ROWS)
  }

  /** Return as many rows as requested, if there are; a page of very wide rows ends earlier. */
  async #page(offset: number, limit: number, signal?: AbortSignal, view = this.#view): Promise<RowsPage> {
    const page = await this.#engine.rows(this.#recordId, view, offset, limit, undefined, signal)
    const missing = limit - page.rows.length
    if (!page.next || missing <= 0) return page
    const more = await this.#page(page.next, missing, signal, view)
    return {...more, rows: [...page.rows, ...more.rows]}
  }

  /** Hear how many rows the view has. */
  async count(): Promise<void> {
    const first = this.#first ??= this.#begin()
    try {
      this.#heard(await first)
    } catch (error) {
      this.#first = null // the next try asks again
      this.#lost()
      throw error
    }
  }

  async fetch(offset: number, limit: number, signal: AbortSignal): Promise<GridRow[]> {
    const first = offset === 0 && limit === FIRST_ROWS ? this.#first : null
    if (first) this.#first = null // once: what is asked for again may have changed
    try {
      const page = await (first ?? this.#page(offset, limit, signal))
      this.#heard(page)
      return page.rows.map(row => rowOf(row, this.#fields, this.#look))
    } catch (error) {
      if (!signal.aborted) this.#lost()
      throw error
    }
  }

  #heard(page: RowsPage): void {
    this.isUnreadable = false
    this.#hear(page)
  }

  #lost(): void {
    this.isUnreadable = true
    this.#hear(null)
  }

  /** Forget where errors were: something was edited. */
  changed(): void {
    this.#errors.clear()
    this.#first = null
  }

  async nextError(index: number, direction: 1 | -1, signal: AbortSignal): Promise<ErrorPlace | null> {
    const {filter, search, field, code, sort} = this.#view
    if (filter === 'error') return this.#neighbour(index, direction)
    const {total} = await this.#errorPage(0)
    if (!total) return null
    if (filter !== 'all' || search || field || code || sort) return this.#readOn(index, direction, signal)
    // In the view of everything the place of a row is its number.
    const after = await this.#firstAfter(direction === 1 ? index : index - 1, total)
    const ordinal = direction === 1 ? after : after - 1
    if (ordinal < 0 || ordinal >= total) return null
    return {index: await this.#errorAt(ordinal), ordinal: ordinal + 1, total}
  }

  async #neighbour(index: number, direction: 1 | -1): Promise<ErrorPlace | null> {
    const page = await this.#page(0, 1)
    const next = index + direction
    return next < 0 || next >= page.total ? null : {index: next, ordinal: next + 1, total: page.total}
  }

  async #readOn(index: number, direction: 1 | -1, signal: AbortSignal): Promise<ErrorPlace | null> {
    for (let at = index + direction; at >= 0;) {
      const offset = direction === 1 ? at : Math.max(0, at - ERRORS_A_PAGE + 1)
      const page = await this.#page(offset, ERRORS_A_PAGE, signal)
      const places = page.rows.map((row, place) => ({row, place: offset + place}))
        .filter(({row, place}) => row.severity === 'error' && (direction === 1 ? place >= at : place <= at))
      const found = direction === 1 ? places[0] : places.at(-1)
      if (found) return {index: found.place}
      at = direction === 1 ? offset + ERRORS_A_PAGE : offset - 1
      if (at >= page.total) return null
    }
    return null
  }

  /** How many errors are at or before a row: by halving, a page at a time. */
  async #firstAfter(row: number, total: number): Promise<number> {
    let [low, high] = [0, total]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((await this.#errorAt(middle)) > row) high = middle
      else low = middle + 1
    }
    return low
  }

  async #errorAt(ordinal: number): Promise<number> {
    const page = await this.#errorPage(Math.floor(ordinal / ERRORS_A_PAGE))
    return page.rows[ordinal % ERRORS_A_PAGE]?.row ?? Number.MAX_SAFE_INTEGER
  }

  #errorPage(page: number): Promise<RowsPage> {
    const known = this.#errors.get(page)
    if (known) return known
    const asked = this.#page(page * ERRORS_A_PAGE, ERRORS_A_PAGE, undefined, {filter: 'error'})
    this.#errors.set(page, asked)
    return asked
  }
}
