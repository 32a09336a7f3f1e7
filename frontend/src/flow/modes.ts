/** Who receives the rows: what the page says of it is checked before anything is sent. */

import type {FieldPolicies} from '../api/engine.js'
import {EngineProblem} from '../api/problem.js'
import type {InvalidRows, Verified} from '../api/shapes.js'
import type {Flow} from './flow.js'

const MODES = ['webhook', 'browser']

/** Refuse mistakes of the page's developer; the error also appears in the console. */
function misused(code: string, detail: string): EngineProblem {
  console.error(`<service-import>: ${detail}`)
  return new EngineProblem(0, {code, detail})
}

/** Ask whether the key is accepted; a mode that does not exist is refused before. */
export async function verified({page, engine}: Flow): Promise<Verified> {
  if (!MODES.includes(page.applyMode)) throw misused('unknown_apply_mode', page.say('mode_detail', {mode: String(page.applyMode)}))
  return engine.verify()
}

/**
 * Apply the rows in the mode that the key has now; a page that takes no rows is refused before.
 *
 * decide: hears of the fields that wait for a decision; the apply is then made again with `fields`.
 */
export function apply(flow: Flow, invalidRows: InvalidRows, decide?: (problem: EngineProblem) => Promise<void>, fields?: FieldPolicies): Promise<boolean> {
  const {engine, recordId} = flow
  return flow.change(async () => {
    await begin(flow)
    try {
      return await engine.apply(recordId, flow.applyMode, invalidRows, fields)
    } catch (error) {
      if (!decide || !(error instanceof EngineProblem) || error.code !== 'undecided_fields') throw error
      flow.isApplying = false
      return decide(error)
    }
  })
}

/** Approve what waits, in the mode that the key has now, as if this page applied it. */
export function approve(flow: Flow, changesetId: string): Promise<boolean> {
  return flow.change(async () => {
    await begin(flow)
    return flow.engine.approve(changesetId, flow.recordId).catch((error: unknown) => {
      flow.isApplying = false
      throw error
    })
  })
}

/** Refuse a page that takes no rows; from then on the results are its own. */
async function begin(flow: Flow): Promise<void> {
  const {page} = flow
  flow.verified = await verified(flow)
  if (flow.applyMode === 'browser' && !page.onResults && !page.onResultsChunk) throw misused('no_on_results', page.say('results_detail'))
  flow.isApplying = true
}
