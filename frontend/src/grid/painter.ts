/** Paints the visible rows: recycled elements, and only what changed of them. */

import type {ColumnTrack, Span} from './geometry.js'
import {contains, HEADER, type Cell, type Range} from './selection.js'
import {Strip, type View} from './strip.js'
import type {GridCell, GridColumn, GridIssue, GridRow, GridSort} from './types.js'

/** Longer texts are painted up to here; they are edited and copied whole. */
const MOST_PAINTED = 300

export interface Scene {
  readonly columns: readonly GridColumn[]
  readonly track: ColumnTrack
  readonly rows: Span
  readonly cols: Span
  readonly virtualTop: number
  readonly viewHeight: number
  readonly rowHeight: number
  /** How far the columns are scrolled, and in which direction they run. */
  readonly x: number
  readonly isRtl: boolean
  /** Whether the first column stays while the others scroll. */
  readonly isFrozen: boolean
  readonly active: Cell
  readonly range: Range
  row(index: number): GridRow | undefined
  /** A text that was sent to the page and is not among the fetched rows yet. */
  pendingText(row: GridRow, column: GridColumn): string | null | undefined
  readonly sorted: GridSort | null | undefined
  readonly say: {
    /** The name of a column's menu; empty where it has none. */
    readonly more: string
    rowNumber(row: GridRow | undefined, index: number): string
    readonly required: string
    readonly excluded: string
    issue(issue: GridIssue): string
  }
}

class CellView implements View {
  readonly element = document.createElement('div')
  readonly #text = document.createElement('bdi')
  readonly #note = document.createElement('span')
  #stamp = ''

  constructor() {
    this.element.setAttribute('role', 'gridcell')
    this.element.tabIndex = -1
    this.#text.dir = 'auto'
    this.#note.hidden = true
    this.element.append(this.#text, this.#note)
  }

  /** Show a cell. `place` names its row and column, and so its message. */
  paint(cell: GridCell | undefined, text: string, scene: Scene, row: number, col: number, isPending: boolean): void {
    const worst = worstOf(cell?.issues)
    const isActive = scene.active.row === row && scene.active.col === col
    const isSelected = contains(scene.range, row, col)
    const notes = (!isPending && cell?.notes) || []
    const note = isPending || !cell ? '' : [...cell.issues.map(scene.say.issue), ...notes.map(({text}) => text)].join(' ')
    const explained = (isPending ? '' : cell?.explained) ?? ''
    const column = scene.columns[col]
    const name = classes({
      cell: true,
      numeric: column?.numeric,
      loading: !cell,
      changed: cell?.changed || isPending,
      [worst || 'fine']: worst && !isPending,
      ...Object.fromEntries(notes.map(({kind}) => [`noted-${kind}`, true])),
      selected: isSelected && !isOneCell(scene.range),
      active: isActive,
    })
    const stamp = [row, col, name, isSelected, column?.readOnly, note, explained, text].join('\u0000')
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    const {element} = this
    element.className = name
    element.setAttribute('part', worst && !isPending ? `cell cell-${worst}` : 'cell')
    element.setAttribute('aria-colindex', String(col + 2))
    element.setAttribute('aria-selected', String(isSelected))
    element.tabIndex = isActive ? 0 : -1
    setOrRemove(element, 'aria-readonly', column?.readOnly ? 'true' : '')
    setOrRemove(element, 'title', explained)
    setOrRemove(element, 'aria-invalid', note && worst === 'error' ? 'true' : '')
    setOrRemove(element, 'aria-describedby', note && `note-${row}-${col}`)
    this.#note.id = note ? `note-${row}-${col}` : ''
    this.#note.textContent = note
    this.#text.textContent = text.length > MOST_PAINTED ? `${text.slice(0, MOST_PAINTED)}…` : text
  }
}

class RowView implements View {
  readonly element = document.createElement('div')
  readonly head = document.createElement('div')
  readonly cells: Strip<CellView>

  constructor() {
    this.element.setAttribute('role', 'row')
    this.element.className = 'row'
    this.head.setAttribute('role', 'rowheader')
    this.head.setAttribute('aria-colindex', '1')
    this.head.className = 'head'
    this.element.append(this.head)
    this.cells = new Strip(this.element, () => new CellView())
  }
}

class HeaderView implements View {
  readonly element = document.createElement('div')
  readonly #text = document.createElement('bdi')
  readonly #star = document.createElement('span')
  readonly #more = document.createElement('span')
  #stamp = ''

