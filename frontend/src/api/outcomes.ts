/** What became of imported rows, as the engine says it. */

import type {Json} from './shapes.js'

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
}

export interface Delivery {
  rowCount: number
  results: HostResult[] | null
}
