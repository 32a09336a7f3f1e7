import {expect, test} from 'vitest'

import type {Field} from '../src/flow/fields.js'
import {Sheet, SHEET_ROWS} from '../src/flow/sheet.js'

const field = (path: string, label: string): Field => ({path, label, entry: '', key: path, columnType: 'string'})
const FIELDS = [field('a.name', 'Name'), field('a.city', 'City'), field('b.name', 'Name')]
const texts = async (sheet: Sheet, offset = 0, limit = 3) =>
  (await sheet.fetch(offset, limit)).map(({row, cells}) => [row, ...cells.map(cell => cell.text)])

test('a sheet is empty, and as long as the engine takes', async () => {
  const sheet = new Sheet(FIELDS)

  expect(sheet.count).toBe(0)
  expect(await texts(sheet)).toEqual([[0, '', '', ''], [1, '', '', ''], [2, '', '', '']])
  expect(await texts(sheet, SHEET_ROWS - 1, 50)).toEqual([[SHEET_ROWS - 1, '', '', '']])
})

test('what is typed is sent as rows of the columns that were used, blank rows left away', () => {
  const sheet = new Sheet(FIELDS)
  sheet.edit([{row: 4, field: 'a.city', text: 'Wien'}])
  sheet.edit([{row: 0, field: 'a.name', text: ' Ada '}, {row: 2, field: 'a.name', text: '  '}])

  expect(sheet.count).toBe(2)
  expect(sheet.typed()).toEqual({
    rows: [{Name: ' Ada ', City: null}, {Name: null, City: 'Wien'}], paths: ['a.name', 'a.city'],
  })
})

test('two fields with one label are told apart by their paths', () => {
  const sheet = new Sheet(FIELDS)
  sheet.edit([{row: 0, field: 'a.name', text: 'Ada'}, {row: 0, field: 'b.name', text: 'Bob'}])

  expect(sheet.typed().rows).toEqual([{'a.name': 'Ada', 'b.name': 'Bob'}])
})

test('each change is taken back and done again, a whole paste at once', async () => {
  const sheet = new Sheet(FIELDS)
  sheet.edit([{row: 0, field: 'a.name', text: 'Ada'}])
  sheet.edit([{row: 0, field: 'a.name', text: 'Bob'}, {row: 1, field: 'a.name', text: 'Cyd'}, {row: 1, field: 'a.name', text: 'Dan'}])
  sheet.clear([0])

  sheet.undo()
  expect(await texts(sheet, 0, 2)).toEqual([[0, 'Bob', '', ''], [1, 'Dan', '', '']])
  sheet.undo()
  expect([sheet.count, ...await texts(sheet, 0, 1)]).toEqual([1, [0, 'Ada', '', '']])
  sheet.redo()
  sheet.redo()
  sheet.redo()
  expect(await texts(sheet, 0, 2)).toEqual([[0, '', '', ''], [1, 'Dan', '', '']])
  sheet.undo()
  sheet.edit([{row: 5, field: 'a.name', text: 'new'}])
  sheet.redo()
  expect(sheet.count).toBe(3)
})
