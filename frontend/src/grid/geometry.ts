/** Where rows and columns are, in pixels. Pure: no DOM. */

/** Firefox gives an element of 18,000,000 px no height at all, so the scrolled spacer stays far below. */
export const SPACER_CAP = 8_000_000
/** Near both ends the scroll bar is exact; between them it is proportional. */
const EXACT_ZONE = SPACER_CAP / 16

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}

/**
 * Rows of any height behind a spacer of at most SPACER_CAP px.
 *
 * A short scroll moves the rows by as many pixels as the scroller (`virtualTop = scrollTop + offset`); a
 * scroll over two views, as by the thumb, leads to the proportional place. When a scroll ends, `recentred`
 * says where the scroller must be so that the thumb is right again.
 */
export class Spacer {
  virtualTop = 0
  #content = 0
  #view = 0
  #scrollTop = 0

  /** Take new heights of all rows and of what is visible; gives the scrollTop to set. */
  resize(content: number, view: number): number {
    this.#content = content
    this.#view = view
    return this.moveTo(this.virtualTop)
  }

  get height(): number {
    return Math.min(this.#content, SPACER_CAP)
  }

  get maxVirtual(): number {
    return Math.max(0, this.#content - this.#view)
  }

  get #maxScroll(): number {
    return Math.max(0, this.height - this.#view)
  }

  /** The place of the rows for a place of the scroller, when nothing else is known. */
  toVirtual(scrollTop: number): number {
    const rest = this.#maxScroll - scrollTop
    if (this.#content <= SPACER_CAP || scrollTop <= EXACT_ZONE) return scrollTop
    if (rest <= EXACT_ZONE) return this.maxVirtual - rest
    return EXACT_ZONE + (scrollTop - EXACT_ZONE) * this.#ratio
  }

  /** The inverse of `toVirtual`. */
  toScroll(virtualTop: number): number {
    const rest = this.maxVirtual - virtualTop
    if (this.#content <= SPACER_CAP || virtualTop <= EXACT_ZONE) return virtualTop
    if (rest <= EXACT_ZONE) return this.#maxScroll - rest
    return EXACT_ZONE + (virtualTop - EXACT_ZONE) / this.#ratio
  }

  get #ratio(): number {
    return (this.maxVirtual - 2 * EXACT_ZONE) / (this.#maxScroll - 2 * EXACT_ZONE)
  }

  /** The scroller was moved. */
  scrolled(scrollTop: number): void {
    const moved = scrollTop - this.#scrollTop
    const atEnd = scrollTop <= 0 || scrollTop >= this.#maxScroll - 1
    const isFar = Math.abs(moved) > 2 * this.#view
    this.#scrollTop = scrollTop
    const to = atEnd || isFar ? this.toVirtual(scrollTop) : this.virtualTop + moved
    this.virtualTop = clamp(to, 0, this.maxVirtual)
  }

  /** Bring the rows to a place; gives the scrollTop to set. */
  moveTo(virtualTop: number): number {
    this.virtualTop = clamp(virtualTop, 0, this.maxVirtual)
    this.#scrollTop = this.toScroll(this.virtualTop)
    return this.#scrollTop
  }

  /** The scroller was set by `moveTo` and rounded the number. */
  settled(scrollTop: number): void {
    this.#scrollTop = scrollTop
  }

  /** Where the scroller must be for the rows to stay; null when it is there. */
  recentred(): number | null {
    const there = this.toScroll(this.virtualTop)
    return Math.abs(there - this.#scrollTop) > 1 ? this.moveTo(this.virtualTop) : null
  }
}

/** First and last index of what is visible. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** Columns side by side, each with its width. */
export class ColumnTrack {
  readonly #starts: readonly number[]

  constructor(readonly widths: readonly number[]) {
    const starts = [0]
    for (const width of widths) starts.push((starts.at(-1) ?? 0) + width)
    this.#starts = starts
  }

  get total(): number {
    return this.#starts.at(-1) ?? 0
  }

  start(index: number): number {
    return this.#starts[clamp(index, 0, this.widths.length)] ?? 0
  }

  width(index: number): number {
    return this.widths[index] ?? 0
  }

  /** The column at a pixel; the first or the last one beyond the ends. */
  at(x: number): number {
    let low = 0
    let high = Math.max(0, this.widths.length - 1)
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.start(middle) <= x) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The columns that a view from `left` to `right` touches. */
  span(left: number, right: number): Span {
    if (!this.widths.length) return {first: 0, last: -1}
    return {first: this.at(left), last: this.at(Math.max(left, right - 1))}
  }
}

/** The rows that a view touches, with some beyond each edge so that a short scroll finds them painted. */
export function rowSpan(top: number, view: number, height: number, count: number, beyond = 2): Span {
  const first = clamp(Math.floor(top / height) - beyond, 0, count)
  const last = clamp(Math.ceil((top + view) / height) - 1 + beyond, -1, count - 1)
  return {first, last}
}

/** Where a view of `size` has to begin so that `start` to `end` is inside; `at` when it is. */
export function revealing(at: number, size: number, start: number, end: number): number {
  if (start < at || end - start > size) return start
  return end > at + size ? end - size : at
}

/** A width in which most of some texts can be read. */
export function naturalWidth(label: string, texts: readonly string[]): number {
  const lengths = texts.map(text => text.length).sort((a, b) => a - b)
  const usual = lengths[Math.floor(lengths.length * 0.95)] ?? 0
  return Math.round(clamp(Math.max(label.length * 8 + 18, usual * 7.2) + 34, 84, 300))
}
