/** How wide the columns are: as a person drew them, as the page says, as the first rows need. */

import {ColumnTrack, naturalWidth} from './geometry.js'
import type {GridColumn, GridRow} from './types.js'

const NARROWEST_PX = 48

export class Widths {
  readonly #drawn = new Map<string, number>()
  readonly #fitted = new Map<string, number>()

  draw(column: GridColumn, width: number): void {
    this.#drawn.set(column.key, Math.max(NARROWEST_PX, Math.round(width)))
  }

  /** Let every column have the width that its texts need. */
  fit(columns: readonly GridColumn[], rows: readonly GridRow[]): void {
    columns.forEach((column, col) => this.#fitted.set(column.key, widthFor(column, col, rows)))
  }

  track(columns: readonly GridColumn[]): ColumnTrack {
    return new ColumnTrack(
      columns.map(
        column =>
          this.#drawn.get(column.key) ??
          column.width ??
          this.#fitted.get(column.key) ??
          naturalWidth(column.label, []),
      ),
    )
  }
}

/** The width that a column needs for some rows. */
export function widthFor(column: GridColumn, col: number, rows: readonly GridRow[]): number {
  return naturalWidth(
    column.label,
    rows.map(row => row.cells[col]?.text ?? ''),
  )
}
