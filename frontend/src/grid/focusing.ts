/** Moves the focus and draws the selected range. */

import {filled} from './labels.js'
import {colsIn, inside, moved, rowsIn, Selection, type Bounds, type Cell, type Move, type Range} from './selection.js'
import type {GridLabels} from './types.js'

/** The side of the grid on which the focus moves. */
export interface Focused {
  readonly bounds: Bounds
  readonly said: GridLabels
  readonly numbers: Intl.NumberFormat
  reveal(cell: Cell, covered: number): void
  /** Paint, and give the active cell the real focus. */
  focusActive(): void
  paint(): void
  dismissNote(isDismissed: boolean): void
  announce(text: string): void
  /** Tell the page. */
  selected(): void
}

export class Focusing {
  readonly selection = new Selection()
  /** Whether grips are shown: a finger selected last. */
  isTouched = false
  /** Whether whole rows are selected, rather than cells that happen to fill them. */
  isRows = false

  constructor(readonly grid: Focused) {}

  get active(): Cell {
    return this.selection.active
  }

  get range(): Range {
    return this.selection.range
  }

  isActive(cell: Cell): boolean {
    return cell.row === this.active.row && cell.col === this.active.col
  }

  move(move: Move, extend = false): void {
    this.to(moved(this.active, move, this.grid.bounds), extend)
  }

  to(cell: Cell, extend: boolean): void {
    this.grid.dismissNote(false)
    this.selection.to(inside(cell, this.grid.bounds), extend)
    this.grid.reveal(this.active, 0)
    this.#took(extend)
  }

  /** Select a rectangle of which the focus is a corner. */
  select(range: Range, active: Cell = {row: range.top, col: range.start}): void {
    this.selection.spanning(range, active)
    this.#took(true)
  }

  selectRows(from: number, to: number): void {
    const {rows, cols} = this.grid.bounds
    if (!rows) return
    this.select({top: Math.min(from, to), bottom: Math.max(from, to), start: 0, end: cols - 1}, {row: to, col: 0})
    this.isRows = true
  }

  selectColumns(from: number, to: number): void {
    const {rows} = this.grid.bounds
    if (!rows) return
    this.select({top: 0, bottom: rows - 1, start: Math.min(from, to), end: Math.max(from, to)}, {row: 0, col: to})
  }

  selectAll(): void {
    this.selectColumns(0, this.grid.bounds.cols - 1)
  }

  /** Escape: no bubble, and no more than one cell. */
  collapse(): void {
    this.grid.dismissNote(true)
    this.selection.to(this.active, false)
    this.#took(false)
  }

  /** The focus came to a cell by itself, as screen readers do it. */
  came(cell: Cell): void {
    if (this.isActive(cell)) return
    this.isRows = false
    this.selection.to(cell, false)
    this.grid.paint()
    this.grid.selected()
  }

  touched(): void {
    this.isTouched = true
    this.grid.paint()
  }

  clamp(): void {
    this.selection.clampTo(this.grid.bounds)
  }

  /** Begin in the first row; where there is none, in the header. */
  restart(): void {
    this.isRows = false
    this.selection.to(inside({row: 0, col: this.active.col}, this.grid.bounds), false)
  }

  #took(saysRange: boolean): void {
    this.isTouched = this.isRows = false
    this.grid.focusActive()
    this.grid.selected()
    if (!saysRange || this.selection.isOne) return
    const {numbers, said} = this.grid
    const rows = numbers.format(rowsIn(this.range))
    this.grid.announce(filled(said.selected, {rows, columns: numbers.format(colsIn(this.range))}))
  }
}
