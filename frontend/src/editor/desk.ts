/** What the views ask of the element that shows them. */

import type {TemplateResult} from 'lit'

import type {EditorFormat} from './ui/moments.js'
import type {Engine} from './api/engine.js'
import type {Catalog} from './model/catalog.js'
import type {Say} from './words/words.js'

export type NewKind = 'empty' | 'sample' | 'json' | 'schema' | 'duplicate' | 'contract'

export interface Desk {
  readonly engine: Engine
  readonly say: Say
  readonly format: EditorFormat
  readonly mayEdit: boolean
  readonly root: ShadowRoot | HTMLElement
  /** A file whose columns test detectors, if one was chosen. */
  sampleId: string
  requestUpdate(): void
  announce(text: string): void
  openList(): void
  /** Open a catalog; with a document: begin it as a draft. */
  openCatalog(key: string, begun?: Catalog): void
  openNew(kind: NewKind): void
  published(key: string, version: number): void
  /** Focus what a selector finds once the next state is shown. */
  focus(selector: string): void
}

export interface View {
  render(): TemplateResult
  enter?(): Promise<void> | void
  leave?(): void
  keydown?(event: KeyboardEvent): void
  /** Whether something would be lost if the page were closed now. */
  readonly isUnsaved?: boolean
}
