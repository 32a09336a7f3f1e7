import fc from 'fast-check'
import {expect, test} from 'vitest'

import {JsonWrong, readJson} from '../../src/editor/model/json_text.js'

const wrongOf = (source: string): unknown[] => {
  try {
    readJson(source)
  } catch (error) {
    if (error instanceof JsonWrong) return [error.code, error.line, error.column, error.pointer]
  }
  throw new Error('it was read')
}

test('any JSON is read as the browser reads it', () => {
  fc.assert(fc.property(fc.jsonValue(), value => {
    const written = JSON.stringify(value, null, 2)
    expect(JSON.stringify(readJson(written).value)).toBe(JSON.stringify(JSON.parse(written)))
  }))
})

test('whatever is no JSON for the browser is none here', () => {
  fc.assert(fc.property(fc.string(), source => {
    let isJson = true
    try { JSON.parse(source) } catch { isJson = false }
    if (!isJson) expect(() => readJson(source)).toThrow(JsonWrong)
  }))
})

test.each([
  ['{\n "a": [1,]\n}', ['json_value', 2, 10, '/a/1']],
  ['{"a" 1}', ['json_colon', 1, 6, '/a']],
  ['{"a": 1 "b": 2}', ['json_comma', 1, 9, '']],
  ['{"a": 1,\n "a": 2}', ['json_twice', 2, 5, '/a']],
  ['{a: 1}', ['json_member', 1, 2, '']],
  ['{"a": "x}', ['json_open', 1, 7, '/a']],
  ['{} {}', ['json_after', 1, 4, '']],
  ['{"entries": [', ['json_end', 1, 14, '/entries/0']],
])('%s says what is wrong, and where', (source, expected) => {
  expect(wrongOf(source)).toEqual(expected)
})

test('each place has its line, and one that is not there that of what holds it', () => {
  const {lineOf} = readJson('{\n "key": "x",\n "entries": [\n  {"id": "a/b",\n   "fields": []}\n ]\n}')

  expect(['', '/key', '/entries/0/fields', '/entries/0/label', '/nothing'].map(lineOf)).toEqual([1, 2, 5, 4, 1])
})
