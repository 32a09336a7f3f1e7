/** What the page around the element said, and how it is told. */

import type {ResultRow} from '../api/outcomes.js'
import type {ApplyMode, JsonObject, Mapping} from '../api/shapes.js'
import type {Say} from '../messages/catalogue.js'
import type {Format} from '../ui/format.js'

export interface ImportResults {
  recordId: string
  catalogKey: string
  rowCount: number
  rows: ResultRow[]
  mapping: Mapping
}

export type OnResults = (results: ImportResults) => unknown
export type OnResultsChunk = (rows: ResultRow[], place: {index: number; total: number}) => unknown

export interface Page {
  readonly apiBaseUrl: string
  readonly catalogKey: string
  readonly applyMode: ApplyMode
  readonly recordId: string
  readonly maxFileSize: number
  readonly context: JsonObject | null
  readonly showAllSteps: boolean
  readonly showImports: boolean
  readonly onResults: OnResults | null
  readonly onResultsChunk: OnResultsChunk | null
  readonly say: Say
  /** The language of the sentences, ours and the engine's, such as `de`. */
  readonly language: string
  readonly format: Format
  /** The license key, or a short-lived one of `fetchKey`; empty when there is none. */
  key(again: boolean): Promise<string>
  dispatchEvent(event: Event): boolean
  requestUpdate(): void
}
