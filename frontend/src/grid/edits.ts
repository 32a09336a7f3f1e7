/** What pasting, filling and clearing write into which cells. Pure: no DOM. */

import {cellsIn, colsIn, rowsIn, type Range} from './selection.js'
import type {GridColumn, GridEdit, GridRow} from './types.js'

/** The most cells that one change or one copy may have. */
export const MOST_CELLS = 10_000

/** The rectangle that pasted texts cover: a range that they tile is filled, else it begins at its corner. */
export function pastedRange(texts: readonly (readonly string[])[], onto: Range): Range {
  const height = texts.length
  const width = Math.max(1, ...texts.map(row => row.length))
  const tiles = rowsIn(onto) % height === 0 && colsIn(onto) % width === 0
  if (tiles) return onto
  return {top: onto.top, bottom: onto.top + height - 1, start: onto.start, end: onto.start + width - 1}
}

/** The part of a range that there is. */
export function cut(range: Range, rows: number, cols: number): Range {
  return {...range, bottom: Math.min(range.bottom, rows - 1), end: Math.min(range.end, cols - 1)}
}

/** A text for the cell at a place in a range, counted from its corner; undefined leaves the cell as it is. */
export type TextAt = (row: number, col: number) => string | null | undefined

/** The text at a place of pasted texts that are repeated in both directions. */
export function tiled(texts: readonly (readonly string[])[]): TextAt {
  const width = Math.max(1, ...texts.map(row => row.length))
  return (row, col) => texts[row % texts.length]?.[col % width]
}

/** What a cell reads on the screen, edits on their way included. */
export type ShownText = (row: GridRow, col: number) => string

/** The edits that give the cells of a range their texts; cells that read so already are left out. */
export function editsOf(
  range: Range,
  rows: readonly GridRow[],
  columns: readonly GridColumn[],
  shown: ShownText,
  textAt: TextAt,
): GridEdit[] {
  const edits: GridEdit[] = []
  rows.forEach((row, down) => {
    for (let col = range.start; col <= range.end; col += 1) {
      const column = columns[col]
      const text = textAt(down, col - range.start)
      if (!column || column.readOnly || text === undefined) continue
      if (shown(row, col) === (text ?? '')) continue
      edits.push({row: row.row, field: column.key, text: text === '' ? null : text})
    }
  })
  return edits
}

/** The texts of a range, as they are copied. */
export function textsOf(range: Range, rows: readonly GridRow[], shown: ShownText): string[][] {
  const cols = Array.from({length: colsIn(range)}, (_, at) => range.start + at)
  return rows.map(row => cols.map(col => shown(row, col)))
}

export function isTooLarge(range: Range): boolean {
  return cellsIn(range) > MOST_CELLS
}
