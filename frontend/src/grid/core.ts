/** The grid behind its element: what is fetched, what is painted, and who is told. */

import {BlockCache} from './blocks.js'
import {Changes, type Changed} from './changes.js'
import {Editing, type Edited} from './editing.js'
import {errorSaid, findError} from './errors.js'
import {GridAwaitedEvent, GridEditEvent, GridErrorEvent, GridExcludeEvent, GridNoErrorsEvent, GridRefusedEvent, GridSelectEvent} from './events.js'
import {Focusing, type Focused} from './focusing.js'
import {filled} from './labels.js'
import type {Place} from './notes.js'
import {Painting, type Painted, type PaintedParts} from './painting.js'
import {Pending} from './pending.js'
import {cellsIn, type Bounds, type Cell, type Range} from './selection.js'
import type {Awaited, ErrorPlace, GridColumn, GridEdit, GridLabels, GridRow, GridSort, RowSource} from './types.js'
import {Viewport, type ViewportParts} from './viewport.js'
import {Widths, widthFor} from './widths.js'

/** Below this width, cells are edited in a sheet. */
const NARROW_PX = 640

/** What the element gives. */
export interface Owner {
  readonly columns: readonly GridColumn[]
  readonly rowCount: number
  readonly source: RowSource | null
  readonly said: GridLabels
  readonly numbers: Intl.NumberFormat
  readonly hasFocus: boolean
  readonly sorted: GridSort | null | undefined
  readonly largest: number
  dispatchEvent(event: Event): boolean
  renderEditor(): void
}

export interface GridParts extends ViewportParts, PaintedParts {}

export class GridCore implements Changed, Edited, Focused, Painted {
  readonly viewport: Viewport
  readonly focusing: Focusing
  readonly changes: Changes
  readonly editing: Editing
  cache: BlockCache | null = null
  readonly #pending = new Pending()
  readonly #widths = new Widths()
  readonly #painting: Painting
  #isFitted = false
  #isCounted = false
  #search = new AbortController()

  constructor(
    readonly owner: Owner,
    readonly parts: GridParts,
  ) {
    this.focusing = new Focusing(this)
    this.changes = new Changes(this)
    this.editing = new Editing(this)
    this.#painting = new Painting(this, parts)
    this.viewport = new Viewport(parts, () => this.paint())
  }

  connect(signal: AbortSignal): void {
    this.viewport.connect(signal)
    signal.addEventListener('abort', () => {
      this.cache?.expire()
      this.#search.abort()
      this.changes.stop()
    })
  }

  // What the page gives.

  setColumns(): void {
    this.#isFitted = false
    this.#layColumns()
  }

  setRowCount(): void {
    const wasEmpty = this.viewport.rowCount === 0
    this.#isCounted = false
    this.viewport.rowCount = this.rowCount
    this.viewport.largest = this.owner.largest
    if (wasEmpty) this.focusing.restart()
    else this.focusing.clamp()
    this.viewport.layout()
    if (!this.rowCount) this.announce(this.said.noRows)
  }

