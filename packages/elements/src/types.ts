/** What a page may set on the elements, call, and hear. `frontend/` is checked against it. */

export type Json = null | boolean | number | string | Json[] | {[name: string]: Json}
export type ResultRow = Record<string, Json>

export interface ImportResults {
  recordId: string
  catalogKey: string
  rowCount: number
  rows: ResultRow[]
  mapping: Record<string, string>
}

/** One row of the review, frozen; texts that are too long to be shown whole are left out. */
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

/** What a page may set, by property; an attribute has the same name with hyphens. */
export interface ServiceImportProperties {
  /** The engine's address. */
  apiBaseUrl: string
  /** Return a session's token: asked at the start, and again when the session ended. */
  fetchKey: (() => Promise<string>) | null
  /** A license key, for pages without a server. */
  licenseKey: string
  catalogKey: string
  applyMode: 'webhook' | 'browser'
  /** An import to go on with. */
  recordId: string
  display: 'inline' | 'modal'
  theme: 'light' | 'dark' | 'auto'
  locale: string
  /** The most bytes of a file; 0: the engine's limit. */
  maxFileSize: number
  showAllSteps: boolean
  showImports: boolean
  /** Whether the seconds of each step stay in the page. */
  noStepTimes: boolean
  /** What the file picker offers: `.csv,.xlsx`. */
  accept: string
  /** Sentences of yours, by key. */
  messages: {readonly [key: string]: string}
  /** Delivered as `meta.page`. */
  context: {[name: string]: Json} | null
  /** The rows in browser mode; the last screen waits for what it returns. */
  onResults: ((results: ImportResults) => unknown) | null
  /** Up to 5,000 rows at a time. */
  onResultsChunk: ((rows: ResultRow[], place: {index: number; total: number}) => unknown) | null
  /** Up to 500 rows of the review at a time: what the page thinks of them, and the values it proposes. */
  onRows: OnRows | null
}

export interface ServiceImport extends HTMLElement, ServiceImportProperties {
  open(): void
  /** Hide the widget; it asks first when an import is under way. */
  close(): void
  reset(): void
  setFile(file: File | Blob | ArrayBuffer, name?: string): void
  setRows(rows: Json[]): void
  goTo(step: ImportStep): void
}

export type ImportStep = 'upload' | 'table' | 'columns' | 'review' | 'import'

/** The details of the events of `<service-import>`. */
export interface ImportEventDetails {
  'import-applied': {
    rowCount: number
    recordId: string
    /** Where there is exactly one delivery. */
    deliveryId: string | null
    deliveryIds: string[]
    catalogKey: string
  }
  'import-ready': {catalogKey: string}
  'import-step': {step: ImportStep; previous: ImportStep | null}
  'import-file': {name: string; size: number; type: string}
  'import-progress': {phase: 'upload' | 'read' | 'apply' | 'results'; done: number; total: number | null}
  'import-question': {questionId: string}
  'import-error': {code: string; status: number; message: string; retryable: boolean}
  'import-cancel': {recordId: string | null}
  'import-closed': null
  /** Values that `onRows` proposed, and the catalog does not take. */
  'import-rows-refused': {refused: {row: number; field: string; code: string}[]}
  'import-rows-failed': {
    reason: 'threw' | 'timed_out' | 'nothing' | 'not_understood' | 'too_large' | 'other_rows'
    message: string
  }
}

export type ImportEventMap = {[Name in keyof ImportEventDetails]: CustomEvent<ImportEventDetails[Name]>}
export type ImportAppliedEvent = ImportEventMap['import-applied']
export type ImportErrorEvent = ImportEventMap['import-error']

export interface ServiceCatalogEditorProperties {
  apiBaseUrl: string
  fetchKey: (() => Promise<string>) | null
  licenseKey: string
  catalogKey: string
  transport: 'license' | 'session'
  tenant: string
  readOnly: boolean
  theme: 'light' | 'dark' | 'auto'
  locale: string
}

export interface ServiceCatalogEditor extends HTMLElement, ServiceCatalogEditorProperties {}

export interface EditorEventMap {
  'catalog-published': CustomEvent<{key: string; version: number}>
  'catalog-opened': CustomEvent<{key: string | null}>
}

declare global {
  interface HTMLElementTagNameMap {
    'service-import': ServiceImport
    'service-catalog-editor': ServiceCatalogEditor
  }
  interface HTMLElementEventMap extends ImportEventMap, EditorEventMap {}
}
