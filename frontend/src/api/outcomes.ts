/** What became of imported rows, and of changes that a worker makes, as the engine says it. */

import type {Answer, BulkChange, Shape} from './shapes.js'

export type {BulkChange}
export type ChangedRow = Shape<'ChangedRowOut'>
export type ChangedRows = Answer<'changesets_rows'>
/** What a receiver said of one row that it imported; `row` counts those of its delivery. */
export type HostResult = Shape<'HostResult'> & {status: string}
/** A host that the rows were sent to, and what a revert would do there. */
export type Receiver = Shape<'ReceiverOut'>
export type Delivery = Omit<Answer<'deliveries_read'>, 'results'> & {results: HostResult[] | null}
/** What one receiver reported about the rows, compared with what was delivered. */
export type ReceiverProof = Shape<'ReceiverProofOut'>
/** What the rows in review would change of what is known. */
export type Plan = Answer<'imports_plan'>
export type PlanItem = Plan['items'][number]
export type Changeset = Answer<'changesets_read'>
export type ResultsPage = Answer<'imports_results_retrieve'>
export type ResultRow = ResultsPage['items'][number]
export type Correction = Answer<'imports_corrections_read'>
/** Who did something, as they said. */
export type Actor = Shape<'ActorOut'>
/** An answer that was given for an earlier import: when first, and by whom. */
export type Recalled = Shape<'RecalledOut'>
