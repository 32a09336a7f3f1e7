import {describe, expect, test} from 'vitest'

import type {BulkChange} from '../src/api/outcomes.js'
import type {ImportRecord, LeftOut, Moves, Table, Verified} from '../src/api/shapes.js'
import {changedBy, mayBeHeader, mayEdit, mayMove, mayReadAgain, mayStop} from '../src/flow/moves.js'

const NONE: Moves = {cancel: false, undo: false, redo: false}
const record = (may?: Partial<Moves>) =>
  ({revision: 3, counts: {rows: 5, error: 1}, ...(may && {may: {...NONE, ...may}})}) as ImportRecord

describe('a move of an import', () => {
  test.each([
    [{undo: true}, 'undo', true], [{undo: true}, 'redo', false], [{cancel: true}, 'cancel', true], [{}, 'cancel', false],
  ] as const)('with %o, %s is offered: %s', (may, move, isOffered) => {
    expect(mayMove(record(may), move)).toBe(isOffered)
  })

  test('is offered where the engine says nothing of it, or there is no import yet', () => {
    expect(mayMove(record(), 'undo')).toBe(true)
    expect(mayMove(null, 'cancel')).toBe(true)
  })
})

test.each([
  [undefined, undefined, true], [undefined, true, false], [true, undefined, false], [false, true, true], [true, false, false],
])('where the host says %s and the catalog %s of readOnly, cells may be edited: %s', (host, catalog, isLet) => {
  const overlay = {fields: host === undefined ? {} : {'e.city': {readOnly: host}}}
  const field = {path: 'e.city', readOnly: catalog}
  const flow = (may: boolean) => ({may: () => may, record: {overlay}, fieldAt: () => field}) as unknown as Parameters<typeof mayEdit>[0]

  expect(mayEdit(flow(true), 'e.city')).toBe(isLet)
  expect(mayEdit(flow(false), 'e.city')).toBe(false)
})

describe('after a change of one\'s own', () => {
  test('an undo takes it back, and nothing is there to be done again', () => {
    const after = changedBy({revision: 4, counts: {error: 0}}, record({cancel: true, redo: true}))

    expect(after).toEqual({revision: 4, counts: {rows: 5, error: 0}, may: {cancel: true, undo: true, redo: false}})
  })

  test('that changed nothing, the moves stay', () => {
    expect(changedBy({revision: 3, counts: {}}, record({redo: true})).may).toBeUndefined()
  })

  test('nothing is made up for an engine that says nothing of moves', () => {
    expect(changedBy({revision: 4, counts: {}}, record())).not.toHaveProperty('may')
  })
})

test.each([
  [[2], 1, true], [[2], 2, true], [[2], 3, false], [[1, 2], 2, true], [[], 0, false],
])('below the header %o, row %s may name the columns without leaving rows out: %s', (headerRows, row, isLet) => {
  const table = {headerRows} as unknown as Table

  expect(mayBeHeader(row, table, false)).toBe(isLet)
  expect(mayBeHeader(row, table, true)).toBe(true)
})

test.each([[[], true], [[7], false]])('with the rows %o restored, the file may be read otherwise: %s', (takeBack, isLet) => {
  const left = {takeBack} as unknown as LeftOut

  expect(mayReadAgain(left, false)).toBe(isLet)
  expect(mayReadAgain(left, true)).toBe(true)
  expect(mayReadAgain(null, false)).toBe(true)
})

describe('a change that a worker makes', () => {
  const change = {changeId: 'bch_1'} as BulkChange
  const page = (...rights: string[]) => ({rights, session: {}}) as unknown as Verified

  test('may be cancelled by the caller who asked for it', () => {
    expect(mayStop(change, new Set(['bch_1']), page())).toBe(true)
  })

  test('of another person needs the right, in a session', () => {
    expect(mayStop(change, new Set(), page('cancel'))).toBe(false)
    expect(mayStop(change, new Set(), page('undoOthers'))).toBe(true)
    expect(mayStop(change, new Set(), {verified: true} as Verified)).toBe(true)
  })
})
