/** Where the next error is. */

import {BLOCK_ROWS, type BlockCache} from './blocks.js'
import {filled} from './labels.js'
import type {Cell} from './selection.js'
import type {ErrorPlace, GridCell, GridLabels, GridRow} from './types.js'

export interface FoundError {
  readonly cell: Cell
  readonly place: ErrorPlace
}

/** Find the next cell with an error in reading order; at the end the search starts over. */
export async function findError(
  cache: BlockCache,
  count: number,
  from: Cell,
  direction: 1 | -1,
  signal: AbortSignal,
): Promise<FoundError | null> {
  const here = cache.row(from.row)
  const col = here && errorIn(here, from.col, direction)
  if (col !== undefined && col !== null) return {cell: {row: from.row, col}, place: {index: from.row}}
  const place =
    (await nextRow(cache, count, from.row, direction, signal)) ??
    (await nextRow(cache, count, direction > 0 ? -1 : count, direction, signal))
  if (!place || signal.aborted) return null
  const [row] = await cache.rows({first: place.index, last: place.index}, signal)
  const found = row && errorIn(row, direction > 0 ? -1 : Infinity, direction)
  return {cell: {row: place.index, col: found ?? 0}, place}
}

/** The column of the next error of a row after a column, or before it. */
export function errorIn(row: GridRow, after: number, direction: 1 | -1): number | null {
  const cols = row.cells.flatMap((cell, col) => {
    const isBeyond = direction > 0 ? col > after : col < after
    return isBeyond && cell.issues.some(issue => issue.severity === 'error') ? [col] : []
  })
  return (direction > 0 ? cols[0] : cols.at(-1)) ?? null
}

/** What is announced of an error: which one it is, as far as that is known, and what is wrong. */
export function errorSaid(place: ErrorPlace, cell: GridCell | undefined, said: GridLabels): string {
  const {ordinal, total} = place
  const which = ordinal && total ? [filled(said.errorOf, {ordinal, total})] : []
  return [...which, ...(cell?.issues ?? []).map(issue => issue.message)].join('. ')
}

async function nextRow(
  cache: BlockCache,
  count: number,
  after: number,
  direction: 1 | -1,
  signal: AbortSignal,
): Promise<ErrorPlace | null> {
  if (cache.source.nextError) return cache.source.nextError(after, direction, signal)
  for (let at = after + direction; at >= 0 && at < count && !signal.aborted; ) {
    const block = Math.floor(at / BLOCK_ROWS) * BLOCK_ROWS
    const span = {first: block, last: Math.min(count, block + BLOCK_ROWS) - 1}
    const rows = await cache.rows(span, signal)
    for (; at >= span.first && at <= span.last; at += direction) {
      const row = rows[at - block]
      if (row && !row.excluded && errorIn(row, -1, 1) !== null) return {index: at}
    }
  }
  return null
}
