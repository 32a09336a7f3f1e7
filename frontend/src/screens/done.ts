/** The end: what was imported, what the host answered, and the way back. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {Changeset, Delivery} from '../api/outcomes.js'
import {loaded} from '../api/problem.js'
import type {DeliverySummary} from '../api/shapes.js'
import {decide} from '../flow/deciding.js'
import {handOver} from '../flow/results.js'
import type {MessageKey} from '../messages/catalogue.js'
import {sayOr} from '../messages/words.js'
import {Finishing} from '../review/finishing.js'
import {keepFocus} from '../ui/focus.js'
import {icon} from '../ui/icons.js'
import {button, tag, type Tone} from '../ui/pieces.js'
import {receiverName} from '../ui/receiver_name.js'
import * as events from '../widget/events.js'
import type {Proof} from './proof.js'
import type {Receipt} from './receipt.js'
import {RowList, rowListStyles} from './row_list.js'
import {Screen} from './screen.js'
import {testMark} from './test_mark.js'
import {TakingBack, takingBackStyles} from './taking_back.js'

const UNDER_WAY = new Set(['pending', 'sending'])
const REFUSED = new Set(['rejected', 'exhausted', 'cancelled'])
const TONES: Record<DeliverySummary['state'], Tone> = {
  pending: 'accent', sending: 'accent', delivered: 'ok', rejected: 'err', exhausted: 'err', cancelled: '',
}

/** Whether the receiver does not have the rows, though they were sent to it. */
export const isFailing = ({state, attempts}: DeliverySummary): boolean =>
  state === 'rejected' || state === 'exhausted' || (UNDER_WAY.has(state) && attempts > 0)

export class DoneScreen extends Screen {
  static override styles = css`
    ${rowListStyles}
    ${takingBackStyles}
    .finish { display: grid; justify-items: center; text-align: center; gap: 10px; padding: 26px 0 6px; }
    .finish .sign { inline-size: 52px; block-size: 52px; border-radius: 50%; background: var(--_ok-soft); color: var(--_ok); display: grid; place-items: center; }
    .finish .sign.warn { background: var(--_warn-soft); color: var(--_warn); }
    .finish .sign .icon { inline-size: 24px; block-size: 24px; stroke-width: 2; }
    .finish .sign.wait { background: var(--_accent-soft); color: var(--_link); }
    .support { overflow-wrap: anywhere; }
    .finish h2 { font-size: 20px; font-weight: 650; }
    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; inline-size: 100%; max-inline-size: 860px; margin-inline: auto; }
    .figures .card { padding: 14px 16px; display: flex; flex-direction: column-reverse; }
    .figures dd { font-size: 22px; font-weight: 640; letter-spacing: -.01em; }
    .log { inline-size: 100%; max-inline-size: 860px; margin-inline: auto; }
    .log li { display: flex; gap: 8px 12px; padding: 11px 16px; border-block-end: 1px solid var(--_line); font-size: 13.5px; align-items: center; flex-wrap: wrap; }
    .log li:last-child { border: 0; }
    .log .mono { overflow-wrap: anywhere; }
    .log li > .grow:not(:empty) { flex-basis: 150px; }
    .outcome, .side { display: grid; gap: 18px; align-items: start; grid-template-columns: minmax(0, 1fr); }
    .outcome > * { min-inline-size: 0; }
    @container service-import (inline-size >= 640px) {
      .finish.beside { grid-template-columns: auto minmax(0, 1fr) auto; justify-items: start; text-align: start; gap: 2px 14px; padding: 0; }
      .finish.beside > .sign, .finish.beside > .button { grid-row: 1 / 3; }
      .finish.beside > .sign { grid-column: 1; inline-size: 44px; block-size: 44px; }
      .finish.beside > .button { grid-column: 3; align-self: center; }
    }
    @container service-import (inline-size >= 1000px) {
      .outcome.beside { grid-template-columns: minmax(0, 1fr) 312px; }
    }
  `
  #changeset: Changeset | null = null
  #isLeft = false
  /** When a delivery that failed is tried again. */
  #next = new Map<string, string | null>()
  #isHandedOver = false
  #receipt: Receipt | null = null
  #proof: Proof | null = null
  readonly #rows = new RowList(this.flow)
  readonly #finishing = new Finishing(this.flow, {changed: () => this.update()})
  /** A revert was requested, and its notice has not had the focus. */
  #isRequested = false
  readonly #back = new TakingBack(this.flow, () => void this.#finishing.download('applied'))

