import {afterEach, expect, test, vi} from 'vitest'

import {advised, pageRow} from '../../src/advice/call.js'
import type {Row} from '../../src/api/shapes.js'
import type {OnRows} from '../../src/flow/page.js'

afterEach(() => { vi.useRealTimers() })

const ROW: Row = {
  row: 4, sourceRow: 9, sheet: null, member: null, page: null, severity: 'error', excluded: false, edited: [], changed: [], customOptions: [],
  values: {'e.city': 'Bern', 'e.tags': ['a'], 'e.note': 'cut h'}, cut: ['e.note'],
  issues: [
    {field: 'e.zip', code: 'required', severity: 'error', message: '', value: null, hint: ''},
    {field: 'e.zip', code: 'too_long', severity: 'error', message: '', value: null, hint: ''},
    {field: 'e.city', code: 'unusual', severity: 'warning', message: '', value: null, hint: ''},
  ],
}
const ABOUT = {recordId: 'rec_1', catalogKey: 'members', fields: new Set(['e.city'])}
const call = (onRows: unknown, stop = new AbortController()) => advised(onRows as OnRows, [ROW], ABOUT, stop.signal)

test('a page gets values, the fields with errors, and no text that is cut', () => {
  expect(pageRow(ROW)).toEqual({row: 4, values: {'e.city': 'Bern', 'e.tags': ['a']}, errors: ['e.zip']})
})

test('what a page gets cannot be changed, and is not what the engine sent', async () => {
  let given: Parameters<OnRows>[0] = []
  await call((rows: typeof given) => { given = rows; return {} })

  const [row] = given
  for (const part of [given, row, row?.values, row?.errors, row?.values['e.tags']]) expect(Object.isFrozen(part)).toBe(true)
  expect(row?.values['e.tags']).not.toBe(ROW.values['e.tags'])
})

test('a function may answer at once or later, and knows what it is about', async () => {
  const findings = [{row: 4, field: 'e.city', message: 'Capital', severity: 'error'}]
  const later = async (_: unknown, about: object) => ({findings: Object.keys(about).join() === 'recordId,catalogKey,signal' ? findings : []})

  expect((await call(() => ({findings}))).findings).toEqual(findings)
  expect((await call(later)).findings).toEqual(findings)
})

test.each([
  ['throws', () => { throw new Error('secret') }],
  ['rejects', () => Promise.reject(new Error('secret'))],
  ['has a getter that throws', () => ({get findings() { throw new Error('secret') }})],
  ['is not a function', 7],
])('a function that %s has failed', async (_, onRows) => {
  await expect(call(onRows)).rejects.toMatchObject({reason: 'threw'})
})

test('a function that takes longer than ten seconds is given up, and hears of it', async () => {
  vi.useFakeTimers()
  let signal: AbortSignal | undefined
  const waiting = call((_: unknown, about: {signal: AbortSignal}) => {
    signal = about.signal
    return new Promise(() => undefined)
  })
  const refused = expect(waiting).rejects.toMatchObject({reason: 'timed_out'})
  await vi.advanceTimersByTimeAsync(9_999)
  expect(signal?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)

  await refused
  expect(signal?.aborted).toBe(true)
})

test('a function whose answer is no longer wanted hears of it', async () => {
  const stop = new AbortController()
  let signal: AbortSignal | undefined
  const waiting = call((_: unknown, about: {signal: AbortSignal}) => {
    signal = about.signal
    return new Promise(() => undefined)
  }, stop)
  stop.abort()

  await expect(waiting).rejects.not.toHaveProperty('reason')
  expect(signal?.aborted).toBe(true)
})
