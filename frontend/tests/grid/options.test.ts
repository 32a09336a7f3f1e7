import {expect, test} from 'vitest'

import {isNear, nearest} from '../../src/grid/options.js'

const OPTIONS = ['Open', 'Paid', 'Cancelled']

test.each([
  ['opn', 'Open'], ['canceled', 'Cancelled'], ['CANCELLED', 'Cancelled'], ['pai', 'Paid'], ['celled', 'Cancelled'], ['Öpen', 'Open'],
])('the option that %s means comes first and is taken: %s', (text, option) => {
  const [first] = nearest(OPTIONS, text)

  expect(first).toBe(option)
  expect(isNear(text, first)).toBe(true)
})

test('a text that means none of the options takes none, and they keep their order', () => {
  expect(nearest(OPTIONS, 'xyz')).toEqual(OPTIONS)
  expect(nearest(OPTIONS, '')).toEqual(OPTIONS)
  for (const text of ['xyz', '', 'zz', 'many', 'unknown']) expect(isNear(text, nearest(OPTIONS, text)[0])).toBe(false)
})

test('where there are no options, none is near', () => {
  expect(isNear('open', nearest([], 'open')[0])).toBe(false)
})
