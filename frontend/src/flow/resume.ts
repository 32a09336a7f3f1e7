/**
 * What a page keeps of an import. The tab keeps which one it was and the token that opens it; the
 * browser keeps its id alone, where the key opens it without a token. Never a key, never a value.
 */

import type {Engine} from '../api/engine.js'
import type {ImportState, Moves, Verified} from '../api/shapes.js'
import {EngineProblem} from '../api/problem.js'
import {isOver} from './steps.js'

export interface Kept {
  recordId: string
  importToken?: string
  filename: string
  at: number
  /** What may be done with it, and how far it is, once the engine said so. */
  may?: Moves
  state?: ImportState
  /** Whether another tab may have it open. */
  isOfBrowser?: boolean
}

/** Whose imports a key opens without a token of each: one scope's, or all; null for those that need one. */
export const scopeOf = (verified: Verified | null): string | null =>
  verified?.session ? verified.session.scope || null : verified?.rights?.length ? '' : null

/** Where imports into a catalog are kept: a session that reaches only its own, as of a link, has a place of its own. */
export const placeOf = (verified: Verified | null, catalogKey: string): string =>
  verified?.session?.ownOnly ? `${catalogKey}:${verified.session.id}` : catalogKey

export class Resume {
  readonly #name: string
  readonly #scope: string | null
  readonly #tab: Storage | null
  readonly #browser: Storage | null

  constructor(engine: string, place: string, scope: string | null = null, tab = storage('sessionStorage'), browser = storage('localStorage')) {
    this.#name = `service-import:${engine}:${place}`
    this.#scope = scope
    this.#tab = tab
    this.#browser = browser
  }

  /** What this tab kept, else the browser; what it kept for another scope is forgotten. */
  read(): Kept | null {
    const kept = this.#read(this.#tab)
    if (kept) return kept
    const other = this.#read(this.#browser) as Kept & {scope?: unknown} | null
    if (!other) return null
    const {recordId, at, scope} = other
    if (scope === this.#scope) return {recordId, at: Number(at), filename: '', isOfBrowser: true}
    this.forget()
    return null
  }

  keep(kept: Kept): void {
    const {recordId, at} = kept
    this.#write(this.#tab, kept)
    if (this.#scope !== null) this.#write(this.#browser, {recordId, at, scope: this.#scope})
  }

  /** Forget what this tab kept; the browser keeps what another tab goes on with, unless all is forgotten. */
  forget(isAll = false): void {
    const mine = this.#read(this.#tab)
    const other = this.#read(this.#browser)
    this.#write(this.#tab, null)
    if (isAll || !mine || mine.recordId === other?.recordId) this.#write(this.#browser, null)
  }

  #read(storage: Storage | null): Kept | null {
    try {
      const kept = JSON.parse(storage?.getItem(this.#name) ?? 'null') as Kept | null
      return kept && typeof kept.recordId === 'string' ? kept : null
    } catch {
      return null
    }
  }

  #write(storage: Storage | null, kept: object | null): void {
    try {
      if (kept) storage?.setItem(this.#name, JSON.stringify(kept))
      else storage?.removeItem(this.#name)
    } catch {
      // A full or forbidden storage costs the resume, not the import.
    }
  }
}

function storage(name: 'sessionStorage' | 'localStorage'): Storage | null {
  try {
    return globalThis[name] ?? null
  } catch {
    return null // a sandboxed frame has none
  }
}

/** What was kept, where the engine still has it and there is something to go on with; `lost` hears of one that is gone. */
export async function stillOpen(engine: Engine, resume: Resume, lost: (at: number) => void): Promise<Kept | null> {
  const kept = resume.read()
  if (!kept) return null
  try {
    const {state, may, filename, purgedAt} = await engine.record(kept.recordId)
    if (!isOver(state) && !purgedAt) return {...kept, filename, state, ...(may && {may})}
    if (purgedAt) lost(kept.at)
  } catch (error) {
    if (!(error instanceof EngineProblem)) throw error
    if (error.kind !== 'gone') return null // it may be there the next time
    lost(kept.at)
  }
  resume.forget()
  return null
}
