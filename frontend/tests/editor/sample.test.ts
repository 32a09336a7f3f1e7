import {expect, test} from 'vitest'

import type {SampleColumn} from '../../src/editor/api/shapes.js'
import {cautious, ofSample, type Sample} from '../../src/editor/views/sample.js'

const column = (about: Partial<SampleColumn>): SampleColumn => ({
  column: 'A', label: 'A', key: 'a', columnType: 'string', selected: true, evidence: [], required: true, unique: false,
  options: [], detectors: [], samples: [], ...about,
}) as SampleColumn
const takes = (about: Partial<SampleColumn>, rows: number): string[] => [...cautious(column(about), rows).takes]
const TEN = Array.from({length: 10}, (_, n) => ({label: `Customer ${n}`, value: `${n}`}))

test('a small sample proves no rule for every row', () => {
  expect(takes({}, 10)).toEqual([])
  expect(takes({unique: true}, 10)).toEqual(['required'])
  expect(takes({unique: true}, 100)).toEqual(['required', 'unique'])
})

test('ten different names in ten rows are no list of options', () => {
  expect(takes({options: TEN, required: false}, 10)).toEqual([])
  expect(takes({options: TEN, required: false}, 40)).toEqual(['options'])
})

test('two letters are yes and no only where they say so', () => {
  expect(cautious(column({columnType: 'boolean', samples: ['N', 'S']}), 100).columnType).toBe('string')
  expect(cautious(column({columnType: 'boolean', samples: ['Y', 'N']}), 100).columnType).toBe('boolean')
})

test('what is not taken is not in the draft', () => {
  const suggested = column({columnType: 'category', options: TEN})
  const field = {key: 'a', label: 'A', columnType: 'category', required: true, dropdownOptions: TEN}
  const suggestion = {title: 'T', key: 't', catalog: {key: 't', title: 'T', entries: [{id: 'e', fields: [field]}]}, columns: [suggested]}
  const sample = {inferred: {suggestion}, columns: [cautious(suggested, 10)]} as unknown as Sample

  expect(ofSample(sample).entries[0]?.fields).toEqual([{key: 'a', label: 'A', columnType: 'string'}])
})
