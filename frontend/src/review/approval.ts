/** What waits for approval: who prepared it, and the buttons of those who may decide. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Changeset} from '../api/outcomes.js'
import type {Flow} from '../flow/flow.js'
import {approve} from '../flow/modes.js'
import type {Page} from '../flow/page.js'
import type {MessageKey} from '../messages/catalogue.js'
import {button} from '../ui/pieces.js'

const AWAITS: Record<NonNullable<Changeset['awaits']>, MessageKey> = {
  approval: 'awaits_approval', secondPerson: 'awaits_second', revert: 'awaits_revert',
}

/** What a changeset waits for, and the people who prepared it, as far as they have names; empty if for nothing. */
export function awaited({awaits, preparedBy}: Pick<Changeset, 'awaits' | 'preparedBy'>, {say, format}: Pick<Page, 'say' | 'format'>): string {
  if (!awaits) return ''
  const names = preparedBy.map(({label}) => label).filter(Boolean)
  return [say(AWAITS[awaits]), names.length ? say('prepared_by', {names: format.list(names)}) : ''].filter(Boolean).join(' ')
}

/** Whether a page may discard what waits. */
export const mayDiscard = ({verified}: Pick<Flow, 'verified'>): boolean => verified?.rights?.includes('release') ?? true

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
    const {engine, page, isBusy, recordId} = this.#flow
    const {id, mayApprove} = this.#changeset
    const reject = (): void => void this.#flow.change(() => engine.discard(id, recordId))
    return html`<span class="grow small muted said" role="status">${awaited(this.#changeset, page)}</span>
      ${mayDiscard(this.#flow) ? button(page.say('reject'), reject, {disabled: isBusy}) : nothing}
      ${mayApprove ? button(page.say('approve'), () => void approve(this.#flow, id), {kind: 'primary', disabled: isBusy}) : nothing}`
  }
}
