/** What waits for approval, with the buttons of those who may decide. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Changeset} from '../api/outcomes.js'
import type {Flow} from '../flow/flow.js'
import {approve} from '../flow/applying.js'
import {decide} from '../flow/deciding.js'
import {button} from '../ui/pieces.js'
import {awaited, mayDiscard} from './awaited.js'

export class Approval {
  readonly #flow: Flow
  readonly #changeset: Changeset

  constructor(flow: Flow, changeset: Changeset) {
    this.#flow = flow
    this.#changeset = changeset
  }

  /** Read what an import waits with; null if it does not wait for approval. */
  static async of(flow: Flow): Promise<Approval | null> {
    const {engine, record, recordId} = flow
    if (record?.state !== 'staged' || !record.changesetId) return null
    return new Approval(flow, await engine.changeset(record.changesetId, recordId))
  }

  footer(): TemplateResult {
    const {page, isBusy} = this.#flow
    const {id, mayApprove} = this.#changeset
    const reject = (): void => void this.#flow.change(() => decide(this.#flow, id, 'discard'))
    return html`<span class="grow small muted said" role="status">${awaited(this.#changeset, page)}</span>
      ${mayDiscard(this.#flow) ? button(page.say('reject'), reject, {disabled: isBusy}) : nothing}
      ${mayApprove ? button(page.say('approve'), () => void approve(this.#flow, id), {kind: 'primary', disabled: isBusy}) : nothing}`
  }
}
