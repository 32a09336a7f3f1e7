/** What the rows would change of what is known, for sessions that may see it: loaded for them alone. */

import {nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {Flow} from '../flow/flow.js'
import type {Deleting} from './deleting.js'
import type {KnownChanges} from './known_changes.js'

export class Planned {
  readonly #flow: Flow
  #changes: KnownChanges | null = null
  #isAsked = false
  #isLeft = false

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** What the segment of the toolbar says; empty where nothing can change. */
  get title(): string { return this.#changes?.title ?? '' }
  /** What the import does, for its button; empty where that is not known. */
  get deed(): string { return this.#changes?.deed ?? '' }
  /** The choice to delete what is missing; null where there is none. */
  get deleting(): Deleting | null { return this.#changes?.deleting ?? null }
  get isOpen(): boolean { return this.#changes?.isOpen ?? false }

  open(): void {
    this.#changes?.open()
  }

  close(): void {
    if (this.#changes) this.#changes.isOpen = false
  }

  leave(): void {
    this.#isLeft = true
  }

  render(): TemplateResult | typeof nothing {
    return this.#changes?.render() ?? nothing
  }

  /** Keep the plan that of the rows as they are now. */
  updated(root: ParentNode): void {
    if (this.#changes) {
      this.#changes.updated(root)
      return void this.#changes.follow()
    }
    if (this.#isAsked || !this.#flow.verified?.rights?.includes('seeChanges')) return
    this.#isAsked = true
    void this.#flow.load(async () => {
      const {KnownChanges} = await loaded(import('./known_changes.js'))
      this.#changes = await KnownChanges.of(this.#flow)
      if (!this.#isLeft) await this.#changes.follow()
    })
  }
}