  get #isBrowser(): boolean {
    return (this.#changeset?.applyMode ?? this.flow.applyMode) === 'browser'
  }

  override async enter(): Promise<void> {
    this.flow.finished()
    await this.flow.attempt(async () => {
      if (this.flow.isApplying && this.flow.applyMode === 'browser') await handOver(this.flow)
      this.#isHandedOver = true
      if (this.flow.isApplying) this.#tellPage()
      queueMicrotask(() => void this.#follow()) // also when a later try succeeds
    })
  }

  /** Show the results of the rows as far as they are known, and poll until all are. */
  async #follow(): Promise<void> {
    if (this.flow.record?.changesetId) await this.#readChangeset()
    await this.#readNext()
    await this.#awaitHost()
    await this.#list()
  }

  /** Read what a revert would do, or did. */
  async #readChangeset(): Promise<void> {
    const {engine, recordId, record} = this.flow
    await this.flow.attempt(async () => {
      this.#changeset = await engine.changeset(record!.changesetId!, recordId)
      if (this.#changeset.proof.some(({agreed, differs}) => agreed + differs)) this.#proof ??= await (await loaded(import('./proof.js'))).Proof.in(this.page.language)
    })
  }

  /** Show the result of each row, unless its rows are gone. */
  async #list(): Promise<void> {
    const changeset = this.#changeset
    if (!changeset || this.#isLeft || this.flow.record?.purgedAt) return
    await this.flow.attempt(() => this.#rows.load(changeset))
  }

  /** Show what a person keeps of the import; few ask for it. */
  async #showReceipt(): Promise<void> {
    if (this.flow.record?.changesetId) await this.#readChangeset() // as it is now, also right after the import
    await this.flow.attempt(async () => { this.#receipt ??= new (await loaded(import('./receipt.js'))).Receipt(this.flow) })
    await this.#receipt?.open(this.#changeset, this.#isBrowser)
  }

  override updated(): void {
    this.#receipt?.updated(this.stage.renderRoot)
    this.#focusRequest()
    keepFocus(this.stage.renderRoot, this.flow.isBusy)
  }

  /** The confirmation went when the revert was requested: the focus goes on to what withdraws it. */
  #focusRequest(): void {
    const keep = this.#isRequested ? this.stage.renderRoot.querySelector<HTMLElement>('.back .notice .button:not(:disabled)') : null
    if (!keep) return
    this.#isRequested = false
    keep.focus()
  }

  override leave(): void {
    this.#isLeft = true
  }

  #tellPage(): void {
    this.flow.isApplying = false
    const record = this.flow.record!
    const deliveryIds = record.deliveries.map(({id}) => id)
    this.page.dispatchEvent(events.importApplied({
      rowCount: record.counts.imported ?? 0, recordId: record.recordId, deliveryId: deliveryIds.length === 1 ? deliveryIds[0]! : null, deliveryIds, catalogKey: record.catalogKey ?? '',
    }))
  }

  /** Follow the deliveries until each has its answer, or the person goes on. */
  async #awaitHost(): Promise<void> {
    while (!this.#isLeft && this.#isUnderWay) {
      const before = this.flow.record
      await new Promise(resolve => setTimeout(resolve, 1500))
      if (this.#isLeft) return
      const isRead = await this.flow.attempt(() => this.flow.refreshRecord())
      if (!isRead || this.flow.record === before) return
      await this.#readNext()
      await this.#readChangeset()
    }
  }

