import {expect, test, vi} from 'vitest'

import type {ApplyMode} from '../src/api/shapes.js'
import type {Flow} from '../src/flow/flow.js'
import {apply} from '../src/flow/applying.js'
import {verified} from '../src/flow/modes.js'
import {handOver} from '../src/flow/results.js'

vi.spyOn(console, 'error').mockImplementation(() => undefined)

/** A flow on a page, with an engine that notes what it was asked to do. */
function flowOn(page: object, sessions: ApplyMode[] = []) {
  const done: string[] = []
  const engine = {
    verify: async () => {
      const applyMode = sessions.shift()
      return {verified: true, ...(applyMode ? {session: {applyMode}} : {})}
    },
    apply: async (_: string, mode: string) => done.push(`apply ${mode}`),
    results: async () => ({items: [{sku: 'A'}], rowCount: 1, mapping: {}, next: null}),
    acknowledge: async () => done.push('acknowledge'),
  }
  const flow = {
    engine, recordId: 'rec_1', isApplying: false, verified: null as {session?: {applyMode: ApplyMode}} | null,
    page: {applyMode: 'webhook', onResults: null, onResultsChunk: null, say: (key: string) => key, dispatchEvent: () => true, ...page},
    get applyMode() { return this.verified?.session?.applyMode ?? this.page.applyMode },
    change: (work: () => Promise<unknown>) => work(),
  }
  return {flow: flow as unknown as Flow, done}
}

test.each(['xyz', '', 'Browser'])('the mode %o fails at the start, before the engine is asked', async applyMode => {
  const {flow} = flowOn({applyMode})

  await expect(verified(flow)).rejects.toMatchObject({code: 'unknown_apply_mode', kind: 'misused', isRetryable: false})
})

test('a page that takes no rows is refused before they are applied', async () => {
  const {flow, done} = flowOn({applyMode: 'browser'})

  await expect(apply(flow, 'block')).rejects.toMatchObject({code: 'no_on_results', kind: 'misused'})

  expect(done).toEqual([])
  expect(flow.isApplying).toBe(false)
})

test.each(['onResults', 'onResultsChunk'])('a page with %s takes the rows', async name => {
  const {flow, done} = flowOn({applyMode: 'browser', [name]: () => undefined})

  await apply(flow, 'block')
  await handOver(flow)

  expect(done).toEqual(['apply browser', 'acknowledge'])
})

test('the mode is that of the session of now, not of the one at the start', async () => {
  const {flow, done} = flowOn({applyMode: 'browser', onResults: () => undefined}, ['webhook', 'browser'])
  flow.verified = await verified(flow)

  await apply(flow, 'block')

  expect(done).toEqual(['apply browser'])
})

test.each([
  ['throws', () => { throw new Error('full') }],
  ['rejects', () => Promise.reject(new Error('full'))],
])('rows that a page %s are not acknowledged', async (_, onResults) => {
  for (const page of [{onResults}, {onResultsChunk: onResults, onResults: () => undefined}]) {
    const {flow, done} = flowOn({applyMode: 'browser', ...page})

    await expect(handOver(flow)).rejects.toMatchObject({code: 'results_not_taken', kind: 'not_taken'})

    expect(done).toEqual([])
  }
})

test('rows that a page no longer takes are not acknowledged', async () => {
  const {flow, done} = flowOn({applyMode: 'browser'})

  await expect(handOver(flow)).rejects.toMatchObject({code: 'no_on_results'})

  expect(done).toEqual([])
})

test('pages of any length become chunks of 5,000 rows', async () => {
  const chunks: [number, number, number][] = []
  const onResultsChunk = (rows: unknown[], {index, total}: {index: number, total: number}) => { chunks.push([rows.length, index, total]) }
  const {flow} = flowOn({applyMode: 'browser', onResultsChunk, onResults: () => undefined})
  const results = async (_: string, cursor: string | null) => {
    const start = Number(cursor ?? 0)
    const count = Math.min(700, 11_000 - start)
    const end = start + count
    return {items: Array.from({length: count}, () => ({})), rowCount: 11_000, mapping: {}, next: end < 11_000 ? String(end) : null}
  }
  Object.assign(flow.engine, {results})

  await handOver(flow)

  expect(chunks).toEqual([[5000, 0, 3], [5000, 1, 3], [1000, 2, 3]])
})
