/** The scrolled window over all rows and columns. */

import {ColumnTrack, revealing, rowSpan, Spacer, type Span} from './geometry.js'
import type {Place} from './notes.js'
import {property} from './painter.js'
import type {Spot} from './pointer.js'
import type {Cell} from './selection.js'

/** For engines without the event `scrollend`. */
const SCROLL_END_MS = 150

export interface ViewportParts {
  readonly scroller: HTMLElement
  readonly spacer: HTMLElement
  readonly pane: HTMLElement
  /** As high as a row is to be. */
  readonly probe: HTMLElement
}

/** Knows what is visible; calls `moved` when that changed. */
export class Viewport {
  readonly spacer = new Spacer()
  track = new ColumnTrack([])
  rowCount = 0
  rowHeight = 34
  headWidth = 62
  /** The largest number that a row may have. */
  largest = 0
  width = 0
  height = 0
  x = 0
  isRtl = false
  #endTimer: ReturnType<typeof setTimeout> | undefined
  #isTouched = false
  readonly #observer: ResizeObserver

  constructor(
    readonly parts: ViewportParts,
    readonly moved: () => void,
  ) {
    this.#observer = new ResizeObserver(() => this.measure())
  }

  connect(signal: AbortSignal): void {
    const {scroller} = this.parts
    const touched = (isTouched: boolean) => () => {
      this.#isTouched = isTouched
      if (!isTouched) this.#endsSoon()
    }
    scroller.addEventListener('scroll', () => this.#scrolled(), {passive: true, signal})
    scroller.addEventListener('scrollend', () => this.#ended(), {signal})
    scroller.addEventListener('touchstart', touched(true), {passive: true, signal})
    scroller.addEventListener('touchend', touched(false), {signal})
    scroller.addEventListener('touchcancel', touched(false), {signal})
    this.#observer.observe(scroller)
    this.#observer.observe(this.parts.probe)
    signal.addEventListener('abort', () => {
      this.#observer.disconnect()
      clearTimeout(this.#endTimer)
    })
    this.measure()
  }

  get viewHeight(): number {
    return Math.max(0, this.height - this.rowHeight)
  }

  get viewWidth(): number {
    return Math.max(0, this.width - this.headWidth)
  }

  /** How many whole rows are visible. */
  get page(): number {
    return Math.max(1, Math.floor(this.viewHeight / this.rowHeight))
  }

  /** How wide the first column is that stays while the others scroll; 0 where it would leave them too little. */
  get frozen(): number {
    const first = this.track.width(0)
    return first <= this.width / 3 ? first : 0
  }

  rows(): Span {
    return rowSpan(this.spacer.virtualTop, this.viewHeight, this.rowHeight, this.rowCount)
  }

  cols(): Span {
    return this.track.span(this.x, this.x + this.viewWidth)
  }

  /** Return whether any part of a cell is visible. */
  isVisible(cell: Cell): boolean {
    const {top, start, width, height} = this.placeOf(cell)
    const isInRows = top + height > 0 && top < this.viewHeight
    return isInRows && start + width > this.headWidth && start < this.width
  }

  /** The position of a cell, from the start of the pane and from the first row. */
  placeOf(cell: Cell): Place {
    return {
      start: this.headWidth + this.track.start(cell.col) - (cell.col === 0 && this.frozen ? 0 : this.x),
      top: cell.row * this.rowHeight - this.spacer.virtualTop,
      width: this.track.width(cell.col),
      height: this.rowHeight,
    }
  }

  /** What is at a point of the window; beyond the edges, what is nearest. */
  spotAt(clientX: number, clientY: number): Spot {
    const box = this.parts.pane.getBoundingClientRect()
    const along = (this.isRtl ? box.right - clientX : clientX - box.left) - this.headWidth
    const down = clientY - box.top - this.rowHeight
    const row = Math.floor((this.spacer.virtualTop + Math.min(down, this.viewHeight - 1)) / this.rowHeight)
    const last = this.rowCount - 1
    const cell = {
      row: Math.max(Math.min(0, last), Math.min(row, last)),
      col: along < this.frozen ? 0 : this.track.at(this.x + Math.min(Math.max(0, along), this.viewWidth - 1)),
    }
    if (down < 0) return {zone: along < 0 ? 'corner' : 'header', cell}
    return {zone: along < 0 ? 'rows' : 'body', cell}
  }

  /** Scroll while something is drawn beyond an edge. */
  scrollBeyond(dx: number, dy: number): void {
    this.parts.scroller.scrollLeft += dx
    this.x = Math.abs(this.parts.scroller.scrollLeft)
    this.scrollTo(this.spacer.virtualTop + dy)
  }

  /** Read sizes from the document, and give the spacer its own. */
  measure(): void {
    const {scroller, pane, probe} = this.parts
    const topRow = this.spacer.virtualTop / this.rowHeight
    this.isRtl = getComputedStyle(scroller).direction === 'rtl'
    const height = probe.offsetHeight || this.rowHeight
    if (height !== this.rowHeight) this.spacer.virtualTop = topRow * height
    this.rowHeight = height
    this.width = scroller.clientWidth
    this.height = scroller.clientHeight
    property(pane, 'inline-size', `${this.width}px`)
    property(pane, 'block-size', `${this.height}px`)
    this.layout()
  }

  /** Lay out again after rows, columns or widths changed. */
  layout(): void {
    const {spacer, pane} = this.parts
    const scrollTop = this.spacer.resize(this.rowCount * this.rowHeight, this.viewHeight)
    this.headWidth = 30 + 8.5 * Math.max(2, Math.max(this.rowCount, this.largest).toLocaleString().length)
    property(pane, '--grid-head', `${this.headWidth}px`)
    property(pane, '--grid-columns', `${this.headWidth + this.track.total}px`)
    property(spacer, 'inline-size', `${this.headWidth + this.track.total}px`)
    property(spacer, 'block-size', `${this.rowHeight + this.spacer.height}px`)
    this.#set(scrollTop)
    this.moved()
  }

  /** Scroll by as little as shows a cell whole; `covered` pixels at the bottom do not count. */
  reveal(cell: Cell, covered = 0): void {
    const {scroller} = this.parts
    if (cell.row >= 0) {
      const top = cell.row * this.rowHeight
      const size = Math.max(this.rowHeight, this.viewHeight - covered)
      const to = revealing(this.spacer.virtualTop, size, top, top + this.rowHeight)
      if (to !== this.spacer.virtualTop) this.scrollTo(to)
    }
    const {frozen} = this
    if (cell.col === 0 && frozen) return
    const start = this.track.start(cell.col)
    const x = revealing(this.x + frozen, this.viewWidth - frozen, start, start + this.track.width(cell.col)) - frozen
    if (x === this.x) return
    scroller.scrollLeft = this.isRtl ? -x : x
    this.x = Math.abs(scroller.scrollLeft)
    this.moved()
  }

  /** Show the rows from a place on. */
  scrollTo(virtualTop: number): void {
    this.#set(this.spacer.moveTo(virtualTop))
    this.moved()
  }

  #set(scrollTop: number): void {
    const {scroller} = this.parts
    if (Math.abs(scroller.scrollTop - scrollTop) >= 1) scroller.scrollTop = scrollTop
    this.spacer.settled(scroller.scrollTop)
  }

  #scrolled(): void {
    const {scroller} = this.parts
    this.spacer.scrolled(scroller.scrollTop)
    this.x = Math.abs(scroller.scrollLeft)
    this.moved()
    if (!('onscrollend' in window)) this.#endsSoon()
  }

  #endsSoon(): void {
    clearTimeout(this.#endTimer)
    this.#endTimer = setTimeout(() => this.#ended(), SCROLL_END_MS)
  }

  #ended(): void {
    if (this.#isTouched) return
    const scrollTop = this.spacer.recentred()
    if (scrollTop !== null) this.#set(scrollTop)
  }
}
