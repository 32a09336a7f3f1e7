/** The English sentences of the grid; a page gives its own through `labels`. */

import type {GridLabels} from './types.js'

export const ENGLISH: GridLabels = {
  grid: 'Rows to import',
  row: 'Row {row}',
  rowNumber: 'Row number',
  loading: 'Loading',
  rowsLoaded: '{count} rows loaded',
  required: 'required',
  excluded: 'left out',
  edit: 'Edit {column}, row {row}',
  save: 'Save',
  saveNext: 'Save, go to next error',
  cancel: 'Cancel',
  clear: 'Clear cell',
  leaveOut: 'Leave out row',
  close: 'Close',
  example: 'For example {example}',
  previousError: 'Previous error',
  nextError: 'Next error',
  errorOf: 'Error {ordinal} of {total}',
  noErrors: 'No further errors',
  noRows: 'No rows to show',
  error: 'Error',
  warning: 'Warning',
  selected: '{rows} rows by {columns} columns selected',
  copied: '{count} cells copied',
  pasted: '{count} cells changed',
  notPasted: '{count} values did not fit and were not pasted',
  tooLarge: 'That is more than {most} cells: select fewer',
  clipboardRefused: 'The browser did not let the cells onto the clipboard',
  columnWidth: '{column}: {width} pixels wide',
}

/** Put values into a sentence. */
export function filled(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
