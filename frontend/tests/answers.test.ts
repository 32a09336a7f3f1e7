import {expect, test} from 'vitest'

import type {Engine} from '../src/api/engine.js'
import type {Delivery} from '../src/api/outcomes.js'
import type {DeliverySummary} from '../src/api/shapes.js'
import {answersOf, rangesOf, toneOf} from '../src/flow/answers.js'

const sent = (id: string, webhookId: string, state: DeliverySummary['state'] = 'delivered'): DeliverySummary =>
  ({id, webhookId, registrationId: webhookId, state, attempts: 1})
type Part = Pick<Delivery, 'rowCount' | 'results'>
const engineWith = (deliveries: Record<string, Part>): Engine =>
  ({delivery: async (id: string) => deliveries[id]!}) as unknown as Engine
const said = async (deliveries: DeliverySummary[], known: Record<string, Part>, rows: number) =>
  [...await answersOf(engineWith(known), 'rec_1', deliveries, rows)].map(([row, {status}]) => [row, status])

test('parts count their rows from 0: their answers stand one behind the other', async () => {
  const known = {
    a: {rowCount: 2, results: [{row: 1, status: 'created'}]}, b: {rowCount: 3, results: [{row: 0, status: 'refused'}]},
  }

  expect(await said([sent('a', 'w'), sent('b', 'w')], known, 5)).toEqual([[1, 'created'], [2, 'refused']])
})

test('where a part is missing nobody is told a wrong row', async () => {
  const known = {b: {rowCount: 3, results: [{row: 0, status: 'refused'}]}}

  expect(await said([sent('a', 'w', 'rejected'), sent('b', 'w')], known, 5)).toEqual([])
})

test('of several receivers the one that refused a row is heard, else the first that answered', async () => {
  const known = {
    a: {rowCount: 2, results: null}, b: {rowCount: 2, results: [{row: 0, status: 'updated'}, {row: 1, status: 'updated'}]},
    c: {rowCount: 2, results: [{row: 0, status: 'created'}, {row: 1, status: 'no', refused: true}]},
  }

  expect(await said([sent('a', 'u'), sent('b', 'v'), sent('c', 'w')], known, 2)).toEqual([[0, 'updated'], [1, 'no']])
})

test('numbers near each other are read at once', () => {
  expect(rangesOf([])).toEqual([])
  expect(rangesOf([4])).toEqual([[4, 1]])
  expect(rangesOf([4, 5, 90, 900, 901])).toEqual([[4, 87], [900, 2]])
})

test('the engine says what is refused, and only words that are known are good', () => {
  const [good, odd, bad] = [{row: 0, status: 'created'}, {row: 0, status: 'odd'}, {row: 0, status: 'odd', refused: true}]
  expect([good, odd, bad].map(toneOf)).toEqual(['ok', '', 'err'])
})
