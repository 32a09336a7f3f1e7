/** Send a file: small ones at once, large ones in parts that survive a broken connection. */

import type {Engine, NewImport} from './engine.js'
import {EngineProblem, Stopped, Unreachable} from './problem.js'
import type {ImportRecord} from './shapes.js'
import {pause} from './transport.js'

export const AT_ONCE_BYTES = 4 * 1024 ** 2
const PART_BYTES = 4 * 1024 ** 2
const PATIENCE_MS = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]

export interface Progress {
  sent: number
  total: number
  /** Bytes a second, null before the first part. */
  rate: number | null
}

interface Received {
  offset?: number
}

/** An upload that can be paused, gone on with and cancelled. */
export class Upload {
  readonly file: File
  isPaused = false
  progress: Progress
  readonly #engine: Engine
  readonly #report: (progress: Progress) => void
  readonly #stop = new AbortController()
  #part: AbortController | null = null
  #resume: (() => void) | null = null
  #startedAt = 0

  constructor(engine: Engine, file: File, report: (progress: Progress) => void) {
    this.#engine = engine
    this.file = file
    this.#report = report
    this.progress = {sent: 0, total: file.size, rate: null}
  }

  /** Send everything; `created` hears of the record before its last byte. */
  async run(about: NewImport, created: (record: ImportRecord) => void): Promise<ImportRecord> {
    const key = crypto.randomUUID()
    if (this.file.size <= AT_ONCE_BYTES) {
      const record = await this.#engine.createFromFile(this.file, about, key, this.#stop.signal)
      created(record)
      return record
    }
    const announced = {...about, filename: this.file.name}
    const record = await this.#engine.announce(this.file.size, announced, key, this.#stop.signal)
    created(record)
    this.#startedAt = performance.now()
    await this.#sendParts(record.recordId)
    return record
  }

  pause(): void {
    this.isPaused = true
    this.#part?.abort()
  }

  resume(): void {
    this.isPaused = false
    this.#resume?.()
  }

  cancel(): void {
    this.#stop.abort()
    this.#part?.abort()
    this.#resume?.()
  }

  async #sendParts(recordId: string): Promise<void> {
    const waits = [...PATIENCE_MS]
    for (let offset = 0; offset < this.file.size;) {
      await this.#whilePaused()
      try {
        offset = await this.#sendPart(recordId, offset)
        waits.splice(0, waits.length, ...PATIENCE_MS)
      } catch (error) {
        if (this.#stop.signal.aborted) throw new Stopped()
        if (!(error instanceof Stopped)) await this.#waitFor(error, waits)
        offset = this.isPaused ? offset : await this.#arrived(recordId, offset)
      }
      this.#tell(offset)
    }
  }

  async #sendPart(recordId: string, offset: number): Promise<number> {
    const end = Math.min(offset + PART_BYTES, this.file.size)
    this.#part = new AbortController()
    const answer = await this.#engine.transport.json<Received>(`imports/${recordId}/file`, {
      method: 'PUT',
      body: this.file.slice(offset, end),
      headers: {'content-range': `bytes ${offset}-${end - 1}/${this.file.size}`},
      signal: this.#part.signal,
    })
    return end === this.file.size ? end : (answer.offset ?? end)
  }

  async #arrived(recordId: string, known: number): Promise<number> {
    try {
      const answer = await this.#engine.transport.json<Received>(`imports/${recordId}/file`, {
        method: 'PUT',
        headers: {'content-range': `bytes */${this.file.size}`},
      })
      return answer.offset ?? this.file.size
    } catch (error) {
      if (error instanceof Unreachable) return known
      throw error
    }
  }

  /** Wait before trying again; what no waiting mends is thrown. */
  async #waitFor(error: unknown, waits: number[]): Promise<void> {
    const isMendable = error instanceof Unreachable
      || (error instanceof EngineProblem && (error.isRetryable || error.code === 'wrong_offset'))
    const wait = waits.shift()
    if (!isMendable || wait === undefined) throw error
    await pause(wait, this.#stop.signal)
  }

  async #whilePaused(): Promise<void> {
    while (this.isPaused && !this.#stop.signal.aborted) {
      await new Promise<void>(resolve => { this.#resume = resolve })
    }
    if (this.#stop.signal.aborted) throw new Stopped()
  }

  #tell(sent: number): void {
    const seconds = (performance.now() - this.#startedAt) / 1000
    this.progress = {sent, total: this.file.size, rate: seconds > 0 ? sent / seconds : null}
    this.#report(this.progress)
  }
}
