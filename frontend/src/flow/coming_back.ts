/** An import that is found again: after a reload, in another tab, on another day. */

import type {Flow} from './flow.js'
import {Resume, placeOf, scopeOf, stillOpen, type Kept} from './resume.js'

export class ComingBack {
  readonly #flow: Flow
  readonly #tokens: Map<string, string>
  offered: Kept | null = null
  lostAt = 0 // when the import was begun that was kept here and is gone

  constructor(flow: Flow, tokens: Map<string, string>) {
    this.#flow = flow
    this.#tokens = tokens
  }

  get #resume(): Resume {
    const {engine, catalog, verified} = this.#flow
    return new Resume(engine.transport.base, placeOf(verified, catalog?.key ?? ''), scopeOf(verified))
  }

  /** Whether a person finds the import again after the tab was closed. */
  get isKept(): boolean { return scopeOf(this.#flow.verified) !== null }

  /** Take the token that this tab kept. */
  recall(): void {
    const kept = this.#resume.read()
    if (kept?.importToken) this.#tokens.set(kept.recordId, kept.importToken)
  }

  async look(): Promise<void> {
    this.offered = await stillOpen(this.#flow.engine, this.#resume, at => { this.lostAt = at })
  }

  async accept(): Promise<void> {
    const kept = this.offered
    if (!kept) return
    // It was applied while no page was open: this one has not heard of it.
    this.#flow.isApplying = ['applying', 'applied'].includes(kept.state ?? '')
    await this.open(kept.recordId)
  }

  async decline(): Promise<void> {
    const kept = this.offered
    this.forget()
    // Another tab may go on with what the browser kept.
    if (kept && !kept.isOfBrowser && (kept.may?.cancel ?? true)) await this.#flow.attempt(async () => { await this.#flow.engine.cancel(kept.recordId) })
  }

  /** Go on with an import that this page does not show, and keep it from now on. */
  async open(recordId: string): Promise<void> {
    await this.#flow.attempt(async () => {
      await this.#flow.open(recordId, () => this.keep())
      this.offered = null
    })
  }

  keep(): void {
    const {recordId, filename} = this.#flow
    const importToken = this.#tokens.get(recordId)
    this.lostAt = 0
    this.#resume.keep({recordId, filename, at: Date.now(), ...(importToken && {importToken})})
  }

  forget(isAll = false): void {
    this.offered = null
    this.lostAt = 0
    this.#resume.forget(isAll)
  }
}
