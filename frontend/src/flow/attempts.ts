/** Doing things that can fail: what went wrong is told to the page, and tried again. */

import {EngineProblem, Stopped, Unreachable, isTrouble, type Trouble} from '../api/problem.js'
import * as events from '../widget/events.js'
import type {Page} from './page.js'

const RETRY_AFTER_S = [8, 15, 30, 60]

export class Attempts {
  readonly page: Page
  trouble: Trouble | null = null
  /** Seconds until the last call is tried again by itself. */
  retryIn = 0
  isBusy = false
  #again: (() => Promise<void>) | null = null
  #tries = 0
  #running = 0 // what ends first does not free what still goes on
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(page: Page) {
    this.page = page
  }

  /** Do something with the engine; what goes wrong is told, and can be tried again. */
  async attempt(work: () => Promise<void>): Promise<boolean> {
    this.calm()
    this.#running += 1
    this.isBusy = true
    this.page.requestUpdate()
    try {
      await work()
      this.#tries = 0
      return true
    } catch (error) {
      if (error instanceof Stopped) return false
      if (!isTrouble(error)) throw error
      this.#tell(error, work)
      return false
    } finally {
      this.#running -= 1
      this.isBusy = this.#running > 0
      this.page.requestUpdate()
    }
  }

  /** Load what a step needs in the background; report a failure, and load it again. */
  async load(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!isTrouble(error)) throw error
      this.#tell(error, work)
      this.page.requestUpdate()
    })
  }

  async retry(): Promise<void> {
    const work = this.#again
    this.calm()
    if (work) await this.attempt(work)
  }

  clearTrouble(): void {
    this.calm()
    this.page.requestUpdate()
  }

  #tell(error: Trouble, work: () => Promise<void>): void {
    this.trouble = error
    this.#again = work
    const status = error instanceof EngineProblem ? error.status : 0
    this.page.dispatchEvent(events.importError({
      code: error.code, status, message: error.message, retryable: error.isRetryable,
    }))
    if (!(error instanceof Unreachable) || error.code === 'blocked_by_policy') return
    this.retryIn = RETRY_AFTER_S[Math.min(this.#tries, RETRY_AFTER_S.length - 1)]!
    this.#tries += 1
    this.#timer = setInterval(() => {
      this.retryIn -= 1
      if (this.retryIn <= 0) void this.retry()
      this.page.requestUpdate()
    }, 1000)
  }

  protected calm(): void {
    clearInterval(this.#timer)
    this.trouble = null
    this.#again = null
    this.retryIn = 0
  }
}
