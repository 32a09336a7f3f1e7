/** `<si-review-grid>`: rows to look at and to change, a million of them as well as ten. */

import {html, LitElement, nothing, type PropertyValues, type TemplateResult} from 'lit'
import {GridCore, type GridParts, type Owner} from './core.js'
import {GridFilterEvent, GridFindEvent, GridRedoEvent, GridSortEvent, GridUndoEvent} from './events.js'
import {commandOf, type Command} from './keyboard.js'
import {property} from './painter.js'
import {isMenu, Pointer} from './pointer.js'
import {HEADER} from './selection.js'
import {styles} from './styles.js'
import type {GridColumn, GridLabels, GridRow, GridSort, ReviewGridElement, RowSource} from './types.js'

const MOST_LOOKED_AT = 200 // selected rows

export class ReviewGrid extends LitElement implements ReviewGridElement, Owner {
  static override styles = styles
  static override properties = {
    columns: {attribute: false},
    rowCount: {type: Number, attribute: 'row-count'},
    source: {attribute: false},
    labels: {attribute: false},
    sorted: {attribute: false},
    largest: {type: Number},
    locale: {},
  }

  declare columns: readonly GridColumn[]
  declare rowCount: number
  declare source: RowSource | null
  declare labels: GridLabels
  declare sorted: GridSort | null | undefined
  declare largest: number
  declare locale: string
  numbers = new Intl.NumberFormat()
  #core: GridCore | null = null
  /** The column whose menu is open; null for that of rows. */
  #column: GridColumn | null = null
  #connection = new AbortController()

  constructor() {
    super()
    this.columns = []
    this.rowCount = 0
    this.source = null
    this.largest = 0
    this.labels = {} as GridLabels // the page gives its sentences
    this.locale = ''
  }

  /** Forget what was fetched and fetch what is shown again; scroll and focus stay. */
  invalidate(): void {
    this.#core?.invalidate()
  }

  /** Focus a cell by its position in the view. */
  focusCell(row: number, column: number): void {
    this.#core?.focusing.to({row, col: column}, false)
  }

  showColumn(field: string): void {
    const col = this.columns.findIndex(({key}) => key === field)
    if (col >= 0) this.#core?.reveal({row: HEADER, col}, 0)
  }

