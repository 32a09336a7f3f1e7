/** What the engine answers the editor, by the editor's names. */

import type {Answer, Body, Shape} from '../../api/shapes.js'
import type {Catalog} from '../model/catalog.js'

export type Actor = Shape<'ActorOut'>
export type Finding = Shape<'FindingOut'>
export type Version = Shape<'VersionOut'>
export type CheckedVersion = Shape<'CheckedVersionOut'>
/** Its title is always there: empty where the catalog has none. */
export type Overview = Shape<'OverviewOut'> & {title: string}

export type Change = Shape<'CatalogChangeOut'>
export type ChangeClass = Change['class']
/** `to` is a draft, or the number of a version. */
export type Changes = Omit<Answer<'getCatalogChanges'>, 'to'> & {to: number | 'draft'}

export type Impact = Answer<'getDraftImpact'>
export type RowsImpact = Shape<'RowsImpactOut'>

/** A suggested column while it is edited. */
export type SampleColumn = Omit<Shape<'SuggestedColumnOut'>, 'columnType'> & {columnType: string}
export type Inferred = Omit<Answer<'getInferredCatalog'>, 'suggestion'> & {
  suggestion?: (Omit<Shape<'SuggestionOut'>, 'catalog' | 'columns'> & {catalog: Catalog; columns: SampleColumn[]}) | null
}

export type IssuedContract = Answer<'contracts_create'>
export type ContractWish = Body<'contracts_create'>
export type Profile = Shape<'ProfileSummary'>

export type Asked = Shape<'AskedOut'>
export type TestedColumn = Shape<'TestedColumnOut'>
export type Report = Shape<'TestReportOut'>
export type Tested = Answer<'getTestedDraft'>
export type KeptTest = Shape<'KeptTestOut'>
