/** The way back: what a revert does at each receiver, before its button. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {Changeset, Receiver} from '../api/outcomes.js'
import type {Flow} from '../flow/flow.js'
import type {MessageKey} from '../messages/catalogue.js'
import {awaited} from '../review/awaited.js'
import {button, notice, tag} from '../ui/pieces.js'
import {receiverName} from '../ui/receiver_name.js'

export const takingBackStyles = css`
  .back { inline-size: 100%; max-inline-size: 860px; margin-inline: auto; padding: 16px; display: grid; gap: 12px; align-content: start; }
  .back h3 { font-size: 14.5px; }
  .back .at { padding: 11px 12px; display: grid; gap: 6px; font-size: 13px; justify-items: start; overflow-wrap: anywhere; }
  .back > .button { justify-self: start; }
`

/** Why a receiver is not told, in words; what has none keeps what it imported for good. */
const REASONS: Record<string, MessageKey> = {
  not_told: 'why_not_told', not_delivered: 'why_not_delivered', told_before: 'why_told_before', still_delivering: 'why_still_delivering',
  host_refused: 'why_refused', exhausted: 'why_refused', cancelled: 'why_refused', changed_since: 'why_changed',
}

/** Why a receiver that took rows keeps them. */
const KEEPS = new Set(['not_told', 'registration_gone', 'body_purged'])

export class TakingBack {
  readonly #flow: Flow
  readonly #download: () => void
  #isAsked = false

  constructor(flow: Flow, download: () => void) {
    this.#flow = flow
    this.#download = download
  }

  /**
   * The text before the button, the button, and the confirmation; or what a requested revert waits for.
   *
   * Only for those who may revert. revert: whether it was started. discard: the request is not followed.
   */
  render(changeset: Changeset, isBrowser: boolean, revert: () => Promise<boolean>, discard: () => void): TemplateResult {
    const {say} = this.#flow.page
    const n = changeset.counts.imported ?? 0
    const isLate = changeset.receivers.some(({reason}) => reason === 'still_delivering')
    const look = {small: true, kind: 'danger', disabled: this.#flow.isBusy || isLate} as const
    const ask = (isAsked: boolean): void => {
      this.#isAsked = isAsked
      this.#flow.page.requestUpdate()
    }
    return html`<section class="card back" aria-label=${say('revert_title', {n})}>
      <h3>${say('revert_title', {n})}</h3>
      ${isBrowser ? html`<p class="small muted">${say('revert_browser')}</p>${this.#byHand()}` : this.#until(changeset.receivers)}
      ${changeset.receivers.map(receiver => this.#receiver(receiver, receiverName(changeset.receivers, receiver.webhookId, say)))}
      ${changeset.awaits === 'revert' ? this.#waiting(changeset, revert, discard) : this.#isAsked
        ? notice('warn', say('cannot_go_back'), 'undo', html`
          ${button(say('keep'), () => ask(false), {small: true, autofocus: true})}
          ${button(say('revert_n', {n}), () => void revert().then(isBegun => ask(!isBegun)), look)}`)
        : button(say('revert'), () => ask(true), {...look, icon: 'undo'})}
    </section>`
  }

  #waiting(changeset: Changeset, revert: () => Promise<boolean>, discard: () => void): TemplateResult {
    const {page, isBusy} = this.#flow
    const n = changeset.counts.imported ?? 0
    return notice('warn', awaited(changeset, page), 'undo', html`
      ${button(page.say('keep'), discard, {small: true, disabled: isBusy})}
      ${changeset.mayApprove ? button(page.say('revert_n', {n}), () => void revert(), {small: true, kind: 'danger', disabled: isBusy}) : nothing}`)
  }

  #receiver({told, reason, rowCount}: Receiver, name: string): TemplateResult {
    const {say} = this.#flow.page
    return html`<div class="card at">${tag(say(told ? 'told' : 'untold'), told ? 'ok' : 'warn')}
      <bdi class="strong">${name}</bdi>
      <span>${told ? say('why_told', {n: rowCount}) : this.why(reason)}</span>${KEEPS.has(reason) && rowCount ? this.#byHand() : nothing}</div>`
  }

  /** What is known here goes back at any time; what was sent is kept for a while. */
  #until(receivers: Receiver[]): TemplateResult | typeof nothing {
    const {say, format} = this.#flow.page
    const [first] = receivers.flatMap(({until}) => until ?? []).sort()
    return first ? html`<p class="small muted">${say('revert_until', {date: format.date(new Date(first))})}</p>` : nothing
  }

  #byHand(): TemplateResult | typeof nothing {
    const {say} = this.#flow.page
    if (this.#flow.record?.purgedAt) return nothing
    return html`<span>${say('by_hand')}</span>${button(say('download_rows'), this.#download, {small: true, icon: 'download', disabled: this.#flow.isBusy})}`
  }

  /** A reason why a receiver, or what is known, stays as it is. */
  why(reason: string): string {
    return this.#flow.page.say(REASONS[reason] ?? 'why_gone')
  }
}
