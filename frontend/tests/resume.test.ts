import {expect, test} from 'vitest'

import type {Engine} from '../src/api/engine.js'
import {EngineProblem} from '../src/api/problem.js'
import type {Verified} from '../src/api/shapes.js'
import {Resume, placeOf, scopeOf, stillOpen} from '../src/flow/resume.js'

class Store {
  readonly kept = new Map<string, string>()
  getItem(name: string) { return this.kept.get(name) ?? null }
  setItem(name: string, text: string) { this.kept.set(name, text) }
  removeItem(name: string) { this.kept.delete(name) }
}

const kept = {recordId: 'rec_1', importToken: 'imp_tok_1', filename: 'a.csv', at: 1}
const at = (store: unknown, catalog = 'orders') => new Resume('https://engine.example', catalog, null, store as Storage, null)
const on = (tab: unknown, browser: unknown, scope: string | null = 'gym') =>
  new Resume('https://engine.example', 'orders', scope, tab as Storage, browser as Storage)

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

test('another tab of the browser finds the import by its id alone', () => {
  const [tab, browser] = [new Store(), new Store()]
  on(tab, browser).keep(kept)

  expect(on(new Store(), browser).read()).toEqual({recordId: 'rec_1', filename: '', at: 1, isOfBrowser: true})
  expect([...browser.kept.values()]).toEqual([JSON.stringify({recordId: 'rec_1', at: 1, scope: 'gym'})])
  expect([...browser.kept.values()].join()).not.toMatch(/tok|csv/)
})

test('an import that needs its token is not kept beyond the tab', () => {
  const browser = new Store()
  on(new Store(), browser, null).keep(kept)

  expect(browser.kept.size).toBe(0)
})

test('another scope forgets what the browser kept', () => {
  const browser = new Store()
  on(new Store(), browser).keep(kept)

  expect(on(new Store(), browser, 'spa').read()).toBeNull()
  expect(browser.kept.size).toBe(0)
})

test('the end of one import leaves that of another tab, and a reset leaves none', () => {
  const [tab, other, browser] = [new Store(), new Store(), new Store()]
  on(tab, browser).keep(kept)
  on(other, browser).keep({...kept, recordId: 'rec_2'})

  on(tab, browser).forget()
  expect(on(new Store(), browser).read()?.recordId).toBe('rec_2')
  on(tab, browser).keep(kept)
  on(other, browser).forget(true)
  expect(on(new Store(), browser).read()).toBeNull()
})

test.each([
  [{session: {scope: 'gym'}, rights: []}, 'gym'],
  [{session: {scope: ''}, rights: ['revert']}, null], // each session reaches its own
  [{rights: ['cancel']}, ''], // a full key
  [{rights: []}, null], // a page key
])('%j opens imports of %j without their tokens', (verified, scope) => {
  expect(scopeOf(verified as unknown as Verified)).toBe(scope)
})

const answering = (record: () => object) => ({record: async () => record()}) as unknown as Engine
const refusing = (status: number) => answering(() => { throw new EngineProblem(status, {}) })

test.each([
  ['deleted', answering(() => ({state: 'review', purgedAt: '2026-01-01T00:00:00Z'})), [1], 0],
  ['unknown to the engine', refusing(404), [1], 0],
  ['cancelled', answering(() => ({state: 'cancelled', purgedAt: null})), [], 0],
  ['not answered for', refusing(503), [], 1],
])('an import that is %s is not offered', async (_, engine, told, stays) => {
  const browser = new Store()
  const lost: number[] = []
  on(new Store(), browser).keep(kept)

  expect(await stillOpen(engine, on(new Store(), browser), at => lost.push(at))).toBeNull()
  expect([lost, browser.kept.size]).toEqual([told, stays])
})

test.each(['applying', 'applied', 'failed', 'review'])('an import that is %s since is offered by its name', async state => {
  const browser = new Store()
  on(new Store(), browser).keep(kept)
  const engine = answering(() => ({state, filename: 'a.csv', purgedAt: null}))

  expect(await stillOpen(engine, on(new Store(), browser), () => {})).toMatchObject({recordId: 'rec_1', filename: 'a.csv', state})
})

test('two links into the same catalog and scope keep their imports apart, and pages of a scope share theirs', () => {
  const [tab, browser] = [new Store(), new Store()]
  const session = (id: string, ownOnly: boolean) => ({session: {id, ownOnly, scope: 'gym'}}) as unknown as Verified
  const place = (verified: Verified) => new Resume('https://engine.example', placeOf(verified, 'orders'), scopeOf(verified), tab as unknown as Storage, browser as unknown as Storage)

  place(session('ses_1', true)).keep(kept)

  expect(place(session('ses_2', true)).read()).toBeNull()
  expect(place(session('ses_1', true)).read()).toEqual(kept)
  expect(placeOf(session('ses_1', false), 'orders')).toBe('orders')
  expect(placeOf(null, 'orders')).toBe('orders')
})
