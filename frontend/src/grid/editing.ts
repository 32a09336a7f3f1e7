/** Starts, keeps and ends the edit of a cell. */

import {Editor, type EditorLayout, type Onward} from './editor.js'
import {beside, type Place} from './notes.js'
import {property} from './painter.js'
import {HEADER, type Cell, type Move} from './selection.js'
import type {ErrorPlace, GridColumn, GridEdit, GridLabels, GridRow} from './types.js'

/** The side of the grid that an edit needs. */
export interface Edited {
  readonly columns: readonly GridColumn[]
  readonly said: GridLabels
  readonly activeCell: Cell
  readonly isNarrow: boolean
  readonly size: {readonly width: number; readonly height: number}
  rowAt(index: number): GridRow | undefined
  shownText(row: GridRow, col: number): string
  placeOf(cell: Cell): Place
  reveal(cell: Cell, covered: number): void
  /** Bring the editor, or its absence, into the document now. */
  renderEditor(): void
  announce(text: string): void
  send(edits: readonly GridEdit[]): void
  leaveOut(rows: readonly number[]): void
  move(move: Move): void
  focusActive(): void
  toError(direction: 1 | -1): Promise<ErrorPlace | null>
}

const ONWARD: Partial<Record<Onward, Move>> = {down: 'down', up: 'up', forth: 'forth', back: 'back'}

export class Editing {
  readonly editor: Editor

  constructor(readonly grid: Edited) {
    this.editor = new Editor({
      commit: onward => this.commit(onward),
      cancel: () => this.#end(true),
      clear: () => this.#clear(),
      leaveOut: () => this.#leaveOut(),
      toError: direction => void this.#toError(direction),
      typed: () => {
        if (this.editor.edit?.column.options) this.grid.renderEditor()
        this.#revealed()
      },
    })
  }

  get isOpen(): boolean {
    return this.editor.edit !== null
  }

  /** Edit the focused cell; with `isTyped`, the key that was pressed replaces its text. */
  start(isTyped: boolean): void {
    const {grid} = this
    const cell = grid.activeCell
    const column = grid.columns[cell.col]
    if (cell.row === HEADER || !column || column.readOnly) return
    const row = grid.rowAt(cell.row)
    const before = row?.cells[cell.col]
    if (!row || !before) return grid.announce(grid.said.loading)
    if (before.isCut && !isTyped) return
    const shown = grid.shownText(row, cell.col)
    const layout = this.#layout(before.issues.length > 0 || Boolean(column.options))
    this.editor.at = this.editor.best(column, isTyped ? '' : shown)
    this.editor.edit = {cell, row, column, before: {...before, text: shown}, layout, text: isTyped ? '' : shown}
    grid.renderEditor()
    this.editor.focus(!isTyped && layout !== 'inline')
    this.#revealed()
  }

  /** Take the text; cells whose text is what it was are not edited. */
  commit(onward: Onward): void {
    const {edit} = this.editor
    if (!edit) return
    this.#end(onward !== 'leave')
    if (edit.text !== edit.before.text) {
      this.grid.send([{row: edit.row.row, field: edit.column.key, text: edit.text === '' ? null : edit.text}])
    }
    const move = ONWARD[onward]
    if (move) this.grid.move(move)
    if (onward === 'error') void this.#openError(1)
  }

  /** Put the box where its cell is. The box of a cell that scrolled away goes with it, its text kept. */
  place(): void {
    const {edit} = this.editor
    const box = this.editor.box.value
    if (!edit || !box || edit.layout === 'sheet') return
    const at = this.grid.placeOf(edit.cell)
    if (edit.layout === 'popover') return beside(box, at, this.grid.size)
    property(box, 'inset-block-start', `${at.top}px`)
    property(box, 'inset-inline-start', `${at.start}px`)
    property(box, 'inline-size', `${Math.max(at.width, 160)}px`)
  }

  #layout(hasIssues: boolean): EditorLayout {
    if (this.grid.isNarrow) return 'sheet'
    return hasIssues ? 'popover' : 'inline'
  }

  #revealed(): void {
    const {edit} = this.editor
    if (!edit) return
    const covered = edit.layout === 'sheet' ? (this.editor.box.value?.offsetHeight ?? 0) : 0
    this.grid.reveal(edit.cell, covered)
    this.place()
  }

  #end(takesFocus: boolean): void {
    this.editor.edit = null
    if (takesFocus) this.grid.focusActive()
    this.grid.renderEditor()
  }

  #clear(): void {
    if (!this.editor.edit) return
    this.editor.edit.text = ''
    this.commit('stay')
  }

  #leaveOut(): void {
    const {edit} = this.editor
    if (!edit) return
    this.#end(true)
    this.grid.leaveOut([edit.row.row])
  }

  async #toError(direction: 1 | -1): Promise<void> {
    const wasSheet = this.editor.edit?.layout === 'sheet'
    this.commit('stay')
    if (wasSheet) await this.#openError(direction)
    else await this.grid.toError(direction)
  }

  async #openError(direction: 1 | -1): Promise<void> {
    this.editor.error = await this.grid.toError(direction)
    if (this.editor.error) this.start(false)
  }
}
