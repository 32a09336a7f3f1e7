/** What the engine says over HTTP, by the names of the widget; `openapi.ts` is made from the OpenAPI document. */

import type {components} from './openapi.js'

type Schemas = components['schemas']

export type Json = null | boolean | number | string | Json[] | {[name: string]: Json}
export type JsonObject = {[name: string]: Json}

/** What the document leaves open is some JSON. */
type Said<T> = unknown extends T ? Json
  : T extends object ? {-readonly [Member in keyof T]: Said<T[Member]>}
    : T

/** A shape of the document. */
export type Shape<Name extends keyof Schemas> = Said<Schemas[Name]>

/** What an operation answers, and what it takes. */
export type Answer<Operation extends keyof Schemas['Answers']> = Said<Schemas['Answers'][Operation]>
export type Body<Operation extends keyof Schemas['Bodies']> = Said<Schemas['Bodies'][Operation]>

/** A shape some of whose members the document leaves more open than the engine does. */
type Closer<Name extends keyof Schemas, Members> = Omit<Shape<Name>, keyof Members> & Members

export type ImportState = Shape<'ImportState'>
export type ApplyMode = Shape<'ApplyModeEnum'>
export type InvalidRows = Shape<'ApplyInInvalidRowsEnum'>
export type Handling = Shape<'InvalidRowsDoing'>
export type Moves = Shape<'MovesOut'>

export type ProblemBody = Partial<Shape<'ProblemOut'>> & {
  errors?: {pointer?: string; detail?: string}[]
  missing?: {entity: string; field: string; label: string}[]
  [member: string]: unknown
}

export type Counts = Partial<Record<
  'sourceRows' | 'skipped' | 'rows' | 'valid' | 'warning' | 'error' | 'excluded' | 'imported' | 'failed', number>>

/** What an import says of a delivery. */
export type DeliverySummary = Pick<Shape<'DeliveryOut'>, 'id' | 'state'> & {registrationId: string; attempts: number}

export type BulkChange = Closer<'BulkChangeOut', {problem: ProblemBody | null}>
export type ImportRecord = Closer<'CreatedOut', {
  counts: Counts
  deliveries: DeliverySummary[]
  problem: ProblemBody | null
  rowsChange: BulkChange | null
}>

export type Verified = Answer<'verifyLicense'>
export type CatalogSummary = Shape<'CatalogSummary'>
export type Catalog = Shape<'Catalog'>
export type CatalogField = Closer<'Field', {dropdownOptions?: {label: string; value: string | number}[] | null}>

export type Table = Closer<'TableOut', {preview: (string | null)[][]}>
export type Tables = Closer<'TablesOut', {tables: Table[]; issues: {message?: string}[]}>
export type Reading = Body<'imports_reading_update'>

export type Mapping = Body<'imports_mapping_update'>['mapping']
export type RecipeStep = JsonObject & {do: string}
export interface Recipe {
  version: number
  steps: RecipeStep[]
}
export type ProposedColumn = Shape<'ColumnOut'>
export type Proposal = Closer<'MappingOut', {proposed: {mapping: Mapping; recipe: Recipe | null}; recipe: Recipe | null}>

export type Candidate = Shape<'CandidateOut'>
export type Question = Shape<'QuestionOut'>
export type Values = Closer<'ValuesOut', {options: {value: string | number; label: string}[]}>

export type RowIssue = Shape<'IssueOut'>
export type Row = Shape<'RowOut'>
export type View = Shape<'ViewInRequest'>
export type Filter = NonNullable<View['filter']>
export type RowsPage = Answer<'imports_rows_query_create'>
export type IssueGroup = Shape<'IssueGroupOut'>
export type Edit = Shape<'CellInRequest'>
export type Changed = {revision: number; counts: Counts; cells?: number}
export type Preview = Shape<'PreviewOut'>
export type LeftOutRow = Shape<'LeftOutRowOut'>
export type LeftOut = Answer<'imports_left_out'>
