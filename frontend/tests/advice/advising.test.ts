import {beforeEach, expect, test, vi} from 'vitest'

import {Advising} from '../../src/advice/advising.js'
import {EngineProblem} from '../../src/api/problem.js'
import type {ProposedCell, RefusedCell, Row} from '../../src/api/shapes.js'
import type {Flow} from '../../src/flow/flow.js'
import type {OnRows, PageAdvice} from '../../src/flow/page.js'

const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
beforeEach(() => { warned.mockClear() })

const row = (number: number, city: string, more: Partial<Row> = {}): Row => ({
  row: number, sourceRow: number, sheet: null, member: null, page: null, severity: 'valid', excluded: false, edited: [], changed: [],
  customOptions: [], values: {'e.city': city}, issues: [], ...more,
})

interface About {
  rows?: Row[]
  may?: {undo: boolean; redo: boolean}
  canFix?: boolean
  readOnly?: string[]
  refused?: RefusedCell[]
  conflicts?: number
}

/** A review on a page with this function, and what was sent, heard and shown. */
function reviewOf(onRows: OnRows | null, about: About = {}) {
  const {rows = [row(0, 'bern'), row(1, 'Thun')], refused = [], readOnly = []} = about
  const sent: ProposedCell[][] = []
  const heard: {type: string; detail: unknown}[] = []
  const asked: number[] = []
  const conflicts = Array(about.conflicts ?? 0).fill(0)
  const record = {
    recordId: 'rec_1', revision: 1, counts: {}, may: about.may ?? {undo: false, redo: false},
    overlay: {fields: Object.fromEntries(readOnly.map(path => [path, {readOnly: true}]))},
  }
  const engine = {
    rows: async (_: string, __: object, offset: number, limit: number) => {
      asked.push(offset)
      const end = offset + limit
      return {revision: 1, current: 1, total: rows.length, rows: rows.slice(offset, end), next: end < rows.length ? end : null}
    },
    edit: async (_: string, revision: number, {proposals}: {proposals: ProposedCell[]}) => {
      sent.push(proposals)
      if (conflicts.pop() !== undefined) throw new EngineProblem(409, {code: 'overlapping_edits'})
      const made = proposals.filter(cell => !refused.some(other => other.row === cell.row))
      return {revision: revision + (made.length ? 1 : 0), counts: {}, cells: made.length, changedRows: 0, rows: [], refused}
    },
  }
  const flow = {
    engine, record, recordId: 'rec_1', catalog: {key: 'members'}, phase: 'review', isApplying: false, isBusy: false,
    fields: [{path: 'e.city', label: 'City'}, {path: 'e.secret', label: 'Secret', hidden: true}],
    fieldAt(path: string) { return this.fields.find(field => field.path === path) },
    may: () => about.canFix ?? true,
    refreshRecord: async () => undefined,
    attempt: (work: () => Promise<void>) => work().then(() => true),
    page: {
      onRows, say: (key: string, params?: object) => key + (params ? JSON.stringify(params) : ''), requestUpdate: () => undefined,
      format: {number: String, list: (names: string[]) => names.join()},
      dispatchEvent: ({type, detail}: CustomEvent) => heard.push({type, detail}),
    },
  }
  const advising = new Advising(flow as unknown as Flow, {repaint: () => undefined, changed: async () => undefined, undo: () => undefined})
  const shown = (): string => String(JSON.stringify(advising.render()))
  return {advising, flow, record, sent, heard, asked, shown}
}

const settled = async (): Promise<void> => { for (let turn = 0; turn < 200; turn += 1) await Promise.resolve() }
const bern = {row: 0, field: 'e.city', value: 'Bern'}
const proposing = (...proposals: NonNullable<PageAdvice['proposals']>) => () => ({proposals})

test('what a page proposes is made in one step, which is undone by its name', async () => {
  const {advising, record, sent, shown} = reviewOf(proposing({...bern, reason: 'A name'}, {row: 1, field: 'e.city', value: 'Thun'}))
  advising.look()
  await settled()

  expect(sent).toEqual([[bern]]) // what is there already is not sent
  expect(record.revision).toBe(2)
  expect(shown()).toContain('advice_made{\\"n\\":1}')
  expect(shown()).toContain('advice_undo')
  record.revision = 3 // another step follows: it is that one which would be undone
  expect(shown()).not.toContain('advice_undo')
})

test('a value is marked as proposed as long as it is the proposed one', async () => {
  const {advising} = reviewOf(proposing({...bern, reason: 'A name'}))
  advising.look()
  await settled()

  expect(advising.notes(row(0, 'Bern'), 'e.city')).toEqual([{kind: 'proposed', text: 'advice_reason{"reason":"A name"}'}])
  expect(advising.notes(row(0, 'bern'), 'e.city')).toEqual([])
  expect(advising.notes(row(1, 'Bern'), 'e.city')).toEqual([])
})

test('a finding is shown at its cell and never sent', async () => {
  const {advising, sent, shown} = reviewOf(() => ({findings: [{row: 1, field: 'e.city', message: 'On the lake', severity: 'error'}]}))
  advising.look()
  await settled()

  expect(advising.notes(row(1, 'Thun'), 'e.city')).toEqual([{kind: 'error', text: 'advice_finding{"severity":"grid_error","message":"On the lake"}'}])
  expect(sent).toEqual([])
  expect(shown()).not.toContain('advice')
})

