import {expect, test} from 'vitest'

import {isLong, led, matching} from '../src/ui/combobox.js'

const choices = [
  {value: '', text: 'Do not import'}, {value: 'order.number', text: 'Order number *'}, {value: 'order.city', text: 'Ciudad de envío'},
  {value: 'order.street', text: 'Straße'},
]
const found = (search: string): string[] => matching(choices, search).map(choice => choice.text)

test.each([
  ['', ['Do not import', 'Order number *', 'Ciudad de envío', 'Straße']],
  ['NUM ord', ['Order number *']],
  ['envio', ['Ciudad de envío']],
  ['order.', ['Order number *', 'Ciudad de envío', 'Straße']],
  ['stra', ['Straße']],
  ['nothing', []],
])('a search for %j finds its words, accents and case aside', (search, expected) => {
  expect(found(search)).toEqual(expected)
})

test.each([
  ['ArrowDown', 0, 1], ['ArrowDown', 19, 0], ['ArrowUp', 0, 19], ['ArrowUp', 3, 2],
  ['PageDown', 15, 19], ['PageUp', 15, 7], ['PageUp', 3, 0], ['Home', 3, null], ['a', 3, null],
])('%s leads from %s to %s of twenty', (key, from, to) => {
  expect(led(key, from, 20)).toBe(to)
})

test('a list is searched where it has more than twelve', () => {
  expect([12, 13].map(isLong)).toEqual([false, true])
})
