/** What the engine says over HTTP, as far as the widget reads it. */

import type {BulkChange, Recalled} from './outcomes.js'

export type ImportState =
  | 'received' | 'reading' | 'mapping' | 'transforming' | 'review' | 'staged'
  | 'applying' | 'applied' | 'reverting' | 'reverted' | 'failed' | 'cancelled'

export type ApplyMode = 'webhook' | 'browser'
export type InvalidRows = 'block' | 'exclude' | 'include'
export type Handling = 'fix' | 'exclude' | 'include'
export type Json = null | boolean | number | string | Json[] | {[name: string]: Json}
export type JsonObject = {[name: string]: Json}

export interface ProblemBody {
  title?: string
  status?: number
  code?: string
  detail?: string
  errors?: {pointer?: string; detail?: string}[]
  missing?: {entity: string; field: string; label: string}[]
  [member: string]: unknown
}

export interface Counts {
  sourceRows?: number
  skipped?: number
  rows?: number
  valid?: number
  warning?: number
  error?: number
  excluded?: number
  imported?: number
  failed?: number
}

export interface DeliverySummary {
  id: string
  registrationId: string
  state: 'pending' | 'sending' | 'delivered' | 'rejected' | 'exhausted' | 'cancelled'
  attempts: number
}

/** Whether the caller may cancel an import, and undo or redo a change of it, as it stands. */
export interface Moves {
  cancel: boolean
  undo: boolean
  redo: boolean
}

export interface ImportRecord {
  recordId: string
  catalogKey: string
  catalogVersion: number
  state: ImportState
  progress: {stage: string; done: number; total: number | null; rate: number | null}
  counts: Counts
  problem: ProblemBody | null
  waitsFor: ('mapping' | 'questions' | 'apply')[]
  /** Absent: an engine that says nothing of it. */
  may?: Moves
  changesetId: string | null
  /** The change that a worker makes now; absent: an engine that says nothing of it. */
  rowsChange?: BulkChange | null
  deliveries: DeliverySummary[]
  filename: string
  size: number
  duplicateOf: string | null
  revision: number
  createdAt: string
  purgedAt: string | null
  importToken?: string
}

/** What `license/verify` says of the caller; a session says more. */
export interface Verified {
  verified: boolean
  expiresAt?: string
  /** What the caller may do beyond mapping and correcting; absent: an engine that says nothing of it. */
  rights?: string[]
  session?: {
    catalogKey: string | null
    applyMode: ApplyMode
    /** What may be done to rows with errors. */
    invalidRows: Handling[]
  }
}

export interface CatalogSummary {
  key: string
  title: string
  version: number
}

export interface CatalogField {
  key: string
  label?: string
  /** `string` where the catalog names none. */
  columnType?: string
  outputFormat?: string | null
  required?: boolean
  description?: string
  example?: string | null
  hidden?: boolean
  disabled?: boolean
  allowCustomOptions?: boolean
  dropdownOptions?: {label: string; value: string | number}[] | null
}

export interface Catalog {
  key: string
  title: string
  version: number
  keySeparator?: string
  entries: {id: string; label?: string; fields: CatalogField[]}[]
}

export interface Table {
  sheet: string | null
  member: string | null
  page: number | null
  headerRows: number[]
  columns: string[]
  preview: (string | null)[][]
  rowCount: number | null
  encoding: string | null
  delimiter: string | null
  confidence: number
  skipped: Record<string, number>
}

export interface Tables {
  chosen: number
  tables: Table[]
  issues: {message?: string}[]
}

export interface Reading {
  table?: number
  headerRows?: number[]
  encoding?: string
  delimiter?: string
}

export interface ProposedColumn {
  column: string
  field: string | null
  score: number
  reason: string
  decidedBy: {kind: 'question' | 'answer' | 'profile' | 'contract'; id: string} | null
  alternatives: {field: string; score: number}[]
  samples: string[]
}

export type Mapping = Record<string, string>
export type RecipeStep = JsonObject & {do: string}
export interface Recipe {
  version: number
  steps: RecipeStep[]
}

export interface Proposal {
  columns: ProposedColumn[]
  proposed: {mapping: Mapping; recipe: Recipe | null}
  mapping: Mapping | null
  recipe: Recipe | null
}

export interface Candidate {
  value: Json
  label: string
  score: number | null
  effect: string
}

export interface Question {
  id: string
  kind: string
  state: 'open' | 'answered' | 'dismissed' | 'superseded'
  blocking: boolean
  field: string
  columns: string[]
  candidates: Candidate[]
  evidence: string[]
  default: Json
  answer: Json
  /** Where the answer was given for an earlier import. */
  recalled?: Recalled | null
}

export interface Values {
  field: string
  unmatched: {value: string; count: number}[]
  options: {value: string | number; label: string}[]
  settled: Record<string, Json>
}

export interface RowIssue {
  field: string | null
  code: string
  severity: 'error' | 'warning'
  message: string
  value: string | null
  hint: string
}

export interface Row {
  row: number
  sourceRow: number
  sheet: string | null
  page: number | null
  severity: 'valid' | 'warning' | 'error'
  excluded: boolean
  edited: string[]
  values: Record<string, Json>
  /** What the values were read from: an edit starts from it. */
  texts?: Record<string, string | null>
  issues: RowIssue[]
  /** The fields whose long texts are cut: the row is too large to be shown whole. */
  cut?: string[]
}

export type Filter = 'all' | 'valid' | 'warning' | 'error' | 'edited' | 'excluded'

export interface View {
  filter: Filter
  field?: string | null
  code?: string | null
  search?: string
  sort?: {field: string; descending: boolean} | null
  asOf?: number
}

export interface RowsPage {
  revision: number
  current: number
  total: number
  /** As many as were asked for, or fewer where they are very wide. */
  rows: Row[]
  /** Where the next page begins; null on the last. */
  next: number | null
}

export interface IssueGroup {
  code: string
  field: string | null
  severity: 'error' | 'warning'
  count: number
  row: number
  message: string
}

export interface Edit {
  row: number
  field: string
  text: string | null
}

export interface Changed {
  revision: number
  counts: Counts
  cells?: number
}

export interface Preview {
  revision: number
  cells: number
  /** Rows that were looked at; all of them, where it is complete. */
  of: number
  complete?: boolean
  samples: {row: number; field: string; before: string | null; after: string | null}[]
}

export interface LeftOutRow {
  row: number
  sourceRow: number
  sheet: string | null
  page: number | null
  reason: string
  step: number | null
  text: string
}

export interface LeftOut {
  counts: Record<string, number>
  takeBack: number[]
  items: LeftOutRow[]
  next: string | null
}
