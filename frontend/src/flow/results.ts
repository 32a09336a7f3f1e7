/** Browser mode: give the applied rows to the page, then tell the engine that they are there. */

import type {ResultRow} from '../api/shapes.js'
import * as events from '../widget/events.js'
import type {Flow} from './flow.js'

const PAGE_ROWS = 1000
const CHUNK_PAGES = 5

export async function handOver(flow: Flow): Promise<void> {
  const {engine, page, recordId} = flow
  const rows: ResultRow[] = []
  let chunk: ResultRow[] = []
  let [cursor, index, pages]: [string | null, number, number] = [null, 0, 0]
  for (;;) {
    const got = await engine.results(recordId, cursor, PAGE_ROWS)
    pages += 1
    if (page.onResultsChunk) chunk.push(...got.items)
    else rows.push(...got.items)
    const isChunk = page.onResultsChunk && (pages % CHUNK_PAGES === 0 || got.next === null)
    if (isChunk) {
      await page.onResultsChunk!(chunk, {index, total: Math.max(1, Math.ceil(got.rowCount / (PAGE_ROWS * CHUNK_PAGES)))})
      ;[chunk, index] = [[], index + 1]
    }
    page.dispatchEvent(events.importProgress({phase: 'results', done: Math.min(pages * PAGE_ROWS, got.rowCount), total: got.rowCount}))
    cursor = got.next
    if (cursor !== null) continue
    await page.onResults?.({recordId, catalogKey: flow.catalog?.key ?? '', rowCount: got.rowCount, rows, mapping: got.mapping})
    break
  }
  await engine.acknowledge(recordId)
}
