/** The calls of the widget, one method each. */

import type {BulkChange, ChangedRows, Changeset, Correction, Delivery, Plan, PlanItem, ResultsPage} from './outcomes.js'
import type {
  ApplyMode, Body, Catalog, CatalogSummary, Changed, CustomField, Edit, Edited, ImportRecord, InvalidRows,
  IssueGroup, Json, JsonObject, LeftOut, Mapping, Preview, Proposal, ProposedCell, Question, Reading, Recipe,
  RowsPage, Shape, ShownPage, Tables, Values, Verified, View,
} from './shapes.js'
import type {Transport} from './transport.js'

export interface NewImport {
  catalogKey: string
  filename?: string
  meta?: JsonObject
}

export interface Fix {
  field: string
  code: string
  readAs?: string
  text?: string | null
  exclude?: boolean
}

/** What an apply says of fields that wait for a decision, by their path. */
export type FieldPolicies = Record<string, Shape<'FieldPolicyInRequest'>>
/** What an apply says besides how rows are treated. */
export type Wishes = Pick<Body<'imports_apply_create'>, 'fields' | 'mode' | 'confirmMissing'>
export type Exported = 'error' | 'applied' | 'refused'

export interface Replacement {
  view: View
  inFields: string[]
  find: string
  replace: string
  whole: boolean
  matchCase: boolean
}

const enc = encodeURIComponent

export class Engine {
  readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  verify(): Promise<Verified> {
    return this.transport.json('license/verify')
  }

  catalogs(): Promise<CatalogSummary[]> {
    return this.transport.all('catalogs?limit=500')
  }

  /** A catalog, or an import's own. */
  catalog(path: string): Promise<Catalog> {
    return this.transport.json(path)
  }

  async template(key: string): Promise<Blob> {
    return (await this.transport.send(`catalogs/${enc(key)}/template`)).blob()
  }

  createFromFile(file: File, about: NewImport, key: string, signal: AbortSignal): Promise<ImportRecord> {
    const form = new FormData()
    form.append('catalogKey', about.catalogKey)
    form.append('autoMap', 'true')
    if (about.meta) form.append('meta', JSON.stringify(about.meta))
    form.append('file', file, file.name)
    return this.#create(form, key, signal)
  }

  createFromRows(rows: Json[], about: NewImport & {autoMap: boolean}, key: string): Promise<ImportRecord> {
    return this.#create({...about, rows}, key)
  }

  announce(size: number, about: NewImport, key: string, signal: AbortSignal): Promise<ImportRecord> {
    return this.#create({...about, autoMap: true, size}, key, signal)
  }

  record(id: string, wait = 0, signal?: AbortSignal): Promise<ImportRecord> {
    return this.transport.json(`imports/${id}${wait ? `?wait=${wait}` : ''}`, {signal})
  }

  cancel(id: string): Promise<ImportRecord> {
    return this.#post(`imports/${id}/cancel`)
  }

  retry(id: string): Promise<ImportRecord> {
    return this.#post(`imports/${id}/retry`)
  }

  /** How long a person saw a step; no import waits for it, and none fails with it. */
  sawStep(id: string, body: Body<'imports_steps_create'>): void {
    this.transport.send(`imports/${id}/steps`, {method: 'POST', body, keepalive: true}).catch(() => undefined)
  }

  unlock(id: string, password: string): Promise<ImportRecord> {
    return this.#post(`imports/${id}/password`, {password})
  }

  tables(id: string): Promise<Tables> {
    return this.transport.json(`imports/${id}/tables`)
  }

  page(id: string, table: number, page: number): Promise<ShownPage> {
    return this.transport.json(`imports/${id}/tables/${table}/page/${page}`)
  }

  read(id: string, reading: Reading): Promise<ImportRecord> {
    return this.#put(`imports/${id}/reading`, reading)
  }

  proposal(id: string): Promise<Proposal> {
    return this.transport.json(`imports/${id}/mapping`)
  }

  settle(id: string, draft: {mapping: Mapping, recipe: Recipe | null, customFields?: CustomField[]}, remember: boolean, allowMissing: boolean): Promise<ImportRecord> {
    return this.#put(`imports/${id}/mapping`, {...draft, remember, allowMissing})
  }

  values(id: string, field: string): Promise<Values> {
    return this.transport.json(`imports/${id}/values/${enc(field)}`)
  }

  settleValues(id: string, field: string, values: Record<string, Json>, remember: boolean): Promise<ImportRecord> {
    return this.#put(`imports/${id}/values/${enc(field)}`, {values, remember})
  }

  questions(id: string): Promise<Question[]> {
    return this.transport.all(`imports/${id}/questions?state=open&limit=500`)
  }

  answer(id: string, recordId: string, value: Json, remember: boolean): Promise<Question> {
    const headers = {'x-for-import': recordId}
    return this.transport.json(`questions/${id}/answer`, {method: 'POST', body: {value, remember}, headers})
  }

  dismiss(id: string, recordId: string): Promise<Question> {
    const headers = {'x-for-import': recordId}
    return this.transport.json(`questions/${id}/dismiss`, {method: 'POST', body: {}, headers})
  }

