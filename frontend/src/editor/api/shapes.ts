/** What the engine answers the editor. */

import type {Catalog} from '../model/catalog.js'

export interface Actor {
  kind: 'person' | 'agent' | 'system'
  id: string
  label: string
}

export interface Finding {
  pointer: string
  code: string
  severity: 'error' | 'warning'
  detail: string
}

export interface Version {
  key: string
  version: number
  state: 'draft' | 'published' | 'retired'
  title: string
  note: string
  savedAt: string
  savedBy: Actor
  publishedAt: string | null
  publishedBy: Actor | null
}

export interface CheckedVersion extends Version {
  findings: Finding[]
}

export interface Listed<T> {
  items: T[]
  next: string | null
}

export interface Overview {
  key: string
  title: string
  state: 'published' | 'draft' | 'retired'
  published: {version: number; publishedAt: string; publishedBy: Actor} | null
  draft: {version: number; etag: string; savedAt: string; savedBy: Actor; note: string; changes: number | null} | null
  fields: number
  lastImport: {recordId: string; at: string; rows: number | null; state: string} | null
  openQuestions: number
  openImports: number
}

export type ChangeClass = 'compatible' | 'stricter' | 'breaking'

export interface Change {
  pointer: string
  kind: 'added' | 'removed' | 'changed' | 'moved'
  subject: {entity: string | null; field: string | null; label: string}
  property: string | null
  before: unknown
  after: unknown
  class: ChangeClass
  sentence: string
}

export interface Changes {
  from: number | null
  to: number | 'draft'
  changes: Change[]
  classes: Record<ChangeClass, number>
}

export interface RowsImpact {
  recordId: string
  state: string
  looked: number | null
  wouldFail: number | null
  missing: string[] | null
  rules: {pointer: string; entity: string; field: string; code: string; rows: number; example: {value: string | null; message: string} | null}[] | null
}

export interface Impact {
  contracts: {contractId: string; title: string; breaking?: boolean}[]
  profiles?: {id: string; scope: string; columns: Record<string, string>}[]
  openImports?: {recordId: string; filename: string; version: number; state: string}[]
  openImportCount?: number
  /** null: the rows have not been checked yet. */
  rows?: RowsImpact | null
}

export interface SampleColumn {
  column: string
  label: string
  key: string
  columnType: string
  outputFormat?: string | null
  selected: boolean
  evidence: string[]
  required: boolean
  unique: boolean
  options: number | unknown[] | null
  detectors: unknown[]
  samples: string[]
  /** Where most values are of one type and some are not. */
  agreed?: {columnType: string; values: number; of: number; odd: {sourceRow: number; text: string}[]} | null
}

export interface Inferred {
  recordId: string
  state: string
  filename: string
  rows: number | null
  problem: {title?: string; detail?: string; code?: string} | null
  suggestion: {title: string; key: string; catalog: Catalog; columns: SampleColumn[]} | null
}

export interface IssuedContract {
  contractId: string
  title: string
  catalogKey: string
  catalogVersion: number
  profileId: string
  keyId: string
  keyRevoked: boolean
  createdAt: string
  expiresAt: string | null
}

export interface Profile {
  id: string
  catalogKey: string
  savedAt: string
  savedBy: Actor
}

export interface Asked {
  kind: string
  columns: string[]
  field: string | null
  candidates: unknown[]
}

export interface TestedColumn {
  column: string
  samples: string[]
  field: string | null
  reason: string | null
  score: number | null
  question: Asked | null
  fits: number | null
  errors: number
  warnings: number
  empty: number
  publishedField: string | null
  publishedFits: number | null
}

export interface Counted {
  errors: number
  warnings: number
}

export interface Report {
  etag: string
  draftVersion: number
  publishedVersion: number | null
  columns: TestedColumn[]
  missing: string[]
  issues: {field: string; code: string; severity: string; draft: number; published: number | null; example: {row: number; value: string; message: string} | null}[]
  questions: Asked[]
  counts: {draft: Counted; published: Counted | null}
}

export interface Tested {
  recordId: string
  state: string
  filename: string
  rows: number | null
  table: string | null
  problem: {title?: string; detail?: string; code?: string} | null
  report: Report | null
}

export interface KeptTest {
  id: string
  name: string
  filename: string
  expected: unknown
  running: boolean
  last: {state: 'passes' | 'fails' | 'never'; at: string | null; etag: string | null; got: unknown; differences: string[] | null}
}
