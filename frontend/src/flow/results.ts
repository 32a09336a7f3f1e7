/** Browser mode: give the applied rows to the page, then tell the engine that they are there. */

import {EngineProblem} from '../api/problem.js'
import type {ResultRow} from '../api/outcomes.js'
import * as events from '../widget/events.js'
import type {Flow} from './flow.js'

const PAGE_ROWS = 1000
const CHUNK_ROWS = 5 * PAGE_ROWS

/** What the page does with rows; when that fails, the rows are not acknowledged, and can be given again. */
async function taken(given: unknown): Promise<void> {
  try {
    await given
  } catch (error) {
    console.error(error)
    throw new EngineProblem(0, {code: 'results_not_taken', detail: String(error)})
  }
}

export async function handOver(flow: Flow): Promise<void> {
  const {engine, page, recordId} = flow
  const rows: ResultRow[] = []
  let chunk: ResultRow[] = []
  let [cursor, index, done]: [string | null, number, number] = [null, 0, 0]
  for (;;) {
    const got = await engine.results(recordId, cursor, PAGE_ROWS)
    done += got.items.length
    if (page.onResultsChunk) chunk.push(...got.items)
    else rows.push(...got.items)
    const total = Math.max(1, Math.ceil(got.rowCount / CHUNK_ROWS))
    while (page.onResultsChunk && (chunk.length >= CHUNK_ROWS || (got.next === null && index < total))) {
      const given = chunk.splice(0, CHUNK_ROWS)
      await taken((async () => page.onResultsChunk!(given, {index, total}))())
      index += 1
    }
    page.dispatchEvent(events.importProgress({phase: 'results', done, total: got.rowCount}))
    cursor = got.next
    if (cursor !== null) continue
    if (!page.onResults && !page.onResultsChunk) throw new EngineProblem(0, {code: 'no_on_results', detail: page.say('results_detail')})
    const results = {recordId, catalogKey: flow.catalog?.key ?? '', rowCount: got.rowCount, rows, mapping: got.mapping}
    await taken((async () => page.onResults?.(results))())
    break
  }
  await engine.acknowledge(recordId)
}
