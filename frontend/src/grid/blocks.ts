/** Rows fetched in blocks, bounded, without requests that are no longer needed. */

import type {Span} from './geometry.js'
import type {GridRow, RowSource} from './types.js'

export const BLOCK_ROWS = 100
const MOST_BLOCKS = 50
const LONGEST_WAIT_MS = 30_000

interface Block {
  readonly rows: readonly GridRow[]
  readonly generation: number
}

export interface BlockCacheOptions {
  /** Rows arrived, or a failed request may be tried again. */
  changed: () => void
  /** A request failed; it is tried again while its rows are wanted. */
  failed: (error: unknown) => void
  most?: number
}

/**
 * What was fetched of a source.
 *
 * Blocks outlive `expire` until fresh ones arrive, so that rows stay on the screen while they are fetched
 * again. `want` says what is visible: it fetches what is missing there and aborts what is not wanted now.
 */
export class BlockCache {
  readonly #blocks = new Map<number, Block>()
  readonly #requests = new Map<number, AbortController>()
  readonly #attempts = new Map<number, number>()
  readonly #waiting = new Map<number, ReturnType<typeof setTimeout>>()
  readonly #most: number
  #generation = 0

  constructor(
    readonly source: RowSource,
    readonly options: BlockCacheOptions,
  ) {
    this.#most = options.most ?? MOST_BLOCKS
  }

  get size(): number {
    return this.#blocks.size
  }

  /** Whether visible rows are still loading. */
  get isLoading(): boolean {
    return this.#requests.size > 0
  }

  row(index: number): GridRow | undefined {
    const block = Math.floor(index / BLOCK_ROWS)
    return this.#blocks.get(block)?.rows[index - block * BLOCK_ROWS]
  }

  /** Fetch what is missing of some rows, and nothing else; the row `kept` is not forgotten meanwhile. */
  want(span: Span, count: number, kept = -1): void {
    this.#renew(Math.floor(kept / BLOCK_ROWS))
    const first = Math.floor(span.first / BLOCK_ROWS)
    const last = Math.floor(Math.min(span.last, count - 1) / BLOCK_ROWS)
    for (const [block, request] of this.#requests) {
      if (block >= first && block <= last) continue
      request.abort()
      this.#requests.delete(block)
    }
    for (let block = first; block <= last; block += 1) this.#touch(block)
    this.#evict(last - first + 2)
  }

  /** What is kept is out of date: show it until it was fetched again. */
  expire(): void {
    this.#generation += 1
    this.#forgetRequests()
  }

  /** Forget everything. */
  close(): void {
    this.#forgetRequests()
    this.#blocks.clear()
  }

  /** Return some rows, fetched if they are not cached. */
  async rows(span: Span, signal: AbortSignal): Promise<GridRow[]> {
    const rows: GridRow[] = []
    for (let at = span.first; at <= span.last; ) {
      const block = Math.floor(at / BLOCK_ROWS)
      const kept = this.#fresh(block) ?? (await this.source.fetch(block * BLOCK_ROWS, BLOCK_ROWS, signal))
      const end = Math.min(span.last + 1, (block + 1) * BLOCK_ROWS)
      rows.push(...kept.slice(at - block * BLOCK_ROWS, end - block * BLOCK_ROWS))
      at = end
    }
    return rows
  }

  #fresh(block: number): readonly GridRow[] | undefined {
    const kept = this.#blocks.get(block)
    return kept?.generation === this.#generation ? kept.rows : undefined
  }

  #renew(block: number): Block | undefined {
    const kept = this.#blocks.get(block)
    if (kept) {
      this.#blocks.delete(block)
      this.#blocks.set(block, kept)
    }
    return kept
  }

  #touch(block: number): void {
    const kept = this.#renew(block)
    if (kept?.generation === this.#generation) return
    if (!this.#requests.has(block) && !this.#waiting.has(block)) void this.#fetch(block)
  }

  async #fetch(block: number): Promise<void> {
    const request = new AbortController()
    const generation = this.#generation
    this.#requests.set(block, request)
    try {
      const rows = await this.source.fetch(block * BLOCK_ROWS, BLOCK_ROWS, request.signal)
      if (request.signal.aborted) return
      this.#requests.delete(block)
      this.#attempts.delete(block)
      this.#blocks.set(block, {rows, generation})
    } catch (error) {
      if (request.signal.aborted) return
      this.#requests.delete(block)
      this.#wait(block)
      this.options.failed(error)
    }
    this.options.changed()
  }

  #wait(block: number): void {
    const attempt = this.#attempts.get(block) ?? 0
    this.#attempts.set(block, attempt + 1)
    const again = () => {
      this.#waiting.delete(block)
      this.options.changed()
    }
    this.#waiting.set(block, setTimeout(again, Math.min(LONGEST_WAIT_MS, 1000 * 2 ** attempt)))
  }

  #evict(wanted: number): void {
    const most = Math.max(this.#most, wanted)
    for (const block of this.#blocks.keys()) {
      if (this.#blocks.size <= most) return
      this.#blocks.delete(block)
    }
  }

  #forgetRequests(): void {
    for (const request of this.#requests.values()) request.abort()
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    this.#requests.clear()
    this.#waiting.clear()
    this.#attempts.clear()
  }
}
