/** Rows typed or pasted into an empty sheet, instead of a file. */

import {css, html, type TemplateResult} from 'lit'

import {Sheet, SHEET_ROWS} from '../flow/sheet.js'
import {sendTyped} from '../flow/typed.js'
import type {GridEdit, ReviewGridElement} from '../grid/types.js'
import {gridColumns, gridLabels} from '../review/grid_setup.js'
import {button, title} from '../ui/pieces.js'
import {prepare} from './registry.js'
import {Screen} from './screen.js'

export class TypingScreen extends Screen {
  static override styles = css`
    .typing { padding: 16px 20px 14px; display: flex; gap: 10px; align-items: center; border-block-end: 1px solid var(--_line); flex-wrap: wrap; }
    .typing + si-review-grid { block-size: clamp(320px, 56vh, 600px); }
  `
  override readonly isFlush = true
  readonly #columns = gridColumns(this.flow).map(column => ({...column, readOnly: false}))
  #hasBegun = false
  readonly #sheet = this.flow.sheet ??= new Sheet([])

  /** Load the next step during typing: then nothing waits, or fails, for it. */
  override enter(): void {
    this.#sheet.fields = this.flow.fields.filter(field => !field.hidden)
    prepare()
  }

  /** Begin to type at once: the first cell has the focus, after the heading had it. */
  override updated(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    setTimeout(() => this.stage.renderRoot.querySelector<ReviewGridElement>('si-review-grid')?.focusCell(0, 0))
  }

  override render(): TemplateResult {
    return html`
      <div class="typing">${title(this.say('typing_title'), this.say('typing_hint'))}
        ${button(this.say('undo'), this.#undo, {icon: 'undo', small: true, kind: 'quiet'})}
        ${button('', this.#redo, {icon: 'redo', small: true, kind: 'quiet', label: this.say('redo')})}</div>
      <si-review-grid exportparts="grid, cell" .columns=${this.#columns} .rowCount=${SHEET_ROWS} .source=${this.#sheet} .labels=${gridLabels(this.say)}
        @grid-edit=${(event: CustomEvent<{edits: readonly GridEdit[]}>) => this.#do(() => this.#sheet.edit(event.detail.edits))}
        @grid-exclude=${(event: CustomEvent<{rows: readonly number[]}>) => this.#do(() => this.#sheet.clear(event.detail.rows))}
        @grid-undo=${this.#undo} @grid-redo=${this.#redo}></si-review-grid>`
  }

  override footer(): TemplateResult {
    const n = this.#sheet.count
    return html`${button(this.say('back'), () => this.flow.show('upload'), {kind: 'quiet'})}
      <span class="grow small muted" role="status">${this.say('typed_rows', {n})}</span>
      ${button(this.say('continue'), () => void sendTyped(this.flow, this.#sheet), {kind: 'primary', disabled: this.flow.isBusy || !n})}`
  }

  readonly #undo = (): void => this.#do(() => this.#sheet.undo())
  readonly #redo = (): void => this.#do(() => this.#sheet.redo())

  #do(change: () => void): void {
    change()
    this.stage.renderRoot.querySelector<ReviewGridElement>('si-review-grid')?.invalidate()
    this.update()
  }
}
