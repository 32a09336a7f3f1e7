import {expect, test} from 'vitest'

import type {Flow} from '../src/flow/flow.js'
import {CatalogsScreen} from '../src/screens/catalogs.js'
import type {Stage} from '../src/screens/screen.js'

function screenOf(about: object): CatalogsScreen {
  const flow = {catalogs: [{key: 'orders', title: 'Orders'}, {key: 'stock', title: 'Stock'}], verified: {}, isBusy: false, trouble: null, page: {say: (key: string) => key}, ...about}
  return new CatalogsScreen(flow as unknown as Flow, {} as Stage)
}

test('the question stays on the page while the engine works, so its heading keeps the focus', () => {
  const asked = screenOf({}).render()
  const working = screenOf({isBusy: true}).render()
  expect(working.strings).toBe(asked.strings)
  expect(JSON.stringify(working)).toContain('catalogs_title')
})

test('the screen says that there is no catalog only once the catalogs have loaded', () => {
  expect(JSON.stringify(screenOf({catalogs: [], isBusy: true}).render())).toContain('verifying')
  expect(JSON.stringify(screenOf({catalogs: [], verified: null}).render())).toContain('verifying')
  expect(JSON.stringify(screenOf({catalogs: []}).render())).toContain('no_catalog_title')
})
