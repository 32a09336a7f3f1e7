/** Apply rows, and approve what waits for approval. */

import type {Wishes} from '../api/engine.js'
import {EngineProblem} from '../api/problem.js'
import type {InvalidRows} from '../api/shapes.js'
import {decide} from './deciding.js'
import type {Flow} from './flow.js'
import {whenKnown} from './looking_up.js'
import {misused, verified} from './modes.js'

/**
 * Apply the rows in the mode that the key has now; a page that takes no rows is refused before.
 *
 * decide: hears why it was refused, and returns nothing where a person has nothing to decide. The
 * apply is then made again with what was decided.
 */
export function apply(flow: Flow, invalidRows: InvalidRows, wishes: Wishes = {}, decide?: (problem: EngineProblem) => Promise<void> | undefined): Promise<boolean> {
  const {engine, recordId} = flow
  return flow.change(async () => {
    await begin(flow)
    try {
      return await whenKnown(() => engine.apply(recordId, flow.applyMode, invalidRows, wishes))
    } catch (error) {
      const decided = error instanceof EngineProblem ? decide?.(error) : undefined
      if (!decided) throw error
      flow.isApplying = false
      return decided
    }
  })
}

/** Approve what waits, in the mode that the key has now, as if this page applied it. */
export function approve(flow: Flow, changesetId: string): Promise<boolean> {
  return flow.change(async () => {
    await begin(flow)
    return decide(flow, changesetId, 'apply').catch((error: unknown) => {
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
