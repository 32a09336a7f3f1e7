/** Rows that a person types: an empty sheet with the catalog's columns. Pure; kept in the page alone. */

import type {JsonObject} from '../api/shapes.js'
import type {GridEdit, GridRow, RowSource} from '../grid/types.js'
import type {Field} from './fields.js'

/** As many rows as the engine takes without a file. */
export const SHEET_ROWS = 10_000

export interface Typed {
  rows: JsonObject[]
  /** The field of each column of the rows, in their order. */
  paths: string[]
}

export class Sheet implements RowSource {
  /** The columns: those that the catalog has now. */
  fields: readonly Field[]
  readonly #rows = new Map<number, Map<string, string>>()
  #done: GridEdit[][] = []
  #undone: GridEdit[][] = []

  constructor(fields: readonly Field[]) {
    this.fields = fields
  }

  /** How many rows hold a text. */
  get count(): number {
    return this.#rows.size
  }

  async fetch(offset: number, limit: number): Promise<GridRow[]> {
    return Array.from({length: Math.max(0, Math.min(limit, SHEET_ROWS - offset))}, (_, place) => {
      const row = this.#rows.get(offset + place)
      const cells = this.fields.map(({path}) => ({value: row?.get(path) ?? null, text: row?.get(path) ?? '', issues: []}))
      return {row: offset + place, cells}
    })
  }

  edit(edits: readonly GridEdit[]): void {
    this.#done.push(this.#set(edits))
    this.#undone = []
  }

  /** Empty whole rows. */
  clear(rows: readonly number[]): void {
    this.edit(rows.flatMap(row => this.fields.map(({path}) => ({row, field: path, text: null}))))
  }

  undo(): void {
    const edits = this.#done.pop()
    if (edits) this.#undone.push(this.#set(edits))
  }

  redo(): void {
    const edits = this.#undone.pop()
    if (edits) this.#done.push(this.#set(edits))
  }

  /** What is sent: rows and columns with a text. A label that two fields have gives way to the path. */
  typed(): Typed {
    const rows = [...this.#rows].sort(([one], [other]) => one - other).map(([, row]) => row)
    const used = this.fields.filter(({path}) => rows.some(row => row.has(path)))
    const names = used.map(({label, path}) => used.filter(other => other.label === label).length > 1 ? path : label)
    return {
      rows: rows.map(row => Object.fromEntries(used.map(({path}, place) => [names[place], row.get(path) ?? null]))),
      paths: used.map(({path}) => path),
    }
  }

  /** Set texts; gives the edits that take it back. */
  #set(edits: readonly GridEdit[]): GridEdit[] {
    return edits.map(({row, field, text}) => {
      const cells = this.#rows.get(row) ?? new Map<string, string>()
      const before = cells.get(field) ?? null
      if (text?.trim()) cells.set(field, text)
      else cells.delete(field)
      if (cells.size) this.#rows.set(row, cells)
      else this.#rows.delete(row)
      return {row, field, text: before}
    }).reverse()
  }
}