test('what the engine refuses is named, and the page hears of it', async () => {
  const refused = [{row: 0, field: 'e.city', code: 'unknown_option'}]
  const {advising, heard, shown} = reviewOf(proposing(bern), {refused})
  advising.look()
  await settled()

  expect(heard).toEqual([{type: 'import-rows-refused', detail: {refused}}])
  expect(shown()).toContain('City (1)')
  expect(shown()).not.toContain('advice_undo')
  expect(advising.notes(row(0, 'Bern'), 'e.city')).toEqual([])
})

test('a field that people cannot change is refused before anything is sent, and the others are made', async () => {
  const secret = {row: 0, field: 'e.secret', value: 'x'}
  const {advising, heard, sent} = reviewOf(proposing(secret, bern))
  advising.look()
  await settled()

  expect(sent).toEqual([[bern]])
  expect(heard[0]?.detail).toEqual({refused: [{row: 0, field: 'e.secret', code: 'read_only_field'}]})
})

test.each([
  ['may not change cells', {canFix: false}],
  ['undid something that can be redone', {may: {undo: true, redo: true}}],
])('nothing is proposed to a person who %s', async (_, about) => {
  const {advising, sent} = reviewOf(proposing(bern), about)
  advising.look()
  await settled()

  expect(sent).toEqual([])
})

test('what was proposed once and undone is not proposed again', async () => {
  const {advising, sent} = reviewOf(proposing(bern))
  advising.look()
  await settled()
  advising.look({rows: [row(0, 'bern')], changedRows: 1})
  await settled()

  expect(sent).toHaveLength(1)
})

test('after an edit the page sees the rows that are different now, after anything else all of them', async () => {
  const seen: number[][] = []
  const {advising, asked} = reviewOf(rows => { seen.push(rows.map(item => item.row)); return {} })
  advising.look()
  await settled()
  advising.look({rows: [row(1, 'Spiez')], changedRows: 1})
  await settled()
  advising.look({rows: [row(1, 'Spiez')], changedRows: 700}) // the answer names the first of them
  await settled()

  expect(seen).toEqual([[0, 1], [1], [0, 1]])
  expect(asked).toEqual([0, 0])
})

test('rows that are left out are not shown to the page', async () => {
  const seen: number[] = []
  const {advising} = reviewOf(rows => { seen.push(...rows.map(item => item.row)); return {} }, {rows: [row(0, 'a', {excluded: true}), row(1, 'b')]})
  advising.look()
  await settled()

  expect(seen).toEqual([1])
})

test('a page gets 500 rows at a time, and 50,000 at most', async () => {
  const sizes: number[] = []
  const rows = Array.from({length: 50_700}, (_, number) => row(number, 'Bern'))
  const {advising, shown} = reviewOf(given => { sizes.push(given.length); return {} }, {rows})
  advising.look()
  await vi.waitFor(() => { expect(shown()).toContain('advice_partly') })
  await vi.waitFor(() => { expect(sizes).toHaveLength(100) })

  expect(new Set(sizes)).toEqual(new Set([500]))
})

test.each([
  ['threw', () => { throw new Error('full') }],
  ['nothing', () => undefined],
  ['other_rows', proposing({...bern, row: 9})],
  ['too_large', proposing({...bern, value: 'x'.repeat(10_000_000)})],
  ['not_understood', () => 'Bern'],
])('a function that fails (%s) changes nothing, and one sentence says so', async (reason, onRows) => {
  const {advising, heard, sent, shown} = reviewOf(onRows as OnRows)
  advising.look()
  await settled()

  expect(sent).toEqual([])
  expect(heard).toMatchObject([{type: 'import-rows-failed', detail: {reason}}])
  expect(warned).toHaveBeenCalledTimes(1)
  expect(shown().match(/advice_\w+/g)).toEqual(['advice_failed'])
})

test('a function that fails at a later page takes back what it said of the pages before', async () => {
  const rows = Array.from({length: 501}, (_, number) => row(number, 'bern'))
  const onRows: OnRows = given => {
    if (given.length < 500) throw new Error('full')
    return {proposals: [bern], findings: [{...bern, message: 'Hm'}]}
  }
  const {advising, sent} = reviewOf(onRows, {rows})
  advising.look()
  await settled()

  expect(sent).toEqual([])
  expect(advising.notes(rows[0]!, 'e.city')).toEqual([])
})

test('what another person changed meanwhile stays, and the page looks again once', async () => {
  const seen: number[] = []
  const {advising, record, sent} = reviewOf(rows => { seen.push(rows.length); return {proposals: [bern]} }, {conflicts: 5})
  advising.look()
  await settled()

  expect([seen.length, sent.length, record.revision]).toEqual([2, 2, 1])
})

test('a row that was edited while the page looked at it is looked at again before anything is proposed for it', async () => {
  let answer: (advice: PageAdvice) => void = () => undefined
  const cities: unknown[] = []
  const {advising, sent} = reviewOf(rows => {
    cities.push(rows[0]?.values['e.city'])
    return cities.length > 1 ? {} : new Promise(resolve => { answer = resolve })
  })
  advising.look()
  await settled()
  advising.look({rows: [row(0, 'Biel')], changedRows: 1})
  answer({proposals: [bern]})
  await settled()

  expect(sent).toEqual([])
  expect(cities).toEqual(['bern', 'Biel'])
})

test('on a review that was left, the page is told that its answer is no longer wanted', async () => {
  let signal: AbortSignal | undefined
  const {advising, sent, heard} = reviewOf((_, about) => {
    signal = about.signal
    return new Promise(() => undefined)
  })
  advising.look()
  await settled()
  advising.leave()
  await settled()

  expect(signal?.aborted).toBe(true)
  expect([sent, heard]).toEqual([[], []])
})
