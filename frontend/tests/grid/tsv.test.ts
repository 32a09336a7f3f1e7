import {describe, expect, test} from 'vitest'
import fc from 'fast-check'
import {readTsv, writeTsv} from '../../src/grid/tsv.js'

const text = fc.string({unit: fc.constantFrom('a', 'é', ' ', '"', '\t', '\n', '\r', ',', '漢')})
const table = fc
  .integer({min: 1, max: 4})
  .chain(width => fc.array(fc.array(text, {minLength: width, maxLength: width}), {minLength: 1, maxLength: 6}))

test('what is written is read again', () => {
  const property = fc.property(table, rows => {
    expect(readTsv(writeTsv(rows))).toEqual(rows)
  })
  fc.assert(property, {numRuns: 2000})
})

test('reading takes every text there is', () => {
  fc.assert(
    fc.property(text, source => {
      const rows = readTsv(source)
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.every(row => row.length > 0)).toBe(true)
    }),
    {numRuns: 2000},
  )
})

describe('a text of a spreadsheet', () => {
  test.each([
    ['a\tb\r\nc\td\r\n', [['a', 'b'], ['c', 'd']]],
    ['a\nb', [['a'], ['b']]],
    ['"two\nlines"\t"a ""quote"""', [['two\nlines', 'a "quote"']]],
    ['6" pipe\tx', [['6" pipe', 'x']]],
    ['"never closed\tx', [['"never closed', 'x']]],
    ['"closed" early\tx', [['"closed" early', 'x']]],
    ['a\t\tb', [['a', '', 'b']]],
    ['\t', [['', '']]],
    ['', [['']]],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['a\rb', [['a'], ['b']]],
  ])('%j is read as its cells', (source, rows) => {
    expect(readTsv(source)).toEqual(rows)
  })

  test('is quoted only where that is needed', () => {
    expect(writeTsv([['plain', '6" pipe', 'two\nlines', '"q"']])).toBe('plain\t6" pipe\t"two\nlines"\t"""q"""')
  })
})
