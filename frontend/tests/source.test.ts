import {expect, test} from 'vitest'

import type {Engine} from '../src/api/engine.js'
import type {Row, View} from '../src/api/shapes.js'
import {Shown} from '../src/review/shown.js'
import {Rows, cellOf, type Look} from '../src/review/source.js'

const row = (number: number, severity: Row['severity'] = 'error'): Row => ({
  row: number, sourceRow: number, sheet: null, member: null, page: null, severity, excluded: false, edited: [], changed: [], customOptions: [], values: {}, issues: [],
})

/** An engine with errors at these rows, which counts what it is asked. */
function engineWith(errors: number[]) {
  const asked: number[] = []
  const rows = async (_id: string, view: View, offset: number, limit: number) => {
    asked.push(limit)
    const found = view.filter === 'error' ? errors.map(number => row(number)) : []
    return {revision: 1, current: 1, total: found.length, rows: found.slice(offset, offset + limit)}
  }
  return {engine: {rows} as unknown as Engine, asked}
}

const FIELDS = [{label: 'A', entry: 'e', path: 'a', key: 'a', columnType: 'string'}, {label: 'Day', entry: 'e', path: 'day', key: 'day', columnType: 'date'}]
const look: Look = {shown: new Shown(FIELDS, 'en-GB', key => key), delivered: value => `Delivered as ${value}`, options: field => (field === 'a' ? 'Use Open or Paid.' : '')}
const signal = new AbortController().signal
const everything = (errors: number[]) => new Rows(engineWith(errors).engine, 'rec_1', [], {filter: 'all'}, look, () => undefined)

test.each([
  [0, 1, 4], [4, 1, 900], [900, 1, null],
  [900, -1, 4], [4, -1, null], [5, -1, 4],
] as const)('from row %s in direction %s the next error is %s', async (index, direction, expected) => {
  const place = await everything([4, 900]).nextError(index, direction, signal)

  expect(place?.index ?? null).toBe(expected)
})

test('the next of very many errors is found without reading them all', async () => {
  const {engine, asked} = engineWith(Array.from({length: 100_000}, (_, number) => number * 10))
  const rows = new Rows(engine, 'rec_1', [], {filter: 'all'}, look, () => undefined)

  expect(await rows.nextError(654_321, 1, signal)).toEqual({index: 654_330, ordinal: 65_434, total: 100_000})
  expect(asked.length).toBeLessThan(25)
})

test('the first rows are asked for once, and again when they may have changed', async () => {
  const {engine, asked} = engineWith([])
  const heard: number[] = []
  const rows = new Rows(engine, 'rec_1', [], {filter: 'error'}, look, page => heard.push(page?.total ?? -1))
  await rows.count()
  await rows.fetch(0, 100, signal)
  expect([asked, heard]).toEqual([[100], [0, 0]])

  await rows.fetch(0, 100, signal)
  expect(asked.length).toBe(2)

  const edited = new Rows(engine, 'rec_1', [], {filter: 'error'}, look, () => undefined)
  edited.changed()
  await edited.fetch(0, 100, signal)
  expect(asked.length).toBe(4)
})

test('rows that could not be counted are asked for again', async () => {
  const answers = [Promise.reject(new Error('unreachable')), Promise.resolve({total: 3, rows: []})]
  const engine = {rows: () => answers.shift()} as unknown as Engine
  const heard: (number | null)[] = []
  const rows = new Rows(engine, 'rec_1', [], {filter: 'all'}, look, page => heard.push(page?.total ?? null))

  await expect(rows.count()).rejects.toThrow('unreachable')
  expect(rows.isUnreadable).toBe(true)
  await rows.count()

  expect(rows.isUnreadable).toBe(false)
  expect(heard).toEqual([null, 3])
})

test('rows that did not come are unreadable, but not those that nobody waits for any more', async () => {
  let isReachable = true
  const answer = async () => {
    if (!isReachable) throw new Error('unreachable')
    return {revision: 1, current: 1, total: 300, rows: []}
  }
  const rows = new Rows({rows: answer} as unknown as Engine, 'rec_1', [], {filter: 'all'}, look, () => undefined)
  await rows.count()
  isReachable = false

  await expect(rows.fetch(100, 100, AbortSignal.abort())).rejects.toThrow()
  expect(rows.isUnreadable).toBe(false)
  await expect(rows.fetch(100, 100, signal)).rejects.toThrow('unreachable')
  expect(rows.isUnreadable).toBe(true)
})

test('a cell that could not be read shows the text of the file', () => {
  const issue = {field: 'a', code: 'not_a_date', severity: 'error' as const, message: 'No date.', value: '31.02.', hint: ''}

  expect(cellOf({...row(0), values: {a: null}, issues: [issue]}, 'a', look).text).toBe('31.02.')
  expect(cellOf({...row(0), values: {a: 7}, issues: []}, 'a', look).text).toBe('7')
  expect(cellOf({...row(0), values: {a: ['x', 'y']}}, 'a', look).text).toBe('x, y')
  const german = cellOf({...row(0), values: {a: 1.234}, texts: {a: '1,234'}}, 'a', look)
  expect([german.text, german.source]).toEqual(['1.234', '1,234'])
})

test('a cell shows what a person reads, is edited as the file has it, and says what is delivered', () => {
  const day = cellOf({...row(0), values: {day: '2026-02-03'}, texts: {day: '02/03/2026'}}, 'day', look)

  expect([day.text, day.source, day.explained]).toEqual(['3 Feb 2026', '02/03/2026', 'Delivered as 2026-02-03'])
  expect(day.value).toBe('2026-02-03')
})

test('a value that a rule refuses shows the text of the file', () => {
  const issue = {field: 'day', code: 'compare', severity: 'error' as const, message: 'Too late.', value: '02/03/2026', hint: ''}
  const cell = cellOf({...row(0), values: {day: '2026-02-03'}, issues: [issue]}, 'day', look)

  expect(cell.text).toBe('02/03/2026')
})

test('a page of very wide rows that ends early is asked for on, until the rows are there', async () => {
  const offsets: number[] = []
  const rows = async (_id: string, _view: View, offset: number, limit: number) => {
    offsets.push(offset)
    const shown = Array.from({length: Math.min(3, limit, 8 - offset)}, (_, place) => row(offset + place))
    const end = offset + shown.length
    return {revision: 1, current: 1, total: 8, rows: shown, next: end < 8 ? end : null}
  }
  const source = new Rows({rows} as unknown as Engine, 'rec_1', [], {filter: 'all'}, look, () => undefined)
  source.changed()

  expect((await source.fetch(0, 100, signal)).map(found => found.row)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect((await source.fetch(1, 4, signal)).map(found => found.row)).toEqual([1, 2, 3, 4])
  expect(offsets.slice(-2)).toEqual([1, 4])
})

test('a cell whose text is cut says so', () => {
  const cut = {...row(0, 'valid'), values: {a: 'long…'}, cut: ['a']}

  expect([cellOf(cut, 'a', look).isCut, cellOf(cut, 'day', look).isCut]).toEqual([true, undefined])
})

test('a text that is no option is told with those that are', () => {
  const issue = {field: 'a', code: 'unknown_option', severity: 'error', message: 'Not an option.', hint: 'One of them.', value: 'opn'} as const
  const row = {row: 0, values: {}, edited: [], issues: [issue, {...issue, field: 'day'}]} as unknown as Row

  expect(cellOf(row, 'a', look).issues[0]?.message).toBe('Not an option. Use Open or Paid.')
  expect(cellOf(row, 'day', look).issues[0]?.message).toBe('Not an option. One of them.')
})
