/** What became of imported rows, and of changes that a worker makes, as the engine says it. */

import type {ApplyMode, Counts, ImportState, Json, JsonObject, Mapping, ProblemBody} from './shapes.js'

export interface ChangedRow {
  row: number
  status: 'new' | 'changed' | 'unchanged' | 'unclear'
  differences: {field: string; before: Json; after: Json}[]
}

export interface ChangedRows {
  items: ChangedRow[]
  total: number
}

/** What a receiver said of one row; `row` counts those of its delivery. */
export interface HostResult {
  row: number
  status: string
  message?: string
  refused?: boolean
}

/** A host that the rows were sent to, and what a revert would do there. */
export interface Receiver {
  registrationId: string
  label: string
  told: boolean
  /** Why it would not be told. */
  reason: string
  rowCount: number
  /** Until when it can be told; null where it is not. */
  until: string | null
}

export interface Delivery {
  rowCount: number
  results: HostResult[] | null
}

export interface Changeset {
  id: string
  state: 'staged' | 'applied' | 'reverting' | 'reverted' | 'discarded'
  applyMode: ApplyMode
  counts: Counts & {new?: number; changed?: number; unchanged?: number; unclear?: number}
  hostTold: boolean | null
  revertNotes: {code: string; registrationId?: string}[]
  receivers: Receiver[]
  /** Those of most rows first. */
  changedFields: {field: string; rows: number}[]
}

/** A change that is too large for one call: a worker makes all of it, or nothing. */
export interface BulkChange {
  changeId: string
  recordId: string
  state: 'running' | 'done' | 'failed' | 'cancelled'
  stage: string
  /** Rows of the stage. */
  done: number
  total: number
  revision: number | null
  cells: number
  problem: ProblemBody | null
}

export type ResultRow = Record<string, Json>

export interface ResultsPage {
  recordId: string
  changesetId: string
  rowCount: number
  mapping: Mapping
  items: ResultRow[]
  rowIssues: JsonObject[]
  next: string | null
}

export interface Correction {
  correctionId: string
  state: ImportState
  problem: ProblemBody | null
  comparison: {
    changedRows: number
    changedCells: number
    unchangedRows: number
    staleRows: number
    unknownLines: number
  } | null
}

/** Who did something, as they said. */
export interface Actor {
  kind: 'person' | 'agent' | 'system'
  id: string
  label: string
}

/** An answer that was given for an earlier import: when first, and by whom. */
export interface Recalled {
  answerId: string
  givenAt: string | null
  givenBy: Actor | null
  confirmedBy: Actor | null
}
