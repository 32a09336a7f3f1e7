/** Paints the grid as it is now: rows, the note on the focused cell, the grips of a finger. */

import type {Focusing} from './focusing.js'
import type {Editing} from './editing.js'
import {Notes, type NoteParts} from './notes.js'
import {Painter, property, type Scene} from './painter.js'
import type {Cell} from './selection.js'
import type {GridColumn, GridIssue, GridLabels, GridRow, GridSort} from './types.js'
import type {Viewport} from './viewport.js'

export interface PaintedParts extends NoteParts {
  readonly body: HTMLElement
  readonly headers: HTMLElement
  readonly firstGrip: HTMLElement
  readonly lastGrip: HTMLElement
}

/** The side of the grid that is painted. */
export interface Painted {
  readonly columns: readonly GridColumn[]
  readonly viewport: Viewport
  readonly focusing: Focusing
  readonly editing: Editing
  readonly said: GridLabels
  readonly hasFocus: boolean
  readonly sorted: GridSort | null | undefined
  rowAt(index: number): GridRow | undefined
  rowNumber(row: GridRow | undefined): string
  sentText(row: GridRow, column: GridColumn): string | null | undefined
}

export class Painting {
  readonly notes: Notes
  readonly #painter: Painter

  constructor(
    readonly grid: Painted,
    readonly parts: PaintedParts,
  ) {
    this.notes = new Notes(parts)
    this.#painter = new Painter(parts.body, parts.headers)
  }

  cell(at: Cell): HTMLElement | undefined {
    return this.#painter.cell(at)
  }

  paint(): void {
    this.#painter.paint(this.#scene())
    this.#showNote()
    this.#showGrips()
  }

  #scene(): Scene {
    const {grid} = this
    const {viewport, said, focusing} = grid
    return {
      columns: grid.columns,
      track: viewport.track,
      rows: viewport.rows(),
      cols: viewport.cols(),
      virtualTop: viewport.spacer.virtualTop,
      viewHeight: viewport.viewHeight,
      rowHeight: viewport.rowHeight,
      x: viewport.x,
      isRtl: viewport.isRtl,
      isFrozen: viewport.frozen > 0,
      sorted: grid.sorted,
      active: focusing.active,
      range: focusing.range,
      row: index => grid.rowAt(index),
      pendingText: (row, column) => grid.sentText(row, column),
      say: {
        rowNumber: row => grid.rowNumber(row),
        more: grid.sorted === undefined ? '' : said.columnMenu,
        required: said.required,
        excluded: said.excluded,
        issue: issue => this.#issueText(issue),
      },
    }
  }

  #issueText(issue: GridIssue): string {
    return `${this.grid.said[issue.severity]}: ${issue.message}`
  }

  #showNote(): void {
    const {viewport, focusing, editing, hasFocus} = this.grid
    const {row, col} = focusing.active
    const {issues = [], notes = []} = this.grid.rowAt(row)?.cells[col] ?? {}
    const isShown = hasFocus && !editing.isOpen && focusing.selection.isOne && viewport.isVisible(focusing.active)
    const text = isShown ? [...issues.map(issue => this.#issueText(issue)), ...notes.map(note => note.text)].join(' ') : ''
    this.notes.show(text, viewport.placeOf(focusing.active), {width: viewport.width, height: viewport.viewHeight})
  }

  #showGrips(): void {
    const {viewport, focusing, editing} = this.grid
    const {firstGrip, lastGrip} = this.parts
    const {top, bottom, start, end} = focusing.range
    const isShown = focusing.isTouched && !editing.isOpen && top >= 0
    firstGrip.hidden = lastGrip.hidden = !isShown
    if (!isShown) return
    const first = viewport.placeOf({row: top, col: start})
    const last = viewport.placeOf({row: bottom, col: end})
    property(firstGrip, 'inset-block-start', `${first.top}px`)
    property(firstGrip, 'inset-inline-start', `${first.start}px`)
    property(lastGrip, 'inset-block-start', `${last.top + last.height}px`)
    property(lastGrip, 'inset-inline-start', `${last.start + last.width}px`)
  }
}
