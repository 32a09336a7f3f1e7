import {expect, test} from 'vitest'

import type {Engine} from '../src/api/engine.js'
import type {Row, View} from '../src/api/shapes.js'
import {Rows, cellOf} from '../src/review/source.js'

const row = (number: number, severity: Row['severity'] = 'error'): Row => ({
  row: number, sourceRow: number, sheet: null, page: null, severity, excluded: false, edited: [], values: {}, issues: [],
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

const signal = new AbortController().signal
const everything = (errors: number[]) => new Rows(engineWith(errors).engine, 'rec_1', [], {filter: 'all'}, () => undefined)

test.each([
  [0, 1, 4], [4, 1, 900], [900, 1, null],
  [900, -1, 4], [4, -1, null], [5, -1, 4],
] as const)('from row %s in direction %s the next error is %s', async (index, direction, expected) => {
  const place = await everything([4, 900]).nextError(index, direction, signal)

  expect(place?.index ?? null).toBe(expected)
})

test('the next of very many errors is found without reading them all', async () => {
  const {engine, asked} = engineWith(Array.from({length: 100_000}, (_, number) => number * 10))
  const rows = new Rows(engine, 'rec_1', [], {filter: 'all'}, () => undefined)

  expect(await rows.nextError(654_321, 1, signal)).toEqual({index: 654_330, ordinal: 65_434, total: 100_000})
  expect(asked.length).toBeLessThan(25)
})

test('the first rows are asked for once, and again when they may have changed', async () => {
  const {engine, asked} = engineWith([])
  const heard: number[] = []
  const rows = new Rows(engine, 'rec_1', [], {filter: 'error'}, page => heard.push(page.total))
  await rows.count()
  await rows.fetch(0, 100, signal)
  expect([asked, heard]).toEqual([[100], [0, 0]])

  await rows.fetch(0, 100, signal)
  expect(asked.length).toBe(2)

  const edited = new Rows(engine, 'rec_1', [], {filter: 'error'}, () => undefined)
  edited.changed()
  await edited.fetch(0, 100, signal)
  expect(asked.length).toBe(4)
})

test('rows that could not be counted are asked for again', async () => {
  const answers = [Promise.reject(new Error('unreachable')), Promise.resolve({total: 3, rows: []})]
  const engine = {rows: () => answers.shift()} as unknown as Engine
  const heard: number[] = []
  const rows = new Rows(engine, 'rec_1', [], {filter: 'all'}, page => heard.push(page.total))

  await expect(rows.count()).rejects.toThrow('unreachable')
  await rows.count()

  expect(heard).toEqual([3])
})

test('a cell that could not be read shows the text of the file', () => {
  const issue = {field: 'a', code: 'not_a_date', severity: 'error' as const, message: 'No date.', value: '31.02.', hint: ''}

  expect(cellOf({...row(0), values: {a: null}, issues: [issue]}, 'a').text).toBe('31.02.')
  expect(cellOf({...row(0), values: {a: 7}, issues: []}, 'a').text).toBe('7')
  expect(cellOf({...row(0), values: {a: ['x', 'y']}}, 'a').text).toBe('x, y')
  const german = cellOf({...row(0), values: {a: 1.234}, texts: {a: '1,234'}}, 'a')
  expect([german.text, german.source]).toEqual(['1.234', '1,234'])
})
