import {expect, test} from 'vitest'

import type {Proposal} from '../src/api/shapes.js'
import {assign, columnsOf, draftOf, freeName, withStep, withoutStep} from '../src/flow/mapping.js'

const draft = {mapping: {Nr: 'o.number', Datum: 'o.date'}, recipe: null}
const split = {do: 'split', column: 'Ort', separator: ' ', into: ['zip', 'city']}

test('a field is fed by one column: the other one loses it', () => {
  expect(assign(draft, 'Tag', 'o.date').mapping).toEqual({Nr: 'o.number', Tag: 'o.date'})
})

test('a column can be left out', () => {
  expect(assign(draft, 'Nr', null).mapping).toEqual({Datum: 'o.date'})
})

test('what was settled comes before what is proposed', () => {
  const proposal = {columns: [], proposed: {mapping: {a: 'x'}, recipe: null}, mapping: {a: 'y'}, recipe: null} as Proposal
  expect(draftOf(proposal).mapping).toEqual({a: 'y'})
  expect(draftOf({...proposal, mapping: null}).mapping).toEqual({a: 'x'})
})

test('columns that a step made are columns to map', () => {
  const proposal = {columns: [{column: 'Ort'}], proposed: {mapping: {}, recipe: null}, mapping: null, recipe: null} as unknown as Proposal
  expect(columnsOf(proposal, withStep(draft, split)).map(each => each.column)).toEqual(['Ort', 'zip', 'city'])
})

test('a step that goes takes with it what stands on its columns', () => {
  let now = withStep(withStep(draft, split), {do: 'trim', columns: ['city']})
  now = assign(now, 'city', 'o.city')
  expect(withoutStep(now, 0)).toEqual({mapping: draft.mapping, recipe: null})
})

test('a new column never takes the name of another', () => {
  expect(freeName(['name', 'name (2)'], 'name')).toBe('name (3)')
})
