import {expect, test} from 'vitest'

import {Resume} from '../src/flow/resume.js'

class Store {
  readonly kept = new Map<string, string>()
  getItem(name: string) { return this.kept.get(name) ?? null }
  setItem(name: string, text: string) { this.kept.set(name, text) }
  removeItem(name: string) { this.kept.delete(name) }
}

const kept = {recordId: 'rec_1', importToken: 'imp_tok_1', filename: 'a.csv', at: 1}
const at = (store: unknown, catalog = 'orders') => new Resume('https://engine.example', catalog, store as Storage)

test('an import is found again by its engine and catalog alone', () => {
  const store = new Store()
  at(store).keep(kept)

  expect(at(store).read()).toEqual(kept)
  expect(at(store, 'stock').read()).toBeNull()
})

test('what somebody else wrote there is not believed', () => {
  const store = new Store()
  at(store).keep(kept)
  for (const text of ['{', '7', '{"recordId": 5}']) {
    store.kept.set([...store.kept.keys()][0]!, text)
    expect(at(store).read()).toBeNull()
  }
})

test('a page without storage imports all the same', () => {
  const refusing = {getItem() { throw new Error() }, setItem() { throw new Error() }, removeItem() { throw new Error() }}
  for (const store of [null, refusing]) {
    at(store).keep(kept)
    at(store).forget()
    expect(at(store).read()).toBeNull()
  }
})
