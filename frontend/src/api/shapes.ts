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

export type ImportState = Shape<'ImportState'>
export type ApplyMode = Shape<'ApplyModeEnum'>
export type InvalidRows = Shape<'ApplyInInvalidRowsEnum'>
export type Handling = Shape<'InvalidRowsDoing'>
export type Moves = Shape<'MovesOut'>

/** A problem, whose code may bring further members. */
export type ProblemBody = Partial<Shape<'ProblemShape'>> & {[member: string]: unknown}
export type Counts = Shape<'CountsShape'>
/** What an import says of a delivery. */
export type DeliverySummary = Shape<'SentOut'>
export type BulkChange = Shape<'BulkChangeOut'>
export type ImportRecord = Shape<'CreatedOut'>

export type Verified = Answer<'verifyLicense'>
export type CatalogSummary = Shape<'CatalogSummary'>
export type Catalog = Shape<'Catalog'>
export type CatalogField = Shape<'Field'>

export type Table = Shape<'TableOut'>
export type Tables = Shape<'TablesOut'>
export type Frame = Shape<'FrameOut'>
export type ShownPage = Shape<'PageOut'>
export type Reading = Body<'imports_reading_update'>

export type Mapping = Body<'imports_mapping_update'>['mapping']
export type CustomField = Shape<'CustomFieldInRequest'>
/** One step; each kind has members of its own. */
export type RecipeStep = Shape<'StepShape'> & JsonObject
export type Recipe = Omit<Shape<'RecipeShape'>, 'steps'> & {steps: RecipeStep[]}
export type ProposedColumn = Shape<'ColumnOut'>
export type Proposal = Omit<Shape<'MappingOut'>, 'proposed' | 'recipe'> & {proposed: {mapping: Mapping; recipe: Recipe | null}; recipe: Recipe | null}

export type Candidate = Shape<'CandidateOut'>
export type ModelSteps = Shape<'ModelStepsOut'>
export type Question = Shape<'QuestionOut'>
export type Values = Shape<'ValuesOut'>

export type RowIssue = Shape<'IssueOut'>
export type Row = Shape<'RowOut'>
export type View = Shape<'ViewInRequest'>
export type Filter = NonNullable<View['filter']>
export type RowsPage = Answer<'imports_rows_query_create'>
export type IssueGroup = Shape<'IssueGroupOut'>
export type Edit = Shape<'CellInRequest'>
export type Edited = Answer<'imports_rows_partial_update'>
export type ProposedCell = Shape<'ProposalInRequest'>
/** A proposed value that was not taken, and why. */
export type RefusedCell = Shape<'RefusedOut'>
/** Of an edit, with the rows that look different now. */
export type Changed = Shape<'PointerOut'> & Partial<Edited>
export type Preview = Shape<'PreviewOut'>
export type LeftOutRow = Shape<'LeftOutRowOut'>
export type LeftOut = Answer<'imports_left_out'>
