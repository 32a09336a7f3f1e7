import {describe, expect, test} from 'vitest'
import {cut, editsOf, pastedRange, textsOf, tiled} from '../../src/grid/edits.js'
import {Pending} from '../../src/grid/pending.js'
import type {GridColumn, GridRow} from '../../src/grid/types.js'
import {row} from './rows.js'

const COLUMNS: GridColumn[] = ['a', 'b', 'c'].map(key => ({key, label: key, type: '', required: false, readOnly: key === 'c'}))
const ROWS = [row(10, ['1', '2', '3']), row(11, ['4', '5', '6'])]
const shown = (of: GridRow, col: number) => of.cells[col]?.text ?? ''
const ALL = {top: 0, bottom: 1, start: 0, end: 2}

describe('pasted texts', () => {
  test.each([
    [[['x']], {top: 0, bottom: 3, start: 0, end: 1}, {top: 0, bottom: 3, start: 0, end: 1}], // one fills all
    [[['x'], ['y']], {top: 0, bottom: 3, start: 0, end: 0}, {top: 0, bottom: 3, start: 0, end: 0}], // twice
    [[['x'], ['y']], {top: 2, bottom: 2, start: 1, end: 1}, {top: 2, bottom: 3, start: 1, end: 1}], // from a corner
    [[['x', 'y']], {top: 0, bottom: 0, start: 0, end: 2}, {top: 0, bottom: 0, start: 0, end: 1}], // no whole number
  ])('%j over %j cover %j', (texts, onto, expected) => {
    expect(pastedRange(texts, onto)).toEqual(expected)
  })

  test('end where the rows and columns end', () => {
    expect(cut({top: 98, bottom: 105, start: 2, end: 6}, 100, 4)).toEqual({top: 98, bottom: 99, start: 2, end: 3})
  })

  test('leave out what is read-only, what is the same, and what a ragged line does not have', () => {
    const edits = editsOf(ALL, ROWS, COLUMNS, shown, tiled([['1', 'new', 'c'], ['']]))
    expect(edits).toEqual([
      {row: 10, field: 'b', text: 'new'},
      {row: 11, field: 'a', text: null},
    ])
  })
})

test('a range is copied as it is shown', () => {
  expect(textsOf({...ALL, start: 1}, ROWS, shown)).toEqual([
    ['2', '3'],
    ['5', '6'],
  ])
})

test('an edit on its way is forgotten when the rows after it have come', () => {
  const pending = new Pending()
  pending.add([{row: 1, field: 'a', text: 'x'}])
  pending.settle()
  expect(pending.text(1, 'a')).toBe('x')
  pending.nextRound()
  pending.add([{row: 1, field: 'b', text: null}])
  pending.settle()
  expect(pending.text(1, 'a')).toBeUndefined()
  expect(pending.text(1, 'b')).toBeNull()
})
