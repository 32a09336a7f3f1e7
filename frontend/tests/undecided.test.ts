import {expect, test} from 'vitest'

import type {FieldPolicies} from '../src/api/engine.js'
import type {Flow} from '../src/flow/flow.js'
import {Undecided, type Waiting} from '../src/review/undecided.js'

const CITY: Waiting = {field: 'm.city', why: 'ask', rows: 2, cells: []}
const NAME: Waiting = {field: 'm.name', why: 'conflict', rows: 1, cells: [{row: 0, known: 'Ada', file: 'Eve', delivered: 'Ida'}]}
const ALSO_CITY: Waiting = {field: 'm.city', why: 'conflict', rows: 1, cells: []}

function asking(...waiting: Waiting[]): Promise<Undecided> {
  const page = {language: 'en', say: (key: string) => key, requestUpdate: () => undefined, format: {number: String, locale: 'en'}}
  const flow = {page, fields: [], isBusy: false, fieldAt: () => undefined} as unknown as Flow
  return Undecided.of(flow, waiting, () => undefined)
}

test('no field is decided until every one has a choice', async () => {
  const undecided = await asking(CITY, NAME)
  expect(undecided.fields).toBeNull()

  undecided.choose(CITY, 'known')
  expect(undecided.fields).toBeNull()

  undecided.choose(NAME, 'file')
  expect(undecided.fields).toEqual<FieldPolicies>({'m.city': {onKnown: 'keep'}, 'm.name': {conflicts: 'file'}})
})

test('a choice can be changed, and a field may wait for two reasons', async () => {
  const undecided = await asking(CITY, ALSO_CITY)
  undecided.choose(CITY, 'known')
  undecided.choose(CITY, 'file')
  undecided.choose(ALSO_CITY, 'known')

  expect(undecided.fields).toEqual<FieldPolicies>({'m.city': {onKnown: 'overwrite', conflicts: 'host'}})
})

test('cells are shown where the engine sends them', async () => {
  const shown = JSON.stringify((await asking(CITY, NAME)).render())

  expect(shown).toContain('Ada')
  expect(shown).toContain('Different from what is known: 2')
})

test('a conflict shows the three values, each with where it is from', async () => {
  const shown = JSON.stringify((await asking(NAME)).render())

  for (const text of ['Last import', 'Ida', 'Known now', 'Ada', 'This file', 'Eve']) expect(shown).toContain(text)
  expect(shown).toContain('Changed on both sides since the last import: 1')
})
