import {expect, test} from 'vitest'

import {cellsOf} from '../src/screens/changed_rows.js'

test('of a row, the columns whose text changes are shown', () => {
  const row = {sourceRow: 3, before: {a: ' x ', b: 'y', c: null}, after: [{a: 'x', b: 'y', c: null, d: 'z'}]}

  expect(cellsOf(row)).toEqual([[['a', ' x ', 'x'], ['d', '', 'z']]])
})

test('a row that becomes several shows each of them, and that its columns are gone', () => {
  const row = {sourceRow: 0, before: {q1: '1', q2: '2'}, after: [{name: 'q1', value: '1'}, {name: 'q2', value: '2'}]}

  expect(cellsOf(row)).toEqual([
    [['q1', '1', ''], ['q2', '2', ''], ['name', '', 'q1'], ['value', '', '1']],
    [['q1', '1', ''], ['q2', '2', ''], ['name', '', 'q2'], ['value', '', '2']],
  ])
})

test('a row that is left out has no cells', () => {
  expect(cellsOf({sourceRow: 0, before: {a: 'Total'}, after: []})).toBeNull()
})
