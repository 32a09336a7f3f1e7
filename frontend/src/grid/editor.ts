/** The field in which a cell is edited: in its place, below it with what is wrong, or in a sheet. */

import {html, nothing, type TemplateResult} from 'lit'
import {createRef, ref, type Ref} from 'lit/directives/ref.js'
import {filled} from './labels.js'
import {isNear, nearest} from './options.js'
import type {Cell} from './selection.js'
import type {ErrorPlace, GridCell, GridColumn, GridLabels, GridRow} from './types.js'

export type EditorLayout = 'inline' | 'popover' | 'sheet'
/** Where the focus goes when the text was taken. */
export type Onward = 'down' | 'up' | 'forth' | 'back' | 'stay' | 'leave' | 'error'

/** An edit that is going on. It belongs to a row of the import: the view may scroll or change below it. */
export interface Edit {
  readonly cell: Cell
  readonly row: GridRow
  readonly column: GridColumn
  readonly before: GridCell
  readonly layout: EditorLayout
  text: string
}

export interface EditorActions {
  commit(onward: Onward): void
  cancel(): void
  clear(): void
  leaveOut(): void
  toError(direction: 1 | -1): void
  typed(): void
}

export class Editor {
  edit: Edit | null = null
  error: ErrorPlace | null = null
  /** The option that Enter takes; -1: the text as it is. */
  at = -1
  readonly box: Ref<HTMLElement> = createRef()
  readonly #field: Ref<HTMLTextAreaElement> = createRef()

  constructor(readonly actions: EditorActions) {}

  /** Put the caret behind the text, or select all of it. */
  focus(select: boolean): void {
    const field = this.#field.value
    field?.focus({preventScroll: true})
    if (select) field?.select()
    else field?.setSelectionRange(field.value.length, field.value.length)
    this.#grow()
  }

  /** Where the option that a text means is among the nearest; -1: it means none, or the field takes any text. */
  best({options = [], isOpen}: GridColumn, text: string): number {
    return !isOpen && isNear(text, nearest(options, text)[0]) ? 0 : -1
  }

