import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {BlockCache} from '../../src/grid/blocks.js'
import {HeldSource, row} from './rows.js'

const COUNT = 1_000_000
const changed = vi.fn()
const failed = vi.fn()

function cacheOf(source: HeldSource, most = 50): BlockCache {
  return new BlockCache(source, {changed, failed, most})
}

beforeEach(() => {
  vi.useFakeTimers()
  changed.mockClear()
  failed.mockClear()
})
afterEach(() => void vi.useRealTimers())

describe('rows that are wanted', () => {
  test('are fetched by blocks of a hundred, once', async () => {
    const source = new HeldSource()
    const cache = cacheOf(source)
    cache.want({first: 90, last: 120}, COUNT)
    cache.want({first: 91, last: 121}, COUNT)
    expect(source.requests.map(request => request.offset)).toEqual([0, 100])
    await source.requests[1]?.answer()
    expect(cache.row(120)?.row).toBe(120)
    expect(cache.row(90)).toBeUndefined()
    expect(changed).toHaveBeenCalledTimes(1)
  })

  test('no longer are not waited for', async () => {
    const source = new HeldSource()
    const cache = cacheOf(source)
    cache.want({first: 0, last: 30}, COUNT)
    cache.want({first: 5000, last: 5030}, COUNT)
    expect(source.requests[0]?.signal.aborted).toBe(true)
    await source.requests[0]?.answer()
    expect(cache.row(0)).toBeUndefined()
    expect(changed).not.toHaveBeenCalled()
  })

  test('push out those that were not wanted for longest', async () => {
    const source = new HeldSource()
    const cache = cacheOf(source, 3)
    for (const block of [0, 1, 2, 0, 3]) {
      cache.want({first: block * 100, last: block * 100 + 20}, COUNT)
      await source.requests.at(-1)?.answer()
    }
    cache.want({first: 300, last: 320}, COUNT)
    expect(cache.size).toBe(3)
    expect(cache.row(0)?.row).toBe(0)
    expect(cache.row(100)).toBeUndefined()
  })

  test('far from the focused one do not push it out', async () => {
    const source = new HeldSource()
    const cache = cacheOf(source, 2)
    for (const block of [0, 1, 2, 3, 4]) {
      cache.want({first: block * 100, last: block * 100 + 20}, COUNT, 7)
      await source.requests.at(-1)?.answer()
    }
    expect(cache.row(7)?.row).toBe(7)
    expect(cache.row(100)).toBeUndefined()
  })

  test('beyond the last one are not asked for', () => {
    const source = new HeldSource()
    cacheOf(source).want({first: 0, last: 250}, 150)
    expect(source.requests.map(request => request.offset)).toEqual([0, 100])
  })
})

describe('rows that are out of date', () => {
  test('are shown until fresh ones are there', async () => {
    let text = 'old'
    const source = new HeldSource(index => row(index, [text]))
    const cache = cacheOf(source)
    cache.want({first: 0, last: 20}, COUNT)
    await source.requests[0]?.answer()
    text = 'new'
    cache.expire()
    cache.want({first: 0, last: 20}, COUNT)
    expect(cache.row(0)?.cells[0]?.text).toBe('old')
    await source.requests[1]?.answer()
    expect(cache.row(0)?.cells[0]?.text).toBe('new')
  })

  test('do not come back by an answer that was under way', async () => {
    const source = new HeldSource()
    const cache = cacheOf(source)
    cache.want({first: 0, last: 20}, COUNT)
    cache.expire()
    await source.requests[0]?.answer()
    expect(cache.row(0)).toBeUndefined()
  })
})

describe('a request that fails', () => {
  test('is told, and tried again after a while that grows', async () => {
    const source = new HeldSource()
    const cache = cacheOf(source)
    changed.mockImplementation(() => cache.want({first: 0, last: 20}, COUNT))
    cache.want({first: 0, last: 20}, COUNT)
    await source.requests[0]?.fail()
    expect(failed).toHaveBeenCalledTimes(1)
    expect(source.requests).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    await source.requests[1]?.fail()
    vi.advanceTimersByTime(1000)
    expect(source.requests).toHaveLength(2)
    vi.advanceTimersByTime(1000)
    await source.requests[2]?.answer()
    expect(cache.row(3)?.row).toBe(3)
    changed.mockReset()
  })
})

test('rows of several blocks are given whole, kept ones without a request', async () => {
  const source = new HeldSource()
  const cache = cacheOf(source)
  cache.want({first: 100, last: 120}, COUNT)
  await source.requests[0]?.answer()
  const rows = cache.rows({first: 95, last: 104}, new AbortController().signal)
  await source.requests[1]?.answer()
  expect((await rows).map(each => each.row)).toEqual([95, 96, 97, 98, 99, 100, 101, 102, 103, 104])
  expect(source.requests).toHaveLength(2)
})
