/** Rows of the file that are not among the rows: why, and back with them. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {LeftOut, LeftOutRow} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {sayOr} from '../messages/words.js'
import {button, tag, title} from '../ui/pieces.js'

export const leftOutStyles = css`
  dialog.drawer { padding: 0; margin-block: 0; margin-inline: auto 0; block-size: 100dvh; max-block-size: none; inline-size: min(560px, 100vw); border-radius: 0; border-block: 0; border-inline-end: 0; }
  dialog.drawer[open] { display: flex; flex-direction: column; }
  .drawer > header { display: flex; gap: 12px; align-items: center; padding: 16px 20px; border-block-end: 1px solid var(--_line); }
  .drawer > .segments { margin: 12px 20px; max-inline-size: calc(100% - 40px); overflow-x: auto; flex: none; align-self: start; }
  .drawer > ul { overflow: auto; flex: 1; }
  .drawer li { display: grid; grid-template-columns: 64px minmax(0, 1fr) auto; gap: 6px 12px; align-items: center; padding: 10px 20px; border-block-end: 1px solid var(--_line); font-size: 13px; }
  .drawer > footer { padding: 12px 20px; border-block-start: 1px solid var(--_line); display: flex; gap: 10px; align-items: center; background: var(--_bg-2); }
`
const MOST_AT_ONCE = 10_000

export class LeftOutDrawer {
  readonly #flow: Flow
  readonly #done: () => void
  #rows: LeftOut | null = null
  /** The one reason that is shown; empty for all. */
  #reason = ''
  #isOpen = false

  constructor(flow: Flow, done: () => void) {
    this.#flow = flow
    this.#done = done
  }

  async open(): Promise<void> {
    this.#isOpen = true
    this.#rows = null
    await this.#show('')
  }

  async #show(reason: string): Promise<void> {
    await this.#flow.attempt(async () => {
      this.#rows = await this.#flow.engine.leftOut(this.#flow.recordId, reason)
      this.#reason = reason
    })
  }

  close(): void {
    this.#isOpen = false
    this.#flow.page.requestUpdate()
  }

  /** Called after each update: a dialog is opened by a call, not by its markup. */
  updated(root: ParentNode): void {
    const dialog = root.querySelector<HTMLDialogElement>('dialog.drawer:not(.duplicates)')
    if (dialog && !dialog.open) dialog.showModal()
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#isOpen || !this.#rows) return nothing
    const {say} = this.#flow.page
    const {items, counts, next, takeBack} = this.#rows
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const n = this.#reason ? (counts[this.#reason] ?? 0) : all
    const segment = (reason: string, text: string): TemplateResult =>
      html`<button type="button" aria-pressed=${this.#reason === reason} @click=${() => void this.#show(reason)}>${text}</button>`
    const reasons = Object.keys(counts)
    return html`<dialog class="drawer" part="dialog" aria-label=${say('left_out_title', {n: all})} @cancel=${(event: Event) => { event.preventDefault(); this.close() }}>
      <header>${title(say('left_out_title', {n: all}), say('left_out_hint'))}${button('', () => this.close(), {icon: 'close', kind: 'quiet', label: say('close')})}</header>
      ${reasons.length > 1 ? html`<div class="segments" role="group" aria-label=${say('rows_shown')}>${segment('', say('all_n', {n: all}))}
        ${reasons.map(reason => segment(reason, `${this.#named(reason)} ${this.#flow.page.format.number(counts[reason]!)}`))}</div>` : nothing}
      <ul>${items.map(row => this.#row(row))}
        ${next ? html`<li><span></span>${button(say('more'), () => void this.#more(), {small: true})}</li>` : nothing}</ul>
      <footer><span class="grow small muted">${n + takeBack.length > MOST_AT_ONCE ? say('take_back_most', {n: MOST_AT_ONCE}) : say('taken_back', {n: takeBack.length})}</span>
        ${n && n + takeBack.length <= MOST_AT_ONCE ? button(say('take_back_all', {n}), () => void this.#take([], this.#reason ? [this.#reason] : reasons), {small: true, icon: 'undo', disabled: this.#flow.isBusy}) : nothing}</footer>
    </dialog>`
  }

  #named(reason: string): string {
    return sayOr(this.#flow.page.say, `reason_${reason}`, reason)
  }

  #row(row: LeftOutRow): TemplateResult {
    const {say} = this.#flow.page
    const where = row.sheet ?? (row.page === null ? '' : say('page', {page: row.page}))
    return html`<li><span class="number muted">${row.sourceRow + 1}</span>
      <span class="stack"><span>${tag(this.#named(row.reason))} <span class="small muted"><bdi>${where}</bdi></span></span><span class="mono"><bdi>${row.text}</bdi></span></span>
      ${button(say('take_back'), () => void this.#take([row.row]), {small: true, disabled: this.#flow.isBusy})}</li>`
  }

  async #more(): Promise<void> {
    await this.#flow.attempt(async () => {
      const more = await this.#flow.engine.leftOut(this.#flow.recordId, this.#reason, this.#rows?.next ?? '')
      this.#rows = {...more, items: [...(this.#rows?.items ?? []), ...more.items]}
    })
  }

  /** Restore these rows and all rows of these reasons, besides those restored before. */
  async #take(rows: number[], reasons: string[] = []): Promise<void> {
    const taken = [...new Set([...(this.#rows?.takeBack ?? []), ...rows])]
    this.#isOpen = false
    if (await this.#flow.change(() => this.#flow.engine.takeBack(this.#flow.recordId, taken, reasons))) this.#done()
  }
}
