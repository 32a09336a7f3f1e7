/** A draft during editing: every change is saved soon, and no other person's change is lost. */

import {EngineProblem, isTrouble, type Trouble} from '../../api/problem.js'
import type {Engine, Read} from '../api/engine.js'
import type {CheckedVersion, Finding, Version} from '../api/shapes.js'
import type {Catalog, Json} from './catalog.js'
import {pathsOf, isShapely} from './catalog.js'
import {Findings} from './findings.js'
import {History} from './history.js'
import {at, put, type Path} from './tree.js'

const SAVE_AFTER_MS = 700
const AGAIN_AFTER_MS = 5000

/** What is known of the draft at the engine. `clean`: nothing was changed since it was read. */
export type Saving = 'clean' | 'waiting' | 'saving' | 'saved' | 'refused' | 'unreachable' | 'conflict'

export class Draft {
  readonly key: string
  saving: Saving = 'clean'
  savedAt: Date | null = null
  findings = new Findings()
  trouble: Trouble | null = null
  theirs: Catalog | null = null
  /** The version that is published, or that was last. */
  base: Version | null = null
  baseDocument: Catalog | null = null
  versions: Version[] = []
  /** How often it was saved, for those who ask the engine about it. */
  saves = 0
  readonly #engine: Engine
  readonly #changed: () => void
  readonly #history: History<Catalog>
  #etag: string | null
  #timer: ReturnType<typeof setTimeout> | undefined
  #saved: Catalog
  #work: Promise<void> | null = null

  constructor(engine: Engine, key: string, read: Read | null, start: Catalog, changed: () => void) {
    this.#engine = engine
    this.key = key
    this.#etag = read?.etag ?? null
    this.#history = new History(start)
    this.#saved = start
    this.#changed = changed
  }

  get document(): Catalog {
    return this.#history.state
  }

  /** Whether the engine has a draft of it that can be published. */
  get exists(): boolean {
    return this.#etag !== null
  }

  get etag(): string | null {
    return this.#etag
  }

  get isUnsaved(): boolean {
    return this.document !== this.#saved
  }

  get canUndo(): boolean {
    return this.#history.canUndo
  }

  get canRedo(): boolean {
    return this.#history.canRedo
  }

  #locks: {of: Catalog | null; paths: ReadonlySet<string>} = {of: null, paths: new Set()}

  /** The paths that hosts receive already, and whose keys therefore stay. */
  get lockedPaths(): ReadonlySet<string> {
    if (this.#locks.of !== this.baseDocument) {
      const paths = isShapely(this.baseDocument) ? pathsOf(this.baseDocument).keys() : []
      this.#locks = {of: this.baseDocument, paths: new Set(paths)}
    }
    return this.#locks.paths
  }

  get(path: Path): Json | undefined {
    return at(this.document, path)
  }

  /** The document as it would be with another value at one place. */
  with(path: Path, value: Json | undefined): Catalog {
    return put(this.document, path, value) as Catalog
  }

  /** Set one place; what is typed into one control becomes one step of undo. */
  set(path: Path, value: Json | undefined): void {
    this.change(this.with(path, value), path.join('/'))
  }

  change(document: Catalog, what = ''): void {
    if (document === this.document) return
    this.#history.change(document, what, Date.now())
    this.#soon()
  }

  undo(): void {
    this.#history.undo()
    this.#soon()
  }

  redo(): void {
    this.#history.redo()
    this.#soon()
  }

  #soon(after = SAVE_AFTER_MS): void {
    if (this.saving !== 'conflict') this.saving = 'waiting'
    clearTimeout(this.#timer)
    if (this.saving !== 'conflict') this.#timer = setTimeout(() => void this.save(), after)
    this.#changed()
  }

  /** Save what is not saved yet, now. */
  async save(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#work) await this.#work
    if (!this.isUnsaved || this.saving === 'conflict') return
    this.#work = this.#send(this.document).finally(() => { this.#work = null })
    await this.#work
  }

  async #send(document: Catalog): Promise<void> {
    this.saving = 'saving'
    this.#changed()
    try {
      const {version, etag} = await this.#engine.save(this.key, JSON.stringify(document), this.#etag)
      this.#taken(document, version, etag)
    } catch (error) {
      await this.#failed(error)
    }
    this.#changed()
  }

  #taken(document: Catalog, version: CheckedVersion, etag: string | null): void {
    this.#etag = etag
    this.#saved = document
    this.findings = new Findings(version.findings)
    this.savedAt = new Date()
    this.trouble = null
    this.saves++
    this.saving = 'saved'
    if (this.isUnsaved) this.#soon()
  }

  async #failed(error: unknown): Promise<void> {
    if (!isTrouble(error)) throw error
    this.trouble = error
    if (error instanceof EngineProblem && error.code === 'draft_changed') {
      this.saving = 'conflict'
      this.theirs = (await this.#current().catch(() => null))?.document ?? null
      return
    }
    if (error instanceof EngineProblem && !error.isRetryable) {
      this.saving = 'refused'
      const errors = (error.body['errors'] ?? []) as unknown as Omit<Finding, 'severity'>[]
      if (error.code === 'catalog_invalid') this.findings = new Findings(errors.map(error => ({...error, severity: 'error' as const})))
      return
    }
    this.saving = 'unreachable'
    this.#timer = setTimeout(() => void this.save(), AGAIN_AFTER_MS)
  }

  /** The catalog stored by the engine: the draft, or the published version without one. */
  async #current(): Promise<Read> {
    try {
      return await this.#engine.draft(this.key)
    } catch (error) {
      if (!(error instanceof EngineProblem) || error.code !== 'no_draft') throw error
      return {...(await this.#engine.published(this.key)), etag: null}
    }
  }

  /** After a lost race: take the other's; undo gives back what was typed here. */
  async reload(): Promise<void> {
    const now = await this.#current()
    this.#etag = now.etag
    this.#history.change(now.document, '', Date.now())
    this.#saved = now.document
    this.theirs = this.trouble = null
    this.saving = 'clean'
    this.findings = new Findings()
    this.#changed()
  }

  /** After a lost race: save what was typed here over the other's. */
  async keepMine(): Promise<void> {
    this.#etag = (await this.#current()).etag
    this.theirs = this.trouble = null
    this.saving = 'waiting'
    await this.save()
  }

  /** Ask what the engine finds in the draft: saving what is there already changes nothing. */
  async check(): Promise<void> {
    if (this.#etag === null || this.isUnsaved) return
    try {
      const {text, etag} = await this.#engine.draft(this.key)
      if (etag !== this.#etag) return
      this.findings = new Findings((await this.#engine.save(this.key, text, etag)).version.findings)
    } catch (error) {
      if (!isTrouble(error)) throw error // the next save says it again
    }
  }

  /** Take what the engine wrote itself as the draft, such as a version that was restored. */
  async adopt(): Promise<void> {
    await this.reload()
    await this.check()
    this.saves++
    this.#changed()
  }

  /** It was published: the draft is gone, and edits begin the next one. */
  published(version: Version): void {
    this.#etag = null
    this.base = version
    this.baseDocument = this.document
    this.saving = 'clean'
    this.savedAt = null
    this.#changed()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
