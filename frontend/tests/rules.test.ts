import {expect, test} from 'vitest'

test('the grid agrees with its page by types alone', async () => {
  expect(Object.keys(await import('../src/grid/types.js'))).toEqual([])
})
