/** Which cell has the focus, which cells are selected, and where a key leads. Pure: no DOM. */

/** A cell by its place in the view; row -1 is the header. */
export interface Cell {
  readonly row: number
  readonly col: number
}

/** A rectangle of cells, its corners included. */
export interface Range {
  readonly top: number
  readonly bottom: number
  readonly start: number
  readonly end: number
}

/** How far the cells go, and how many rows a page has. */
export interface Bounds {
  readonly rows: number
  readonly cols: number
  readonly page: number
}

export type Move =
  | 'up'
  | 'down'
  | 'back'
  | 'forth'
  | 'pageUp'
  | 'pageDown'
  | 'rowStart'
  | 'rowEnd'
  | 'top'
  | 'bottom'
  | 'first'
  | 'last'

export const HEADER = -1

/** Bring a cell inside; a view without rows leaves the header. */
export function inside(cell: Cell, bounds: Bounds): Cell {
  const row = Math.min(Math.max(cell.row, HEADER), bounds.rows - 1)
  return {row, col: Math.max(0, Math.min(cell.col, bounds.cols - 1))}
}

/** The cell that a move leads to. Only single steps enter the header. */
export function moved(from: Cell, move: Move, bounds: Bounds): Cell {
  const {row, col} = from
  const lastRow = bounds.rows - 1
  const lastCol = bounds.cols - 1
  const firstRow = Math.min(0, lastRow)
  const to: Record<Move, Cell> = {
    up: {row: row - 1, col},
    down: {row: row + 1, col},
    back: {row, col: col - 1},
    forth: {row, col: col + 1},
    pageUp: {row: Math.max(firstRow, row - bounds.page), col},
    pageDown: {row: row + bounds.page, col},
    rowStart: {row, col: 0},
    rowEnd: {row, col: lastCol},
    top: {row: firstRow, col},
    bottom: {row: lastRow, col},
    first: {row: firstRow, col: 0},
    last: {row: lastRow, col: lastCol},
  }
  return inside(to[move], bounds)
}

/** The rectangle between two cells. */
export function between(a: Cell, b: Cell): Range {
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    start: Math.min(a.col, b.col),
    end: Math.max(a.col, b.col),
  }
}

export function contains(range: Range, row: number, col: number): boolean {
  return row >= range.top && row <= range.bottom && col >= range.start && col <= range.end
}

export function rowsIn(range: Range): number {
  return range.bottom - range.top + 1
}

export function colsIn(range: Range): number {
  return range.end - range.start + 1
}

export function cellsIn(range: Range): number {
  return rowsIn(range) * colsIn(range)
}

/** The focused cell and the corner from which a range is drawn to it. */
export class Selection {
  anchor: Cell = {row: 0, col: 0}
  active: Cell = {row: 0, col: 0}

  get range(): Range {
    return between(this.anchor, this.active)
  }

  get isOne(): boolean {
    return cellsIn(this.range) === 1
  }

  /** Focus a cell; with `extend`, draw the range to it. The header is never part of a range. */
  to(cell: Cell, extend: boolean): void {
    const keepsOut = extend && (cell.row < 0 || this.anchor.row < 0)
    this.active = keepsOut && cell.row < 0 ? {row: Math.max(0, this.anchor.row), col: cell.col} : cell
    if (!extend || this.anchor.row < 0) this.anchor = this.active
  }

  /** Select a rectangle; the focus goes to `active`, its opposite corner becomes the anchor. */
  spanning(range: Range, active: Cell): void {
    this.active = active
    this.anchor = {
      row: active.row === range.top ? range.bottom : range.top,
      col: active.col === range.start ? range.end : range.start,
    }
  }

  clampTo(bounds: Bounds): void {
    this.anchor = inside(this.anchor, bounds)
    this.active = inside(this.active, bounds)
  }
}