  constructor() {
    const handle = document.createElement('span')
    handle.className = 'handle'
    handle.setAttribute('aria-hidden', 'true')
    this.element.setAttribute('role', 'columnheader')
    this.#text.dir = 'auto'
    this.#star.className = 'star'
    this.#more.className = 'more'
    this.#more.setAttribute('aria-hidden', 'true') // by keyboard and for readers: the menu key
    this.element.append(this.#text, this.#star, this.#more, handle)
  }

  paint(column: GridColumn | undefined, col: number, isActive: boolean, {sorted, say: {required, more}}: Scene): void {
    const sort = sorted && sorted.field === column?.key ? sorted.descending ? 'descending' : 'ascending' : ''
    const stamp = [column?.label, col, isActive, column?.required, sort, more].join('\u0000')
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    this.element.className = classes({header: true, numeric: column?.numeric, active: isActive})
    this.element.setAttribute('aria-colindex', String(col + 2))
    this.element.tabIndex = isActive ? 0 : -1
    setOrRemove(this.element, 'aria-sort', sort)
    this.#more.textContent = sort === 'ascending' ? '↑' : sort ? '↓' : '⌄'
    this.#more.hidden = !more
    this.#more.title = more
    this.#text.textContent = column?.label ?? ''
    this.#star.textContent = column?.required ? '*' : ''
    setOrRemove(this.#star, 'aria-label', column?.required ? required : '')
    setOrRemove(this.#star, 'role', column?.required ? 'img' : '')
  }
}

/** The pane's rows and header. */
export class Painter {
  readonly #rows: Strip<RowView>
  readonly #headers: Strip<HeaderView>

  constructor(
    readonly body: HTMLElement,
    readonly headerRow: HTMLElement,
  ) {
    this.#rows = new Strip(body, () => new RowView())
    this.#headers = new Strip(headerRow, () => new HeaderView())
  }

  /** The element of a cell, when it is painted. */
  cell(at: Cell): HTMLElement | undefined {
    if (at.row === HEADER) return this.#headers.get(at.col)?.element
    return this.#rows.get(at.row)?.cells.get(at.col)?.element
  }

  paint(scene: Scene): void {
    const window = keysOf(scene.cols, scene.active.col, scene.columns.length)
    const cols = scene.isFrozen && window[0] ? [0, ...window] : window
    this.#rows.show(keysOf(scene.rows, scene.active.row, Infinity))
    for (const [index, view] of this.#rows) this.#paintRow(view, index, cols, scene)
    this.#paintHeaders(cols, scene)
  }

  #paintHeaders(cols: readonly number[], scene: Scene): void {
    const {x, isRtl} = scene
    move(this.headerRow, isRtl ? x : -x, 0)
    const corner = this.headerRow.firstElementChild as HTMLElement
    move(corner, isRtl ? -x : x, 0)
    this.#headers.show(cols)
    for (const [col, view] of this.#headers) {
      const isActive = scene.active.row === HEADER && scene.active.col === col
      place(view.element, scene, col)
      view.paint(scene.columns[col], col, isActive, scene)
    }
  }

  #paintRow(view: RowView, index: number, cols: readonly number[], scene: Scene): void {
    const row = scene.row(index)
    const {x, isRtl, rowHeight, viewHeight} = scene
    const beyond = 4 * rowHeight
    const y = Math.max(-beyond, Math.min(viewHeight + beyond, index * rowHeight - scene.virtualTop))
    move(view.element, isRtl ? x : -x, y)
    move(view.head, isRtl ? -x : x, 0)
    set(view.element, 'aria-rowindex', String(index + 2))
    set(view.element, 'aria-busy', String(!row))
    const name = classes({row: true, excluded: row?.excluded})
    if (view.element.className !== name) view.element.className = name
    const label = scene.say.rowNumber(row, index)
    if (view.head.textContent !== label) view.head.textContent = label
    setOrRemove(view.head, 'aria-label', row?.excluded ? `${label}, ${scene.say.excluded}` : '')
    view.cells.show(cols)
    for (const [col, cell] of view.cells) paintCell(cell, row, index, col, scene)
  }
}

function paintCell(view: CellView, row: GridRow | undefined, index: number, col: number, scene: Scene): void {
  const column = scene.columns[col]
  const cell = row?.cells[col]
  const pending = row && column && scene.pendingText(row, column)
  const isPending = pending !== undefined
  place(view.element, scene, col)
  view.paint(cell, (isPending ? pending : cell?.text) ?? '', scene, index, col, isPending)
}

/** The keys of a window, and one more that keeps its element wherever it is. */
function keysOf(span: Span, kept: number, count: number): number[] {
  const keys: number[] = []
  if (kept >= 0 && kept < span.first) keys.push(kept)
  for (let key = span.first; key <= span.last; key += 1) keys.push(key)
  if (kept > span.last && kept >= 0 && kept < count) keys.push(kept)
  return keys
}

/** The class of the worst issue. */
export function worstOf(issues: readonly GridIssue[] | undefined): '' | 'error' | 'warning' {
  if (!issues?.length) return ''
  return issues.some(issue => issue.severity === 'error') ? 'error' : 'warning'
}

function isOneCell(range: Range): boolean {
  return range.top === range.bottom && range.start === range.end
}

function classes(names: Readonly<Record<string, unknown>>): string {
  return Object.keys(names)
    .filter(name => names[name])
    .join(' ')
}

function move(element: HTMLElement, x: number, y: number): void {
  property(element, 'transform', `translate(${x}px, ${y}px)`)
}

function place(element: HTMLElement, {track, x, isRtl, isFrozen}: Scene, col: number): void {
  const by = col === 0 && isFrozen ? x : 0
  property(element, 'inset-inline-start', `calc(var(--grid-head) + ${track.start(col)}px)`)
  property(element, 'inline-size', `${track.width(col)}px`)
  property(element, 'z-index', by ? '2' : '')
  move(element, isRtl ? -by : by, 0)
}

const kept = new WeakMap<HTMLElement, Record<string, string>>()

/** Reading a style back costs more than remembering what was set. */
export function property(element: HTMLElement, name: string, value: string): void {
  let known = kept.get(element)
  if (!known) kept.set(element, (known = {}))
  if (known[name] === value) return
  known[name] = value
  element.style.setProperty(name, value)
}

function set(element: HTMLElement, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

function setOrRemove(element: HTMLElement, name: string, value: string): void {
  if (value) set(element, name, value)
  else element.removeAttribute(name)
}
