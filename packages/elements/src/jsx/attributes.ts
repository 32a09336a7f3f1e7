/** What JSX may say of the tags. */

import type {EditorEventMap, ImportEventMap, ServiceCatalogEditorProperties, ServiceImportProperties} from '../types.js'

type Hyphened<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? Rest extends Uncapitalize<Rest> ? `${Lowercase<Head>}${Hyphened<Rest>}` : `${Lowercase<Head>}-${Hyphened<Rest>}`
  : Name
type Plain = string | number | boolean

/** Attributes with hyphens, for the properties that have one. */
type Attributes<Properties> = {
  [Name in keyof Properties & string as Properties[Name] extends Plain ? Hyphened<Name> : never]?: Properties[Name]
}
type Handlers<Events, Before extends string> = {[Name in keyof Events & string as `${Before}${Name}`]?: (event: Events[Name]) => void}

/** Properties and attributes of the tags; React 19 and Preact listen with `onimport-applied`. */
export interface Tags {
  'service-import': Partial<ServiceImportProperties> & Attributes<ServiceImportProperties> & Handlers<ImportEventMap, 'on'>
  'service-catalog-editor': Partial<ServiceCatalogEditorProperties> & Attributes<ServiceCatalogEditorProperties> & Handlers<EditorEventMap, 'on'>
}

/** Solid listens with `on:import-applied`, and sets properties with `prop:`. */
export interface SolidTags {
  'service-import': Attributes<ServiceImportProperties> & Handlers<ImportEventMap, 'on:'> & Prefixed<ServiceImportProperties>
  'service-catalog-editor': Attributes<ServiceCatalogEditorProperties> & Handlers<EditorEventMap, 'on:'> & Prefixed<ServiceCatalogEditorProperties>
}
type Prefixed<Properties> = {[Name in keyof Properties & string as `prop:${Name}`]?: Properties[Name]}
