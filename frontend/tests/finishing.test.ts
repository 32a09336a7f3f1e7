import type {TemplateResult} from 'lit'
import {expect, test} from 'vitest'

import type {Flow} from '../src/flow/flow.js'
import {Finishing} from '../src/review/finishing.js'

/** A review of five rows in which everything may be imported. */
function flowWith(error: number): Flow {
  return {
    isBusy: false,
    questions: [],
    record: {counts: {rows: 5, error, excluded: 0}},
    may: () => true,
    page: {say: (key: string) => key},
  } as unknown as Flow
}

/** Every button of a template: its text, and whether it is disabled. */
function buttonsOf(template: unknown): Map<string, boolean> {
  const found = new Map<string, boolean>()
  const {strings, values} = template as Partial<TemplateResult>
  if (!strings || !values) return found
  const disabled = strings.findIndex(text => text.endsWith('?disabled='))
  const words = values.filter(value => typeof value === 'string').at(-1)
  if (disabled >= 0 && typeof words === 'string') found.set(words, values[disabled] as boolean)
  for (const value of values.flat()) buttonsOf(value).forEach((isOff, text) => found.set(text, isOff))
  return found
}

test.each([
  [0, ['import_all']],
  [2, ['import_valid']],
])('rows that cannot be shown are not offered for import, with %s errors', (error, imports) => {
  let isUnreadable = false
  let tries = 0
  const finishing = new Finishing(flowWith(error), {changed: () => { tries += 1 }, isUnreadable: () => isUnreadable})
  const offered = (): (boolean | undefined)[] => imports.map(text => buttonsOf(finishing.footer()).get(text))

  expect(offered()).toEqual(imports.map(() => false))
  expect(buttonsOf(finishing.footer()).has('try_again')).toBe(false)
  isUnreadable = true

  expect(offered()).toEqual(imports.map(() => true))
  expect(buttonsOf(finishing.footer()).get('try_again')).toBe(false)
  expect(JSON.stringify(finishing.footer().values)).toContain('rows_not_shown')
  expect(tries).toBe(0)
})

test('importing rows with errors is a press further away than what is valid', () => {
  const finishing = new Finishing(flowWith(2), {changed: () => undefined})
  const texts = (): string => JSON.stringify(finishing.footer())

  expect(texts()).toContain('import_valid')
  expect(texts()).toContain('other_ways')
  expect(texts()).not.toContain('include_errors')
})

test('a field that a default fills is not among the unmapped ones', () => {
  const page = {noStepTimes: true, say: (key: string, {fields}: {fields?: string} = {}) => [key, fields].join(' '), format: {list: (names: string[]) => names.join(', ')}}
  const fields = ['name', 'currency', 'note'].map(key => ({path: `m.${key}`, label: key, hidden: false}))
  const proposal = {columns: [], mapping: {Name: 'm.name'}, filled: ['m.currency']}
  const flow = {...flowWith(0), page, fields, proposal} as unknown as Flow

  const facts = JSON.stringify(new Finishing(flow, {changed: () => undefined}).facts(() => undefined))

  expect(facts).toContain('empty_fields note')
})

test('what was refused stays after the rest of the change is saved, until the next change begins', () => {
  const flow = flowWith(0)
  flow.page.requestUpdate = () => undefined
  const finishing = new Finishing(flow, {changed: () => undefined})
  const texts = (): string => JSON.stringify(finishing.footer())

  finishing.begin()
  finishing.refuse('2 values did not fit')
  finishing.tell('')

  expect(texts()).toContain('2 values did not fit')
  expect(texts()).not.toContain('all_saved')

  finishing.tell('5 cells changed', () => undefined)
  expect(texts()).toMatch(/5 cells changed.*2 values did not fit/)

  finishing.begin()
  finishing.tell('')
  expect(texts()).not.toContain('2 values did not fit')
  expect(texts()).toContain('all_saved')
})

test.each([[1, false], [2, true]])('a file of %i tables leads to its other tables: %s', async (tables, isLed) => {
  const led: string[] = []
  const flow = {
    ...flowWith(0), fields: [], proposal: null, recordId: 'rec_1', goTo: (step: string) => led.push(step),
    page: {noStepTimes: true, say: (key: string) => key, requestUpdate: () => undefined}, engine: {tables: async () => ({tables: Array(tables).fill({})})},
  } as unknown as Flow
  const finishing = new Finishing(flow, {changed: () => undefined})

  await finishing.look()

  expect(buttonsOf(finishing.facts(() => undefined)).has('tables_found')).toBe(isLed)
})

test('what waits for approval is read again where it could not be read, and the tables are counted either way', async () => {
  const tries: (() => Promise<void>)[] = []
  let isThere = false
  const changeset = {id: 'chg_1', awaits: 'approval', preparedBy: [], mayApprove: true, deletes: []}
  const flow = {
    ...flowWith(0), record: {state: 'staged', changesetId: 'chg_1', counts: {}}, recordId: 'rec_1', verified: null,
    load: async (work: () => Promise<void>) => { tries.push(work); await work().catch(() => undefined) },
    page: {noStepTimes: true, say: (key: string) => key, requestUpdate: () => undefined, format: {list: String}},
    engine: {tables: async () => ({tables: [{}]}), changeset: async () => isThere ? changeset : Promise.reject(new Error('unreachable'))},
  } as unknown as Flow
  const finishing = new Finishing(flow, {changed: () => undefined})

  await finishing.look()
  expect(buttonsOf(finishing.footer()).has('approve')).toBe(false)

  isThere = true
  await tries[0]!()
  expect(buttonsOf(finishing.footer()).has('approve')).toBe(true)
})
