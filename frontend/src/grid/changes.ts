/** Copying, pasting, filling and clearing the selected cells. */

import type {BlockCache} from './blocks.js'
import {cut, editsOf, isTooLarge, MOST_CELLS, pastedRange, textsOf, tiled, type ShownText, type TextAt} from './edits.js'
import {filled} from './labels.js'
import {cellsIn, type Range} from './selection.js'
import {readTsv, writeTsv} from './tsv.js'
import type {Awaited, GridColumn, GridEdit, GridLabels, GridRow} from './types.js'

/** The side of the grid whose cells change. */
export interface Changed {
  readonly columns: readonly GridColumn[]
  readonly rowCount: number
  readonly range: Range
  readonly cache: BlockCache | null
  readonly said: GridLabels
  readonly shownText: ShownText
  readonly numbers: Intl.NumberFormat
  announce(text: string): void
  send(edits: readonly GridEdit[]): void
  select(range: Range): void
  leaveOut(rows: readonly number[], isBack: boolean): void
  refuse(text: string): void
  awaited(state: Awaited): void
}

export class Changes {
  #request = new AbortController()

  constructor(readonly grid: Changed) {}

  /** Drop what is still being fetched for a change. */
  stop(): void {
    this.#request.abort()
    this.#request = new AbortController()
  }

  async clear(): Promise<void> {
    await this.#change(this.grid.range, () => null)
  }

  /** Leave the rows of the range out, or take them back. */
  async leaveOut(isBack: boolean): Promise<void> {
    const {range} = this.grid
    if (this.#refuses(range)) return
    const rows = await this.#awaited(range)
    if (rows?.length) this.grid.leaveOut(rows.map(({row}) => row), isBack)
  }

  /** Fill every row of the range with the texts of its first. */
  async fillDown(): Promise<void> {
    const {range} = this.grid
    const first = await this.#awaited({...range, bottom: range.top})
    if (!first?.[0] || range.top === range.bottom) return
    const source = first[0]
    await this.#change(range, (_, col) => this.grid.shownText(source, range.start + col))
  }

  /** Put the range on the clipboard: at once when its rows are here, else when they were fetched. */
  copy(event: ClipboardEvent, isCut: boolean): void {
    const {grid} = this
    const range = cut(grid.range, grid.rowCount, grid.columns.length)
    if (range.top < 0 || range.bottom < range.top) return
    event.preventDefault()
    if (this.#refuses(range)) return
    const rows = this.#kept(range)
    if (rows) event.clipboardData?.setData('text/plain', this.#written(range, rows))
    else void this.#copyLater(range)
    if (isCut) void this.clear()
    else if (rows) this.#says(grid.said.copied, cellsIn(range))
  }

  async paste(event: ClipboardEvent): Promise<void> {
    const text = event.clipboardData?.getData('text/plain')
    const {grid} = this
    if (!text || grid.range.top < 0) return
    event.preventDefault()
    const texts = readTsv(text)
    const wanted = pastedRange(texts, grid.range)
    const range = cut(wanted, grid.rowCount, grid.columns.length)
    const lost = cellsIn(wanted) - cellsIn(range)
    if (await this.#change(range, tiled(texts))) grid.select(range)
    if (lost > 0) grid.refuse(filled(grid.said.notPasted, {count: grid.numbers.format(lost)}))
  }

  /** Send the edits of a range; false when it was refused. */
  async #change(range: Range, textAt: TextAt): Promise<boolean> {
    const {grid} = this
    if (range.top < 0 || this.#refuses(range)) return false
    const rows = await this.#awaited(range)
    if (!rows) return false
    const edits = editsOf(range, rows, grid.columns, grid.shownText, textAt)
    if (edits.length) grid.send(edits)
    this.#says(grid.said.pasted, edits.length)
    return true
  }

  /** Return rows that shall change; null if they did not come: then nothing changes, and the page hears it. */
  async #awaited(range: Range): Promise<readonly GridRow[] | null> {
    const kept = this.#kept(range)
    if (kept) return kept
    this.grid.awaited('fetching')
    const rows = await this.#rows(range)
    this.grid.awaited(rows ? 'here' : 'lost')
    return rows
  }

  async #rows(range: Range): Promise<readonly GridRow[] | null> {
    const {cache} = this.grid
    const {signal} = this.#request
    if (!cache || range.top < 0) return null
    try {
      const rows = this.#kept(range) ?? (await cache.rows({first: range.top, last: range.bottom}, signal))
      return signal.aborted ? null : rows
    } catch (error) {
      if (!signal.aborted) cache.options.failed(error)
      return null
    }
  }

  #kept(range: Range): GridRow[] | null {
    const rows: GridRow[] = []
    for (let index = range.top; index <= range.bottom; index += 1) {
      const row = this.grid.cache?.row(index)
      if (!row) return null
      rows.push(row)
    }
    return rows
  }

  async #copyLater(range: Range): Promise<void> {
    const {grid} = this
    const written = this.#rows(range).then(rows => {
      if (!rows) throw new Error('no rows')
      return new Blob([this.#written(range, rows)], {type: 'text/plain'})
    })
    try {
      // Safari asks for the promise itself, within the gesture.
      await navigator.clipboard.write([new ClipboardItem({'text/plain': written})])
      this.#says(grid.said.copied, cellsIn(range))
    } catch {
      grid.refuse(grid.said.clipboardRefused)
    }
  }

  #written(range: Range, rows: readonly GridRow[]): string {
    return writeTsv(textsOf(range, rows, this.grid.shownText))
  }

  #refuses(range: Range): boolean {
    if (!isTooLarge(range)) return false
    this.grid.refuse(filled(this.grid.said.tooLarge, {most: this.grid.numbers.format(MOST_CELLS)}))
    return true
  }

  #says(sentence: string, count: number): void {
    this.grid.announce(filled(sentence, {count: this.grid.numbers.format(count)}))
  }
}
