/** What a reload keeps: which import it was, and the token that opens it. Never a key, never a value. */

import type {Engine} from '../api/engine.js'
import type {Moves} from '../api/shapes.js'
import {EngineProblem} from '../api/problem.js'
import {isOver} from './steps.js'

export interface Kept {
  recordId: string
  importToken?: string
  filename: string
  at: number
  /** What may be done with it, once the engine said so. */
  may?: Moves
}

export class Resume {
  readonly #name: string
  readonly #storage: Storage | null

  constructor(engine: string, catalogKey: string, storage: Storage | null = sessionStore()) {
    this.#name = `service-import:${engine}:${catalogKey}`
    this.#storage = storage
  }

  read(): Kept | null {
    try {
      const kept = JSON.parse(this.#storage?.getItem(this.#name) ?? 'null') as Kept | null
      return kept && typeof kept.recordId === 'string' ? kept : null
    } catch {
      return null
    }
  }

  keep(kept: Kept): void {
    try {
      this.#storage?.setItem(this.#name, JSON.stringify(kept))
    } catch {
      // A full or forbidden storage costs the resume, not the import.
    }
  }

  forget(): void {
    try {
      this.#storage?.removeItem(this.#name)
    } catch {
      // As above.
    }
  }
}

function sessionStore(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null
  } catch {
    return null // a sandboxed frame has none
  }
}

/** What was kept, where the engine still has it and it is not finished; else it is forgotten. */
export async function stillOpen(engine: Engine, resume: Resume): Promise<Kept | null> {
  const kept = resume.read()
  if (!kept) return null
  try {
    const {state, may} = await engine.record(kept.recordId)
    if (!isOver(state)) return {...kept, ...(may && {may})}
  } catch (error) {
    if (!(error instanceof EngineProblem)) throw error
  }
  resume.forget()
  return null
}
