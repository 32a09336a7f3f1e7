/** Decide about a changeset: approve it, discard it, revert it. */

import type {Changeset} from '../api/outcomes.js'
import type {Flow} from './flow.js'

/** Decide about a changeset. apply: approve what waits. discard: refuse it, or a requested revert. */
export function decide({engine, recordId}: Pick<Flow, 'engine' | 'recordId'>, id: string, how: 'apply' | 'discard' | 'revert'): Promise<Changeset> {
  return engine.transport.json(`changesets/${id}/${how}`, {method: 'POST', body: {}, headers: {'x-for-import': recordId}})
}