  /** Focus the next cell with an error after the focused one; false when the view has none. */
  async nextError(direction: 1 | -1 = 1): Promise<boolean> {
    return (await this.#core?.toError(direction)) != null
  }

  get hasFocus(): boolean {
    return this.shadowRoot?.activeElement != null
  }

  get said(): GridLabels {
    return this.labels
  }

  renderEditor(): void {
    this.requestUpdate()
    this.performUpdate()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (this.#core) this.#connect(this.#core)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#connection.abort()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('locale')) this.numbers = new Intl.NumberFormat(this.locale || undefined)
  }

  protected override firstUpdated(): void {
    this.#core = new GridCore(this, this.#parts())
    this.#connect(this.#core)
  }

  protected override updated(changed: PropertyValues<this>): void {
    const core = this.#core
    if (!core) return
    if (changed.has('source')) core.setSource()
    if (changed.has('columns')) core.setColumns()
    if (changed.has('rowCount') || changed.has('largest')) core.setRowCount()
    if ((['labels', 'locale', 'sorted'] as const).some(name => changed.has(name))) core.paint()
  }

  protected override render() {
    const {said} = this
    const editing = this.#core?.editing
    const edit = editing?.editor.edit
    const {rowCount, columns} = this
    return html`<div class="frame">
      <div class="probe"></div>
      <div class="scroller">
        <div class="spacer">
          <div class="pane">
            <div
              role="grid"
              class="grid"
              part="grid"
              aria-label=${said.grid}
              aria-rowcount=${rowCount + 1}
              aria-colcount=${columns.length + 1}
              aria-multiselectable="true"
            >
              <div class="headers" role="row" aria-rowindex="1">
                <div class="head" role="columnheader" aria-colindex="1"><span class="hidden">${said.rowNumber}</span></div>
              </div>
              <div class="body" role="rowgroup"></div>
            </div>
            ${rowCount ? nothing : html`<p class="nothing">${said.noRows}</p>`}
            <div class="layer">
              <div class="bubble" part="issue" aria-hidden="true" hidden></div>
              <div class="grip first" aria-hidden="true" hidden></div>
              <div class="grip last" aria-hidden="true" hidden></div>
              ${edit ? editing.editor.template(said, this.numbers.format(edit.row.row + 1)) : nothing}
            </div>
          </div>
        </div>
      </div>
      <div class="menu" popover @toggle=${this.#menuClosed}>${this.#menu()}</div>
      <div class="live hidden" role="status" aria-live="polite"></div>
    </div>`
  }

  /** What may be done with the selected rows, or with a column. */
  #menu(): TemplateResult[] {
    const {said} = this
    const act = (text: string, does: () => unknown): TemplateResult => html`<button type="button" part="button" @click=${() => {
      this.renderRoot.querySelector<HTMLElement>('.menu')?.hidePopover()
      void does()
    }}>${text}</button>`
    const leave = (isBack: boolean) => () => this.#core?.changes.leaveOut(isBack)
    const field = this.#column?.key
    if (!field) return [...this.#selects(false) ? [act(said.leaveOut, leave(false))] : [], ...this.#selects(true) ? [act(said.putBack, leave(true))] : []]
    const sort = (descending: boolean) => () => this.dispatchEvent(new GridSortEvent({field, descending}))
    return [act(said.sortUp, sort(false)), act(said.sortDown, sort(true)), act(said.onlyErrors, () => this.dispatchEvent(new GridFilterEvent(field)))]
  }

  /** Whether a selected row is left out, or is not; rows that are not here may be either. */
  #selects(isOut: boolean): boolean {
    const {top, bottom} = this.#core?.range ?? {top: 0, bottom: 0}
    const isSuch = (row: GridRow | undefined): boolean => !row || Boolean(row.excluded) === isOut
    return bottom - top >= MOST_LOOKED_AT || Array.from({length: bottom - top + 1}, (_, at) => this.#core?.rowAt(top + at)).some(isSuch)
  }

  /** The focus returns to the cell whose menu it was, unless it went elsewhere. */
  readonly #menuClosed = ({newState, currentTarget}: ToggleEvent): void => {
    const at = (this.renderRoot as ShadowRoot).activeElement // a hidden item keeps the focus until the next frame
    const isLost = at ? (currentTarget as Element).contains(at) : document.activeElement === document.body
    if (newState === 'closed' && isLost) this.#core?.focusActive()
  }

  /** A press of the other button on a row's number or a header, the menu key, or a press of a header's own sign. */
  #menuAt(event: MouseEvent, {viewport, focusing}: GridCore): void {
    const {cell, zone} = viewport.spotAt(event.clientX, event.clientY)
    const {top, bottom} = focusing.range
    const isHeader = zone === 'header'
    const isInside = focusing.isRows && cell.row >= top && cell.row <= bottom
    if (isHeader ? this.sorted === undefined : !this.said.leaveOut || (zone !== 'rows' && !isInside)) return
    event.preventDefault()
    if (isHeader) focusing.to({row: HEADER, col: cell.col}, false)
    else if (!isInside) focusing.selectRows(cell.row, cell.row)
    this.#column = isHeader ? this.columns[cell.col] ?? null : null
    this.renderEditor()
    const menu = this.renderRoot.querySelector('.menu') as HTMLElement
    menu.showPopover()
    const x = Math.min(event.clientX, innerWidth - menu.offsetWidth - 4)
    property(menu, 'inset', `${event.clientY}px auto auto ${x}px`)
    menu.querySelector('button')?.focus()
  }

