/** What waits for approval, with the buttons of those who may decide. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Changeset} from '../api/outcomes.js'
import {loaded} from '../api/problem.js'
import type {Flow} from '../flow/flow.js'
import {approve} from '../flow/applying.js'
import {decide} from '../flow/deciding.js'
import {button} from '../ui/pieces.js'
import {awaited, mayDiscard} from './awaited.js'
import type {Confirmation} from './deleting.js'

export class Approval {
  readonly #flow: Flow
  readonly #changeset: Changeset
  /** How many records it deletes; null if none. */
  #deletion: Confirmation | null = null
  #isAsked = false

  constructor(flow: Flow, changeset: Changeset) {
    this.#flow = flow
    this.#changeset = changeset
  }

  /** Read what an import waits with; null if it does not wait for approval. */
  static async of(flow: Flow): Promise<Approval | null> {
    const {engine, record, recordId} = flow
    if (record?.state !== 'staged' || !record.changesetId) return null
    const approval = new Approval(flow, await engine.changeset(record.changesetId, recordId))
    await approval.#read()
    return approval
  }

  /** Read what is deleted: a person confirms how many. */
  async #read(): Promise<void> {
    const missing = this.#changeset.deletes.map(({deleted, ...about}) => ({...about, missing: deleted}))
    if (!missing.some(item => item.missing)) return
    const {Confirmation} = await loaded(import('./deleting.js'))
    this.#deletion = await Confirmation.of(this.#flow, missing, isConfirmed => {
      this.#ask(false)
      if (isConfirmed) this.#approve()
    })
  }

  #ask(isAsked: boolean): void {
    this.#isAsked = isAsked
    this.#flow.page.requestUpdate()
  }

  #approve(): void {
    void approve(this.#flow, this.#changeset.id)
  }

  footer(): TemplateResult {
    const {page, isBusy} = this.#flow
    const {id, mayApprove} = this.#changeset
    const reject = (): void => void this.#flow.change(() => decide(this.#flow, id, 'discard'))
    const deletion = this.#deletion
    return html`<span class="grow small muted said" role="status">${awaited(this.#changeset, page)} ${deletion ? html`<span class="strong">${deletion.told}</span>` : nothing}</span>
      ${mayDiscard(this.#flow) ? button(page.say('reject'), reject, {disabled: isBusy}) : nothing}
      ${mayApprove ? button(page.say('approve'), () => deletion ? this.#ask(true) : this.#approve(), {kind: deletion ? 'danger' : 'primary', disabled: isBusy}) : nothing}
      ${this.#isAsked ? deletion?.render(page.say('approve')) : nothing}`
  }
}