  /** Take other rows: the view begins at its top. */
  setSource(): void {
    this.editing.commit('leave')
    this.changes.stop()
    this.#pending.clear()
    this.cache?.close()
    const {source} = this.owner
    const failed = (error: unknown) => this.owner.dispatchEvent(new GridErrorEvent(error))
    this.cache = source && new BlockCache(source, {changed: () => this.#arrived(), failed})
    this.#isFitted = this.#isCounted = false
    this.focusing.restart()
    this.viewport.scrollTo(0)
  }

  invalidate(): void {
    this.#pending.nextRound()
    this.cache?.expire()
    this.paint()
  }

  // What is where.

  get columns(): readonly GridColumn[] { return this.owner.columns }

  get rowCount(): number { return this.owner.rowCount }

  get said(): GridLabels { return this.owner.said }

  get sorted(): GridSort | null | undefined { return this.owner.sorted }

  get numbers(): Intl.NumberFormat { return this.owner.numbers }

  get bounds(): Bounds {
    return {rows: this.rowCount, cols: this.columns.length, page: this.viewport.page}
  }

  get range(): Range { return this.focusing.range }

  get activeCell(): Cell { return this.focusing.active }

  get isNarrow(): boolean {
    return this.parts.scroller.offsetWidth < NARROW_PX
  }

  get size(): {width: number; height: number} {
    return {width: this.viewport.width, height: this.viewport.viewHeight}
  }

  rowAt(index: number): GridRow | undefined {
    return this.cache?.row(index)
  }

  readonly shownText = (row: GridRow, col: number): string => {
    const column = this.columns[col]
    const sent = column && this.sentText(row, column)
    const cell = row.cells[col]
    return (sent === undefined ? cell?.source ?? cell?.text : sent) ?? ''
  }

  placeOf(cell: Cell): Place {
    return this.viewport.placeOf(cell)
  }

  get hasFocus(): boolean { return this.owner.hasFocus }

  sentText(row: GridRow, column: GridColumn): string | null | undefined {
    return this.#pending.text(row.row, column.key)
  }

  rowNumber(row: GridRow | undefined): string {
    return row ? this.numbers.format(row.row + 1) : '…'
  }

  // What is done.

  focusActive(): void {
    this.paint()
    this.#painting.cell(this.activeCell)?.focus({preventScroll: true})
  }

  reveal(cell: Cell, covered: number): void {
    this.viewport.reveal(cell, covered)
  }

  move: Edited['move'] = move => this.focusing.move(move)

  select(range: Range): void {
    this.focusing.select(range)
  }

  dismissNote(isDismissed: boolean): void {
    this.#painting.notes.dismiss(isDismissed)
  }

  announce(text: string): void {
    this.#painting.notes.announce(text)
  }

  renderEditor(): void {
    this.owner.renderEditor()
    this.paint()
  }

  /** Tell the page what cells shall read; it is shown at once, unless the page prevents it. */
  send(edits: readonly GridEdit[]): void {
    if (this.owner.dispatchEvent(new GridEditEvent(edits))) this.#pending.add(edits)
    this.paint()
  }

  leaveOut(rows: readonly number[], isBack = false): void {
    this.owner.dispatchEvent(new GridExcludeEvent(rows, isBack))
  }

  awaited(state: Awaited): void {
    this.owner.dispatchEvent(new GridAwaitedEvent(state))
  }

  refuse(text: string): void {
    this.announce(text)
    this.owner.dispatchEvent(new GridRefusedEvent(text))
  }

  selected(): void {
    const {row: index, col} = this.activeCell
    const row = this.rowAt(index)
    const field = this.columns[col]?.key ?? ''
    const cell = row?.cells[col] ?? null
    this.owner.dispatchEvent(
      new GridSelectEvent({row: row?.row ?? null, index, field, cell, cells: cellsIn(this.range)}),
    )
  }

  /** Focus the next error; null when the view has none. */
  async toError(direction: 1 | -1): Promise<ErrorPlace | null> {
    this.#search.abort()
    this.#search = new AbortController()
    const {signal} = this.#search
    if (!this.cache) return null
    try {
      const found = this.rowCount ? await findError(this.cache, this.rowCount, this.activeCell, direction, signal) : null
      if (signal.aborted) return null
      if (found) this.focusing.to(found.cell, false)
      await this.#sayError(found?.place ?? null, signal)
      return found?.place ?? null
    } catch (error) {
      if (!signal.aborted) this.owner.dispatchEvent(new GridErrorEvent(error))
      return null
    }
  }

  async #sayError(place: ErrorPlace | null, signal: AbortSignal): Promise<void> {
    if (!place) return this.owner.dispatchEvent(new GridNoErrorsEvent()) ? this.announce(this.said.noErrors) : undefined
    const span = {first: place.index, last: place.index}
    const [row] = (await this.cache?.rows(span, signal)) ?? []
    this.announce(errorSaid(place, row?.cells[this.activeCell.col], this.said))
    this.paint()
  }

  // Columns.

  resizeColumn(col: number, width: number): void {
    const column = this.columns[col]
    if (!column) return
    this.#widths.draw(column, width)
    this.#layColumns()
    this.announce(filled(this.said.columnWidth, {column: column.label, width: this.viewport.track.width(col)}))
  }

  fitColumn(col: number): void {
    const column = this.columns[col]
    if (column) this.resizeColumn(col, widthFor(column, col, this.#visibleRows()))
  }

  #layColumns(): void {
    this.viewport.track = this.#widths.track(this.columns)
    this.focusing.clamp()
    this.viewport.layout()
  }

  #visibleRows(): GridRow[] {
    const {first, last} = this.viewport.rows()
    const rows: GridRow[] = []
    for (let index = first; index <= last; index += 1) rows.push(...[this.rowAt(index) ?? []].flat())
    return rows
  }

  // Painting.

  #arrived(): void {
    if (this.cache && !this.cache.isLoading) this.#pending.settle()
    const rows = this.#visibleRows()
    if (!this.#isFitted && rows.length) {
      this.#isFitted = true
      this.#widths.fit(this.columns, rows)
      this.#layColumns()
    }
    if (!this.#isCounted && rows.length) {
      this.#isCounted = true
      this.announce(filled(this.said.rowsLoaded, {count: this.numbers.format(this.rowCount)}))
      this.selected()
    }
    this.paint()
  }

  paint(): void {
    if (!this.viewport.width) return
    this.cache?.want(this.viewport.rows(), this.rowCount, this.activeCell.row)
    this.#painting.paint()
    this.editing.place()
  }
}