  #parts(): GridParts {
    const part = (name: string) => this.renderRoot.querySelector(`.${name}`) as HTMLElement
    return {
      scroller: part('scroller'),
      spacer: part('spacer'),
      pane: part('pane'),
      probe: part('probe'),
      body: part('body'),
      headers: part('headers'),
      bubble: part('bubble'),
      live: part('live'),
      firstGrip: part('grip.first'),
      lastGrip: part('grip.last'),
    }
  }

  #connect(core: GridCore): void {
    this.#connection.abort()
    this.#connection = new AbortController()
    const {signal} = this.#connection
    const {pane} = core.parts
    core.connect(signal)
    new Pointer(pane, core).connect(signal)
    pane.addEventListener('keydown', event => this.#pressed(event, core), {signal})
    pane.addEventListener('contextmenu', event => this.#menuAt(event, core), {signal})
    pane.addEventListener('click', event => isMenu(event) && this.#menuAt(event, core), {signal})
    pane.addEventListener('copy', event => this.#copies(event, core, false), {signal})
    pane.addEventListener('cut', event => this.#copies(event, core, true), {signal})
    pane.addEventListener('paste', event => !core.editing.isOpen && void core.changes.paste(event), {signal})
    pane.addEventListener('focusin', event => came(event, core), {signal})
    pane.addEventListener('focusout', () => queueMicrotask(() => core.paint()), {signal})
    // Safari copies without selected text only where a handler says that something can be copied.
    for (const name of ['beforecopy', 'beforecut', 'beforepaste']) {
      pane.addEventListener(name, event => !core.editing.isOpen && event.preventDefault(), {signal})
    }
  }

  #copies(event: ClipboardEvent, core: GridCore, isCut: boolean): void {
    if (!core.editing.isOpen) core.changes.copy(event, isCut)
  }

  #pressed(event: KeyboardEvent, core: GridCore): void {
    const isHeader = core.focusing.active.row === HEADER
    const command = commandOf(event, {isRtl: core.viewport.isRtl, isHeader})
    if (!command || this.#leavesTyping(command, core)) return
    event.preventDefault()
    this.#do(command, core)
  }

  /** A typed character goes into the field that opens: preventing it would lose it. */
  #leavesTyping(command: Command, core: GridCore): boolean {
    if (command.kind !== 'type') return false
    core.editing.start(true)
    return core.editing.isOpen
  }

  #do(command: Command, core: GridCore): void {
    const {focusing, changes, editing} = core
    const {col, row} = focusing.active
    if (command.kind === 'move') focusing.move(command.move, command.extend)
    else if (command.kind === 'error') void core.toError(command.direction)
    else if (command.kind === 'resize') core.resizeColumn(col, core.viewport.track.width(col) + command.by)
    else if (command.kind === 'edit') row === HEADER ? focusing.selectColumns(col, col) : editing.start(false)
    else if (command.kind === 'clear') void (focusing.isRows && this.labels.leaveOut ? changes.leaveOut(false) : changes.clear())
    else if (command.kind === 'fillDown') void changes.fillDown()
    else if (command.kind === 'collapse') focusing.collapse()
    else if (command.kind === 'selectAll') focusing.selectAll()
    else if (command.kind === 'selectRow') focusing.selectRows(focusing.range.top, row)
    else if (command.kind === 'selectColumn') focusing.selectColumns(focusing.range.start, focusing.range.end)
    else if (command.kind === 'undo') this.dispatchEvent(new GridUndoEvent())
    else if (command.kind === 'redo') this.dispatchEvent(new GridRedoEvent())
    else if (command.kind === 'find') this.dispatchEvent(new GridFindEvent())
  }
}

/** Screen readers move the focus by themselves. */
function came(event: FocusEvent, core: GridCore): void {
  const cell = event.target instanceof Element ? event.target.closest('[role=gridcell], [role=columnheader]') : null
  if (!cell?.parentElement) return
  const row = Number(cell.parentElement.getAttribute('aria-rowindex')) - 2
  const col = Number(cell.getAttribute('aria-colindex')) - 2
  if (col >= 0) core.focusing.came({row, col})
  core.paint()
}
