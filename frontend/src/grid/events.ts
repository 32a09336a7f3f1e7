/** What the grid tells its page. Names are frozen. */

import type {Awaited, GridEdit, GridSelection, GridSort} from './types.js'

abstract class GridEvent<T> extends CustomEvent<T> {
  constructor(type: string, detail: T) {
    super(type, {bubbles: true, composed: true, cancelable: true, detail})
  }
}

/** Cells shall read other texts. */
export class GridEditEvent extends GridEvent<{edits: readonly GridEdit[]}> {
  constructor(edits: readonly GridEdit[]) {
    super('grid-edit', {edits})
  }
}

/** The focus or the selected range moved. */
export class GridSelectEvent extends GridEvent<GridSelection> {
  constructor(selection: GridSelection) {
    super('grid-select', selection)
  }
}

/** Rows shall be left out, or come back. */
export class GridExcludeEvent extends GridEvent<{rows: readonly number[]; isBack: boolean}> {
  constructor(rows: readonly number[], isBack: boolean) {
    super('grid-exclude', {rows, isBack})
  }
}

/** What could not be done, to be seen as well as heard. */
export class GridRefusedEvent extends GridEvent<{text: string}> {
  constructor(text: string) {
    super('grid-refused', {text})
  }
}

/** Rows that shall change are fetched first: until they are here, nothing was sent. */
export class GridAwaitedEvent extends GridEvent<{state: Awaited}> {
  constructor(state: Awaited) {
    super('grid-awaited', {state})
  }
}

/** The rows shall be sorted by a column. */
export class GridSortEvent extends GridEvent<GridSort> {
  constructor(sort: GridSort) {
    super('grid-sort', sort)
  }
}

/** Only rows with an error in a column shall be shown. */
export class GridFilterEvent extends GridEvent<{field: string}> {
  constructor(field: string) {
    super('grid-filter', {field})
  }
}

/** Rows could not be fetched; the grid tries again by itself. */
export class GridErrorEvent extends GridEvent<{error: unknown}> {
  constructor(error: unknown) {
    super('grid-error', {error})
  }
}

/** No further error is in the view; the page may lead to what else is open. */
export class GridNoErrorsEvent extends GridEvent<null> {
  constructor() {
    super('grid-no-errors', null)
  }
}

export class GridUndoEvent extends GridEvent<null> {
  constructor() {
    super('grid-undo', null)
  }
}

export class GridRedoEvent extends GridEvent<null> {
  constructor() {
    super('grid-redo', null)
  }
}

/** The person asks for the search field. */
export class GridFindEvent extends GridEvent<null> {
  constructor() {
    super('grid-find', null)
  }
}
