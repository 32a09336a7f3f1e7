/** Send what was typed; which column is which field is certain, so nothing is asked about it. */

import type {Engine} from '../api/engine.js'
import type {Flow} from './flow.js'
import type {Sheet} from './sheet.js'

export async function sendTyped(flow: Flow, sheet: Sheet): Promise<void> {
  const {rows, paths} = sheet.typed()
  const key = crypto.randomUUID() // of every try: rows that arrived are not sent twice
  await flow.attempt(async () => {
    try {
      await flow.createFromRows(rows, 'typed_name', key, false)
      await settleInOrder(flow.engine, flow.recordId, paths)
    } catch (error) {
      flow.show('typing')
      throw error
    }
    flow.sheet = null
    flow.record = await flow.engine.record(flow.recordId)
    await flow.follow()
  })
}

/** Settle the columns of an import as these fields, in their order, once it was read. */
async function settleInOrder(engine: Engine, recordId: string, paths: readonly string[]): Promise<void> {
  while (['received', 'reading'].includes((await engine.record(recordId, 10)).state));
  const {columns} = await engine.proposal(recordId)
  if (columns.length !== paths.length) return // the columns are settled in their own step
  const mapping = Object.fromEntries(columns.map(({column}, place) => [column, paths[place]!]))
  await engine.settle(recordId, {mapping, recipe: null}, false, true)
}
