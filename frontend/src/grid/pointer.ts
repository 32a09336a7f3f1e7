/** Mouse, pen and touch: what is pressed, and what is drawn from there. */

import type {Editing} from './editing.js'
import type {Focusing} from './focusing.js'
import type {Cell} from './selection.js'
import type {Viewport} from './viewport.js'

/** What a point of the grid belongs to. */
export type Zone = 'body' | 'rows' | 'header' | 'corner'

export interface Spot {
  readonly zone: Zone
  /** The cell there, or the nearest one. */
  readonly cell: Cell
}

/** The side of the grid that a pointer moves. */
export interface Pointed {
  readonly viewport: Viewport
  readonly focusing: Focusing
  readonly editing: Editing
  resizeColumn(col: number, width: number): void
  fitColumn(col: number): void
}

type Dragged = (x: number, y: number) => void

export class Pointer {
  #dragged: Dragged | null = null
  #last = {x: 0, y: 0}
  #frame = 0
  #kind = 'mouse'
  /** The column whose handle was pressed last: captured, the events after that name the pane. */
  #handled: number | null = null

  constructor(
    readonly pane: HTMLElement,
    readonly grid: Pointed,
  ) {}

  connect(signal: AbortSignal): void {
    const {pane} = this
    pane.addEventListener('pointerdown', event => this.#pressed(event), {signal})
    pane.addEventListener('pointermove', event => this.#movedTo(event), {signal})
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      pane.addEventListener(name, () => this.#released(), {signal})
    }
    // The grid gives the focus itself: the browser would scroll to it.
    pane.addEventListener('mousedown', event => isOwn(event) && event.preventDefault(), {signal})
    pane.addEventListener('click', event => this.#clicked(event), {signal})
    pane.addEventListener('dblclick', event => this.#twice(event), {signal})
    signal.addEventListener('abort', () => this.#released())
  }

  #pressed(event: PointerEvent): void {
    this.#kind = event.pointerType
    this.#handled = null
    if (event.button !== 0 || !isOwn(event) || isMenu(event)) return
    const grip = targetOf(event).closest('.grip')
    if (grip) return this.#drag(event, this.#drawFrom(grip.classList.contains('first')))
    if (event.pointerType === 'touch') return
    const handle = targetOf(event).closest('.handle')
    this.#handled = handle && columnOf(handle)
    if (this.#handled !== null) return this.#drag(event, this.#resizing(event, this.#handled))
    const spot = this.grid.viewport.spotAt(event.clientX, event.clientY)
    this.#choose(spot, event.shiftKey)
    const drawn = this.#drawing(spot)
    if (drawn) this.#drag(event, drawn)
  }

  #choose(spot: Spot, extend: boolean): void {
    const {focusing} = this.grid
    if (spot.zone === 'corner') focusing.selectAll()
    else if (spot.zone === 'rows') focusing.selectRows(extend ? focusing.range.top : spot.cell.row, spot.cell.row)
    else if (spot.zone === 'header') focusing.selectColumns(extend ? focusing.range.start : spot.cell.col, spot.cell.col)
    else focusing.to(spot.cell, extend)
  }

  /** What moving on selects, from where it began. */
  #drawing(from: Spot): Dragged | null {
    const {viewport, focusing} = this.grid
    if (from.zone === 'corner') return null
    return (x, y) => {
      const {cell} = viewport.spotAt(x, y)
      if (from.zone === 'rows') focusing.selectRows(from.cell.row, cell.row)
      else if (from.zone === 'header') focusing.selectColumns(from.cell.col, cell.col)
      else focusing.to({row: Math.max(0, cell.row), col: cell.col}, true)
    }
  }

  /** A grip moves one corner of the range; the opposite one stays. */
  #drawFrom(isFirst: boolean): Dragged {
    const {viewport, focusing} = this.grid
    const {top, bottom, start, end} = focusing.range
    const still = isFirst ? {row: bottom, col: end} : {row: top, col: start}
    return (x, y) => {
      const {cell} = viewport.spotAt(x, y)
      focusing.selection.to(still, false)
      focusing.to({row: Math.max(0, cell.row), col: cell.col}, true)
      focusing.touched()
    }
  }

  #resizing(event: PointerEvent, col: number): Dragged {
    const {grid} = this
    const from = event.clientX
    const width = grid.viewport.track.width(col)
    return x => grid.resizeColumn(col, width + (grid.viewport.isRtl ? from - x : x - from))
  }

  #drag(event: PointerEvent, dragged: Dragged): void {
    this.#dragged = dragged
    this.#last = {x: event.clientX, y: event.clientY}
    this.pane.setPointerCapture(event.pointerId)
  }

  #movedTo(event: PointerEvent): void {
    if (!this.#dragged) return
    this.#last = {x: event.clientX, y: event.clientY}
    this.#dragged(event.clientX, event.clientY)
    if (!this.#frame) this.#frame = requestAnimationFrame(this.#beyond)
  }

  /** A pointer that waits beyond an edge goes on scrolling. */
  readonly #beyond = (): void => {
    this.#frame = 0
    const {x, y} = this.#last
    const box = this.pane.getBoundingClientRect()
    const dx = Math.min(0, x - box.left) + Math.max(0, x - box.right)
    const dy = Math.min(0, y - box.top) + Math.max(0, y - box.bottom)
    if (!this.#dragged || (dx === 0 && dy === 0)) return
    this.grid.viewport.scrollBeyond(dx / 2, dy / 2)
    this.#dragged(x, y)
    this.#frame = requestAnimationFrame(this.#beyond)
  }

  #released(): void {
    this.#dragged = null
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
  }

  /** A tap focuses; a tap on the focused cell edits. Clicks of assistive technology come here, too. */
  #clicked(event: MouseEvent): void {
    if (this.#kind === 'mouse' || !isOwn(event) || isMenu(event) || targetOf(event).closest('.grip')) return
    const spot = this.grid.viewport.spotAt(event.clientX, event.clientY)
    const isSecond = spot.zone === 'body' && this.grid.focusing.isActive(spot.cell)
    if (isSecond) return this.grid.editing.start(false)
    this.#choose(spot, false)
    this.grid.focusing.touched()
  }

  #twice(event: MouseEvent): void {
    if (!isOwn(event)) return
    const {zone} = this.grid.viewport.spotAt(event.clientX, event.clientY)
    if (this.#handled !== null) this.grid.fitColumn(this.#handled)
    else if (this.#kind === 'mouse' && zone === 'body') this.grid.editing.start(false)
  }
}

function targetOf(event: Event): Element {
  return event.composedPath()[0] as Element
}

/** Return whether the event is outside the editor. */
function isOwn(event: Event): boolean {
  return !targetOf(event).closest('.editor')
}

/** Return whether the event is on what opens a column's menu. */
export function isMenu(event: Event): boolean {
  return targetOf(event).closest('.more') !== null
}

function columnOf(handle: Element): number {
  return Number(handle.parentElement?.getAttribute('aria-colindex')) - 2
}