  acceptAll(id: string): Promise<unknown> {
    return this.#post(`imports/${id}/questions/accept`)
  }

  async issues(id: string): Promise<IssueGroup[]> {
    return (await this.transport.json<{issues: IssueGroup[]}>(`imports/${id}/issues`)).issues
  }

  rows(id: string, view: View, offset: number, limit: number, revision?: number, signal?: AbortSignal): Promise<RowsPage> {
    const body = {view, offset, limit, texts: true, ...(revision ? {revision} : {})}
    return this.transport.json(`imports/${id}/rows/query`, {method: 'POST', body, signal, reads: true})
  }

  edit(id: string, revision: number, change: {edits?: Edit[]; proposals?: ProposedCell[]; exclude?: number[]; include?: number[]}): Promise<Edited> {
    return this.transport.json(`imports/${id}/rows`, {method: 'PATCH', body: {revision, ...change}})
  }

  replace(id: string, revision: number, what: Replacement): Promise<Changed | BulkChange> {
    return this.#post(`imports/${id}/rows/replace`, {revision, ...what})
  }

  previewReplace(id: string, revision: number, what: Replacement): Promise<Preview> {
    return this.#post(`imports/${id}/rows/replace`, {revision, ...what, preview: true})
  }

  fix(id: string, revision: number, what: Fix): Promise<Changed | BulkChange> {
    return this.#post(`imports/${id}/rows/fix`, {revision, ...what})
  }

  previewFix(id: string, revision: number, what: Fix): Promise<Preview> {
    return this.#post(`imports/${id}/rows/fix`, {revision, ...what, preview: true})
  }

  undo(id: string, revision: number): Promise<Changed> {
    return this.#post(`imports/${id}/undo`, {revision})
  }

  redo(id: string, revision: number): Promise<Changed> {
    return this.#post(`imports/${id}/redo`, {revision})
  }

  /** What the rows would change: the counts, and the next items of a status. */
  plan(id: string, status: PlanItem['status'], cursor = ''): Promise<Plan> {
    return this.transport.json(`imports/${id}/plan?status=${status}&limit=100${cursor && `&cursor=${enc(cursor)}`}`)
  }

  leftOut(id: string, reason = '', cursor = ''): Promise<LeftOut> {
    return this.transport.json(`imports/${id}/left-out?limit=200${reason && `&reason=${reason}`}${cursor && `&cursor=${enc(cursor)}`}`)
  }

  /** Make exactly these rows data, and every row that is left out for one of these reasons. */
  takeBack(id: string, rows: number[], reasons: string[]): Promise<ImportRecord> {
    return this.#put(`imports/${id}/left-out`, {takeBack: rows, reasons})
  }

  apply(id: string, applyMode: ApplyMode, invalidRows: InvalidRows, wishes: Wishes): Promise<ImportRecord> {
    return this.#post(`imports/${id}/apply`, {applyMode, invalidRows, ...wishes})
  }

  /** Rows with errors, those that were applied, or those that a receiver refused; null while a worker writes the file. */
  async export(id: string, rows: Exported, format: 'xlsx' | 'csv'): Promise<Blob | null> {
    const response = await this.transport.send(`imports/${id}/export?rows=${rows}&format=${format}&wait=20`)
    return response.status === 202 ? null : response.blob()
  }

  sendCorrections(id: string, file: File): Promise<Correction> {
    const form = new FormData()
    form.append('file', file, file.name)
    return this.transport.json(`imports/${id}/corrections`, {method: 'POST', body: form})
  }

  correction(id: string, correctionId: string): Promise<Correction> {
    return this.transport.json(`imports/${id}/corrections/${correctionId}`)
  }

  confirmCorrection(id: string, correctionId: string): Promise<Changed> {
    return this.#post(`imports/${id}/corrections/${correctionId}/confirm`)
  }

  results(id: string, cursor: string | null, limit: number): Promise<ResultsPage> {
    return this.transport.json(`imports/${id}/results?limit=${limit}${cursor ? `&cursor=${enc(cursor)}` : ''}`)
  }

  acknowledge(id: string): Promise<unknown> {
    return this.#post(`imports/${id}/results/ack`)
  }

  changeset(id: string, recordId: string): Promise<Changeset> {
    return this.transport.json(`changesets/${id}`, {headers: {'x-for-import': recordId}})
  }

  changedRows(id: string, recordId: string, status: string, cursor: number, limit: number): Promise<ChangedRows> {
    return this.transport.json(`changesets/${id}/rows?cursor=${cursor}&limit=${limit}${status && `&status=${status}`}`, {headers: {'x-for-import': recordId}})
  }

  delivery(id: string, recordId: string): Promise<Delivery> {
    return this.transport.json(`deliveries/${id}`, {headers: {'x-for-import': recordId}})
  }

  #create(body: unknown, key: string, signal?: AbortSignal): Promise<ImportRecord> {
    return this.transport.json('imports', {method: 'POST', body, headers: {'idempotency-key': key}, signal})
  }

  #post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.transport.json(path, {method: 'POST', body})
  }

  #put<T>(path: string, body: unknown): Promise<T> {
    return this.transport.json(path, {method: 'PUT', body})
  }
}
