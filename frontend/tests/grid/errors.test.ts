import {expect, test, vi} from 'vitest'
import {BlockCache} from '../../src/grid/blocks.js'
import {findError} from '../../src/grid/errors.js'
import type {RowSource} from '../../src/grid/types.js'
import {readySource, row} from './rows.js'

const COUNT = 350
const ROWS = Array.from({length: COUNT}, (_, index) => row(index, ['a', 'b', 'c'], index === 120 || index === 340 ? [0, 2] : []))
const {signal} = new AbortController()

function cacheOf(source: RowSource): BlockCache {
  return new BlockCache(source, {changed: vi.fn(), failed: vi.fn()})
}

test.each([
  [{row: 0, col: 0}, 1, {row: 120, col: 0}],
  [{row: 120, col: 1}, 1, {row: 340, col: 0}],
  [{row: 340, col: 2}, 1, {row: 120, col: 0}], // starts again
  [{row: 200, col: 0}, -1, {row: 120, col: 2}],
  [{row: 10, col: 0}, -1, {row: 340, col: 2}],
] as const)('from %o, direction %d, the next error is at %o', async (from, direction, expected) => {
  const found = await findError(cacheOf(readySource(ROWS)), COUNT, from, direction, signal)
  expect(found?.cell).toEqual(expected)
})

test('the next error of the same row comes first', async () => {
  const cache = cacheOf(readySource(ROWS))
  cache.want({first: 110, last: 130}, COUNT)
  await vi.waitFor(() => expect(cache.row(120)).toBeDefined())
  expect((await findError(cache, COUNT, {row: 120, col: 0}, 1, signal))?.cell).toEqual({row: 120, col: 2})
})

test('a source that knows its errors is asked', async () => {
  const nextError = vi.fn(() => Promise.resolve({index: 340, ordinal: 2, total: 2}))
  const found = await findError(cacheOf({...readySource(ROWS), nextError}), COUNT, {row: 0, col: 0}, 1, signal)
  expect(nextError).toHaveBeenCalledWith(0, 1, signal)
  expect(found).toEqual({cell: {row: 340, col: 0}, place: {index: 340, ordinal: 2, total: 2}})
})

test('rows without errors have none', async () => {
  const fine = ROWS.map(each => row(each.row, ['a']))
  expect(await findError(cacheOf(readySource(fine)), COUNT, {row: 0, col: 0}, 1, signal)).toBeNull()
})
