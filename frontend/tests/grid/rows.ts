/** Rows and sources for the tests of the grid. */

import type {GridRow, RowSource} from '../../src/grid/types.js'

export function row(number: number, texts: readonly string[], wrong: readonly number[] = []): GridRow {
  const cells = texts.map((text, col) => ({
    value: text,
    text,
    issues: wrong.includes(col) ? [{code: 'wrong', severity: 'error' as const, message: 'Wrong.'}] : [],
  }))
  return {row: number, cells}
}

interface Request {
  readonly offset: number
  readonly signal: AbortSignal
  answer(): Promise<void>
  fail(): Promise<void>
}

/** A source whose requests wait until a test answers them. */
export class HeldSource implements RowSource {
  readonly requests: Request[] = []

  constructor(readonly made: (index: number) => GridRow = index => row(index, [`text ${index}`])) {}

  fetch(offset: number, limit: number, signal: AbortSignal): Promise<GridRow[]> {
    let resolve: (rows: GridRow[]) => void = () => undefined
    let reject: (error: Error) => void = () => undefined
    const promise = new Promise<GridRow[]>((take, refuse) => {
      resolve = take
      reject = refuse
    })
    const settled = () =>
      promise.then(
        () => undefined,
        () => undefined,
      )
    this.requests.push({
      offset,
      signal,
      answer: () => (resolve(Array.from({length: limit}, (_, at) => this.made(offset + at))), settled()),
      fail: () => (reject(new Error('unreachable')), settled()),
    })
    return promise
  }
}

/** A source that answers at once. */
export function readySource(rows: readonly GridRow[]): RowSource {
  return {fetch: (offset, limit) => Promise.resolve(rows.slice(offset, offset + limit))}
}