  /** Read when what could not be delivered is tried again. */
  async #readNext(): Promise<void> {
    const {engine, recordId, record} = this.flow
    const failing = (record?.deliveries ?? []).filter(delivery => UNDER_WAY.has(delivery.state) && delivery.attempts > 0)
    await this.flow.attempt(async () => {
      const known = await Promise.all(failing.map(async ({id}) => [id, (await engine.delivery(id, recordId) as Delivery & {dueAt?: string | null}).dueAt ?? null] as const))
      this.#next = new Map(known)
    })
  }

  get #isUnderWay(): boolean {
    const {state, deliveries = []} = this.flow.record ?? {}
    return state === 'reverting' || deliveries.some(delivery => UNDER_WAY.has(delivery.state))
  }

  override render(): TemplateResult {
    const {counts, deliveries, state, recordId, changesetId} = this.flow.record!
    const isReverting = state === 'reverting'
    const isReverted = isReverting || state === 'reverted' || this.#changeset?.state === 'reverted' || this.#changeset?.state === 'reverting'
    const failing = deliveries.filter(isFailing)
    const isRefused = this.#rows.refused > 0 || failing.length > 0
    const isSending = deliveries.some(delivery => UNDER_WAY.has(delivery.state))
    const isGiven = this.#isHandedOver || !this.#isBrowser
    const heading = isReverted ? this.say(isReverting ? 'reverting_title' : 'reverted_title') : failing.length ? this.say('not_there', {names: this.format.list([...new Set(failing.map(delivery => this.#receiver(delivery)))])}) : isGiven ? this.say('imported_title', {n: counts.imported ?? 0}) : this.say('handing_over')
    const lines = isReverted ? nothing : this.#rows.render()
    const beside = lines === nothing ? '' : 'beside' // what the lines say, figures need not
    const log = html`<div class="card log"><ul>${deliveries.map(delivery => this.#delivery(delivery))}${this.#proof?.render(this.#changeset!.proof, this.format, this.say('delivery'))}${this.#noted()}${this.#open()}</ul></div>`
    return html`${testMark(this.flow)}
      <div class="finish ${beside}"><span class="sign ${isRefused || isReverted || !isGiven ? 'warn' : isSending ? 'wait' : ''}">${icon(isReverted ? 'undo' : isRefused || !isGiven ? 'warn' : isSending ? 'up' : 'check')}</span>
        <h2 class="step-title" tabindex="-1">${heading}</h2><p class="muted" role="status">${this.#said(deliveries, isReverted)}</p>
        ${this.#rows.refused ? button(this.say('download_reasons'), () => void this.#finishing.download('refused'), {icon: 'download', disabled: this.flow.isBusy}) : nothing}</div>
      ${beside && !counts.failed && !counts.excluded && !this.#changeset?.counts.deleted ? nothing : this.#figures()}
      ${beside ? html`<div class="outcome beside">${lines}<div class="side">${this.#takingBack()}${log}</div></div>` : html`${log}${this.#takingBack()}`}
      <slot name="done-actions"></slot>
      <details class="small muted support"><summary>${this.say('for_support')}</summary>
        <span class="mono">${[recordId, changesetId ?? '', ...deliveries.map(({id}) => id)].join(' ')}</span></details>${this.#receipt?.render()}`
  }

  override footer(): TemplateResult {
    return html`${button(this.say('receipt'), () => void this.#showReceipt(), {kind: 'quiet'})}<span class="grow"></span>
      ${button(this.say('import_another'), () => this.flow.startOver())}
      ${button(this.say('done'), () => this.stage.finish(), {kind: 'primary', disabled: !this.#isHandedOver})}`
  }

  #said(deliveries: DeliverySummary[], isReverted: boolean): string {
    if (isReverted) return this.say('reverted_detail')
    if (this.#isBrowser) return this.#isHandedOver ? this.say('handed_over') : ''
    const tried = deliveries.filter(delivery => isFailing(delivery) && UNDER_WAY.has(delivery.state))
    if (tried.length) {
      const [next] = tried.flatMap(({id}) => this.#next.get(id) ?? []).sort()
      return next ? this.say('next_try', {time: this.#at(next)}) : this.say('nothing_lost')
    }
    if (deliveries.some(delivery => UNDER_WAY.has(delivery.state))) return this.say('awaiting_host')
    if (deliveries.some(delivery => REFUSED.has(delivery.state))) return this.say('host_refused')
    if (deliveries.some(delivery => delivery.state !== 'delivered')) return '' // each says its own word below
    return this.#rows.refused ? this.say('rows_refused', {n: this.#rows.refused}) : this.say('host_confirmed')
  }

  #figures(): TemplateResult {
    const {counts} = this.flow.record!
    const extra = this.#changeset?.counts ?? {}
    const figures: [MessageKey, number | undefined][] = [
      ['figure_rows', counts.rows], ['figure_imported', counts.imported], ['figure_failed', counts.failed], ['figure_excluded', counts.excluded],
      ['figure_new', extra.new], ['figure_changed', extra.changed], ['figure_unchanged', extra.unchanged], ['figure_deleted', extra.deleted],
    ]
    const known = figures.filter(([key, n]) => n !== undefined && (n > 0 || key === 'figure_rows' || key === 'figure_imported'))
    return html`<dl class="figures">${known.map(([key, n]) => html`<div class="card"><dt class="small muted">${this.say(key, {n: n!})}</dt><dd class="number">${this.format.number(n!)}</dd></div>`)}</dl>`
  }

  #delivery(delivery: DeliverySummary): TemplateResult {
    const next = this.#next.get(delivery.id)
    return html`<li>${tag(sayOr(this.say, `delivery_${delivery.state}`, delivery.state), isFailing(delivery) ? 'warn' : TONES[delivery.state])}
      <bdi class="strong">${this.#receiver(delivery)}</bdi><span class="grow"></span>
      <span class="muted">${next ? `${this.say('tried_again', {time: this.#at(next)})} · ` : ''}${this.say('attempts', {n: delivery.attempts})}</span></li>`
  }

  /** The system that a delivery goes to, as its owner calls it. */
  #receiver({webhookId}: DeliverySummary): string {
    return receiverName(this.#changeset?.receivers ?? [], webhookId, this.say)
  }

  /** A time of today, or of another day with its date. */
  #at(moment: string): string {
    const at = new Date(moment)
    const isToday = at.toDateString() === new Date().toDateString()
    return isToday ? this.format.time(at) : `${this.format.date(at)}, ${this.format.time(at)}`
  }

  #noted(): TemplateResult[] {
    return this.#changeset ? this.#notes(this.#changeset).map(note => html`<li>${tag(this.say('note'), 'warn')}<span>${note}</span></li>`) : []
  }

  /** What was said of a revert, each sentence once; of a receiver by its name. */
  #notes({receivers, revertNotes}: Changeset): string[] {
    const labels = new Map(receivers.map(({webhookId, label}) => [webhookId, label]))
    const said = revertNotes.map(({code, webhookId = ''}) => [labels.get(webhookId), this.#back.why(code)].filter(Boolean).join(': '))
    return [...new Set(said)]
  }

  #open(): TemplateResult | typeof nothing {
    const failed = this.flow.record?.counts.failed ?? 0
    if (!failed) return nothing
    return html`<li>${tag(this.say('open'), 'warn')}<span class="grow">${this.say('not_imported', {n: failed})}</span>
      ${button(this.say('download_reasons'), () => void this.#finishing.download(), {small: true, icon: 'download', disabled: this.flow.isBusy})}</li>`
  }

  #takingBack(): TemplateResult | typeof nothing {
    const may = this.flow.verified?.rights?.includes('revert') ?? true
    if (this.#changeset?.state !== 'applied' || !may) return nothing
    return this.#back.render(this.#changeset, this.#isBrowser, () => this.#revert(), () => void this.#discard())
  }

  /** Keep what was imported: a requested revert is not followed. */
  async #discard(): Promise<void> {
    await this.flow.attempt(async () => { this.#changeset = await decide(this.flow, this.#changeset!.id, 'discard') })
  }

  async #revert(): Promise<boolean> {
    const isBegun = await this.flow.attempt(async () => {
      this.#changeset = await decide(this.flow, this.#changeset!.id, 'revert')
      this.#isRequested = this.#changeset.awaits === 'revert'
      await this.flow.refreshRecord()
    })
    if (isBegun) void this.#awaitHost()
    return isBegun
  }
}