  get #options(): string[] {
    return this.edit ? nearest(this.edit.column.options ?? [], this.edit.text) : []
  }

  template(labels: GridLabels, rowNumber: string): TemplateResult | typeof nothing {
    const {edit} = this
    if (!edit) return nothing
    const name = filled(labels.edit, {column: edit.column.label, row: rowNumber})
    const isPlain = edit.layout === 'inline'
    const options = this.#options
    return html`<div
      class="editor ${edit.layout}"
      role=${isPlain ? nothing : 'dialog'}
      aria-label=${isPlain ? nothing : name}
      part="dialog"
      ${ref(this.box)}
      @keydown=${this.#key}
      @focusout=${this.#left}
    >
      ${edit.layout === 'sheet' ? this.#heading(edit, labels, rowNumber) : nothing}
      ${isPlain ? nothing : this.#issues(edit)}
      <textarea
        rows="1"
        dir="auto"
        autocomplete="off"
        spellcheck="false"
        aria-label=${name}
        aria-invalid=${isPlain ? nothing : String(edit.before.issues.some(i => i.severity === 'error'))}
        aria-describedby=${isPlain ? nothing : 'editor-issues'}
        aria-autocomplete=${options.length ? 'list' : nothing}
        aria-controls=${options.length ? 'editor-options' : nothing}
        aria-activedescendant=${options.length && this.at >= 0 ? `editor-option-${this.at}` : nothing}
        .value=${edit.text}
        @input=${this.#input}
        ${ref(this.#field)}
      ></textarea>
      ${options.length ? this.#list(options, name) : nothing}
      ${isPlain ? nothing : this.#buttons(edit, labels)}
    </div>`
  }

  #list(options: readonly string[], name: string): TemplateResult {
    return html`<div class="options" id="editor-options" role="listbox" aria-label=${name} @mousedown=${(event: Event) => event.preventDefault()}>
      ${options.map((option, at) => html`<div role="option" id="editor-option-${at}" aria-selected=${at === this.at} @click=${() => this.#take(option)}>${option}</div>`)}
    </div>`
  }

  #take(option: string | undefined, onward: Onward = 'stay'): void {
    if (this.edit && option !== undefined) this.edit.text = option
    this.actions.commit(onward)
  }

  #heading(edit: Edit, labels: GridLabels, rowNumber: string): TemplateResult {
    const first = edit.cell.col > 0 ? edit.row.cells[0]?.text : ''
    return html`<div class="heading">
      <div>
        <strong><bdi>${edit.column.label}</bdi></strong>
        <div class="muted">${filled(labels.row, {row: rowNumber})}${first ? html`, <bdi>${first}</bdi>` : nothing}</div>
      </div>
      <button type="button" class="close" aria-label=${labels.close} @click=${this.actions.cancel}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 4l8 8M12 4l-8 8" /></svg>
      </button>
    </div>`
  }

  #issues(edit: Edit): TemplateResult {
    return html`<div id="editor-issues" class="issues">
      ${edit.before.issues.map(issue => html`<p class=${issue.severity} part="issue">${issue.message}</p>`)}
    </div>`
  }

  #buttons(edit: Edit, labels: GridLabels): TemplateResult {
    const {actions} = this
    const isSheet = edit.layout === 'sheet'
    const hasError = edit.before.issues.length > 0
    const onward: Onward = isSheet && hasError ? 'error' : 'stay'
    const example = edit.column.example
    return html`${isSheet && example ? html`<p class="muted">${filled(labels.example, {example})}</p>` : nothing}
      <div class="buttons">
        <button type="button" class="primary" part="primary-button" @click=${() => actions.commit(onward)}>
          ${onward === 'error' ? labels.saveNext : labels.save}
        </button>
        ${edit.column.required ? nothing : html`<button type="button" part="button" @click=${actions.clear}>${labels.clear}</button>`}
        ${labels.leaveOut ? html`<button type="button" part="button" class="leave" @click=${actions.leaveOut}>${labels.leaveOut}</button>` : nothing}
      </div>
      ${isSheet ? this.#steps(labels) : nothing}`
  }

  #steps(labels: GridLabels): TemplateResult {
    const {error, actions} = this
    const place = error?.ordinal && error.total ? {ordinal: error.ordinal, total: error.total} : null
    const arrow = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6 3l5 5-5 5" /></svg>`
    return html`<div class="steps">
      <button type="button" class="back" aria-label=${labels.previousError} @click=${() => actions.toError(-1)}>
        ${arrow}
      </button>
      <span class="muted">${place ? filled(labels.errorOf, place) : nothing}</span>
      <button type="button" aria-label=${labels.nextError} @click=${() => actions.toError(1)}>${arrow}</button>
    </div>`
  }

  readonly #input = (event: InputEvent): void => {
    if (this.edit) {
      this.edit.text = (event.target as HTMLTextAreaElement).value
      this.at = this.best(this.edit.column, this.edit.text)
    }
    this.#grow()
    this.actions.typed()
  }

  /** While an input method composes, Enter and Escape are its own. Safari says so by 229 alone. */
  readonly #key = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.isComposing || event.keyCode === 229) return
    const isField = event.target === this.#field.value
    const options = this.#options
    if (event.key === 'Escape') this.actions.cancel()
    else if (event.key === 'F8') this.actions.toError(event.shiftKey ? -1 : 1)
    else if (event.key === 'Enter' && isField && event.altKey) this.#breakLine()
    else if (isField && options.length && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) this.#moved(event.key === 'ArrowDown' ? 1 : -1, options.length)
    else if (event.key === 'Enter' && isField) this.#take(options[this.at], event.shiftKey ? 'up' : 'down')
    else if (event.key === 'Tab' && this.edit?.layout === 'inline') this.actions.commit(event.shiftKey ? 'back' : 'forth')
    else if (event.key === 'Tab' && isField && !event.shiftKey && this.edit?.layout === 'popover' && this.#isChanged) {
      this.#take(options[this.at], 'forth')
    } else return
    event.preventDefault()
  }

  #moved(by: number, count: number): void {
    this.at = (this.at + by + count + (this.at < 0 && by < 0 ? 1 : 0)) % count
    this.actions.typed()
    this.box.value?.querySelector('[aria-selected=true]')?.scrollIntoView({block: 'nearest'})
  }

  get #isChanged(): boolean {
    return this.edit !== null && this.edit.text !== this.edit.before.text
  }

  #breakLine(): void {
    const field = this.#field.value
    if (!field || !this.edit) return
    field.setRangeText('\n', field.selectionStart, field.selectionEnd, 'end')
    this.edit.text = field.value
    this.#grow()
  }

  #grow(): void {
    const field = this.#field.value
    if (!field) return
    field.rows = 1
    while (field.rows < 6 && field.scrollHeight > field.clientHeight + 2) field.rows += 1
  }

  /** A click elsewhere takes the text; another window in front does not. */
  readonly #left = (event: FocusEvent): void => {
    const to = event.relatedTarget
    if (to instanceof Node && this.box.value?.contains(to)) return
    const root = this.box.value?.getRootNode()
    queueMicrotask(() => {
      const focused = root instanceof ShadowRoot ? root.activeElement : null
      const isInside = focused !== null && this.box.value?.contains(focused)
      if (this.edit && !isInside && document.hasFocus()) this.actions.commit('leave')
    })
  }
}
