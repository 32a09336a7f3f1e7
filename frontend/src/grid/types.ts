/** What the review grid and its page agree on. The grid knows nothing of imports or of HTTP. */

export interface GridColumn {
  /** The field path. */
  key: string
  label: string
  /** The column type of the catalog, or an empty string. */
  type: string
  required: boolean
  readOnly?: boolean
  /** Whether its texts are aligned to the end of the cell. */
  numeric?: boolean
  /** In pixels, to begin with; without it, as the first rows need. */
  width?: number
  /** What its cells may read, where that is known: offered where one is edited. */
  options?: readonly string[]
  /** Whether they may also read anything else. */
  isOpen?: boolean
  /** Shown below the field where a cell is edited in a sheet. */
  example?: string
}

export interface GridIssue {
  code: string
  severity: 'error' | 'warning'
  message: string
}

/** What the page says of a cell: it is not an issue, and counts nowhere. */
export interface GridNote {
  kind: 'error' | 'warning' | 'proposed'
  /** A whole sentence. */
  text: string
}

export interface GridCell {
  /** What would be delivered. */
  value: unknown
  /** What is shown. */
  text: string
  /** What is edited and copied, where that is another text: edits are read like the file's own. */
  source?: string
  /** Said of the cell where a pointer rests on it, and to screen readers. */
  explained?: string
  changed?: boolean
  /** The text is only the beginning of it: it can be replaced, and not edited. */
  isCut?: boolean
  issues: readonly GridIssue[]
  notes?: readonly GridNote[]
}

export interface GridRow {
  /** The number of the row in the import, stable in every view and sort. */
  row: number
  /** One cell per column, in the order of the columns. */
  cells: readonly GridCell[]
  excluded?: boolean
}

/** Rows of the open view; `offset` counts in the view. */
export interface RowSource {
  fetch(offset: number, limit: number, signal: AbortSignal): Promise<GridRow[]>
  /**
   * Return the next row with an error after `index`, or before it; null when there is none.
   * Without it, the grid reads on row by row.
   */
  nextError?(index: number, direction: 1 | -1, signal: AbortSignal): Promise<ErrorPlace | null>
}

/** Where a row with an error is: in the view, and the how many-th of how many. */
export interface ErrorPlace {
  readonly index: number
  readonly ordinal?: number
  readonly total?: number
}

/** Where the rows are that a person asked to change. */
export type Awaited = 'fetching' | 'here' | 'lost'

/** A cell that shall read `text` from now on; null empties it. */
export interface GridEdit {
  row: number
  field: string
  text: string | null
}

export interface GridSelection {
  /** Stable number of the row that has the focus; null while its page is being loaded. */
  row: number | null
  /** Place of that row in the view. */
  index: number
  field: string
  cell: GridCell | null
  /** How many cells are selected. */
  cells: number
}

/** The column by which the rows are sorted. */
export interface GridSort {
  field: string
  descending: boolean
}

/** What the grid says; each has an English default, and `{name}` is replaced. */
export interface GridLabels {
  grid: string
  row: string
  rowNumber: string
  loading: string
  rowsLoaded: string
  required: string
  excluded: string
  edit: string
  save: string
  saveNext: string
  clear: string
  leaveOut: string
  putBack: string
  /** A column's menu. */
  sortUp: string
  sortDown: string
  onlyErrors: string
  columnMenu: string
  close: string
  example: string
  previousError: string
  nextError: string
  errorOf: string
  noErrors: string
  noRows: string
  error: string
  warning: string
  selected: string
  copied: string
  pasted: string
  notPasted: string
  tooLarge: string
  clipboardRefused: string
  columnWidth: string
}

/** What a page may do with `<si-review-grid>`. */
export interface ReviewGridElement extends HTMLElement {
  columns: readonly GridColumn[]
  rowCount: number
  source: RowSource | null
  labels: GridLabels
  /** How the rows are sorted; undefined where they cannot be. */
  sorted: GridSort | null | undefined
  /** The largest number that a row of any view has. */
  largest: number
  /** Scroll to a column; focus and rows stay. */
  showColumn(field: string): void
  /** Forget what was fetched and fetch what is shown again; scroll and focus stay. */
  invalidate(): void
  focusCell(row: number, column: number): void
  /** Focus the next cell with an error after the focused one; false when the view has none. */
  nextError(direction: 1 | -1): Promise<boolean>
}

export interface GridEventMap {
  'grid-edit': CustomEvent<{edits: readonly GridEdit[]}>
  'grid-select': CustomEvent<GridSelection>
  'grid-exclude': CustomEvent<{rows: readonly number[]; isBack: boolean}>
  'grid-refused': CustomEvent<{text: string}>
  'grid-sort': CustomEvent<GridSort>
  'grid-filter': CustomEvent<{field: string}>
  'grid-error': CustomEvent<{error: unknown}>
  'grid-no-errors': CustomEvent<null>
  'grid-undo': CustomEvent<null>
  'grid-redo': CustomEvent<null>
  'grid-find': CustomEvent<null>
}
