/** What the page around the element said, and how it is told. */

import type {ResultRow} from '../api/outcomes.js'
import type {ApplyMode, Json, JsonObject, Mapping} from '../api/shapes.js'
import type {Say} from '../messages/catalogue.js'
import type {Format} from '../ui/format.js'
import type {importStep} from '../widget/events.js'

export interface ImportResults {
  recordId: string
  catalogKey: string
  rowCount: number
  rows: ResultRow[]
  mapping: Mapping
}

export type OnResults = (results: ImportResults) => unknown
export type OnResultsChunk = (rows: ResultRow[], place: {index: number; total: number}) => unknown

/** One row of the review, by itself: changing it changes nothing. */
export interface PageRow {
  /** Its number in the import, from 0. */
  readonly row: number
  /** By field path, as they are delivered. */
  readonly values: Readonly<Record<string, Json>>
  /** The fields with errors. */
  readonly errors: readonly string[]
}

/** What the page thinks of a cell: shown in the review, and nowhere else. */
export interface PageFinding {
  row: number
  field: string
  message: string
  severity?: 'error' | 'warning'
}

/** A value that the page proposes, as it is delivered. */
export interface PageProposal {
  row: number
  field: string
  value: Json
  reason?: string
}

export interface PageAdvice {
  findings?: readonly PageFinding[]
  proposals?: readonly PageProposal[]
}

export type OnRows = (
  rows: readonly PageRow[], about: {recordId: string; catalogKey: string; signal: AbortSignal},
) => PageAdvice | Promise<PageAdvice>

export interface Page {
  readonly apiBaseUrl: string
  readonly catalogKey: string
  readonly applyMode: ApplyMode
  readonly recordId: string
  readonly maxFileSize: number
  readonly context: JsonObject | null
  readonly showAllSteps: boolean
  readonly showImports: boolean
  readonly noStepTimes: boolean
  readonly onResults: OnResults | null
  readonly onResultsChunk: OnResultsChunk | null
  readonly onRows: OnRows | null
  readonly say: Say
  /** The language of the sentences, ours and the engine's, such as `de`. */
  readonly language: string
  readonly format: Format
  /** The license key, or a short-lived one of `fetchKey`; empty when there is none. */
  key(again: boolean): Promise<string>
  dispatchEvent(event: Event): boolean
  addEventListener(name: 'import-step', heard: (event: ReturnType<typeof importStep>) => void): void
  requestUpdate(): void
}
