/** What an engine of a later version may answer: each word that is not known here is shown as it is. */

import type {TemplateResult} from 'lit'
import {afterEach, beforeAll, describe, expect, test, vi} from 'vitest'

import type {BulkChange} from '../src/api/outcomes.js'
import type {DeliverySummary, ImportRecord, ImportState, Question, Row} from '../src/api/shapes.js'
import type {Flow} from '../src/flow/flow.js'
import {Resume, stillOpen} from '../src/flow/resume.js'
import {phaseOf, isWorking} from '../src/flow/steps.js'
import {loadSteps, sayer} from '../src/messages/catalogue.js'
import {Changing} from '../src/review/changing.js'
import {Finishing} from '../src/review/finishing.js'
import {cellOf, type Look} from '../src/review/source.js'
import {DoneScreen} from '../src/screens/done.js'
import {FailedScreen} from '../src/screens/failed.js'
import type {Stage} from '../src/screens/screen.js'
import {candidateText, questionText} from '../src/ui/question_text.js'

beforeAll(loadSteps)
afterEach(() => { vi.unstubAllGlobals() })

const TOMORROW = 'archived' as ImportState

/** A flow whose page speaks English and notes its events. */
function flowWith(record: object, engine: object = {}) {
  const heard: CustomEvent[] = []
  const flow = {
    record: {recordId: 'rec_1', counts: {}, problem: null, deliveries: [], ...record},
    recordId: 'rec_1', engine, isBusy: false, questions: [], trouble: null as unknown,
    fieldAt: () => undefined, may: () => true, finished: () => undefined, change: vi.fn(async () => true), startOver: vi.fn(),
    async attempt(work: () => Promise<void>) {
      await work().catch((error: unknown) => { this.trouble = error })
      return this.trouble === null
    },
    page: {
      say: sayer({}, [], 'en', String), format: {number: String, list: String}, requestUpdate: () => undefined,
      dispatchEvent: (event: CustomEvent) => heard.push(event),
    },
  }
  return {flow: flow as unknown as Flow & {trouble: unknown}, heard}
}

/** The words of a template, in their order. */
const wordsOf = (template: unknown): string => {
  if (Array.isArray(template)) return template.map(wordsOf).join(' ')
  const {strings, values} = (template ?? {}) as Partial<TemplateResult>
  if (!strings || !values) return ['string', 'number'].includes(typeof template) ? String(template) : ''
  return values.map(wordsOf).join(' ')
}

/** Press the button that has a text. */
function press(template: unknown, text: string): void {
  if (Array.isArray(template)) return template.forEach(one => press(one, text))
  const {values} = (template ?? {}) as Partial<TemplateResult>
  if (!values) return
  if (values.includes(text)) (values.find(value => typeof value === 'function') as () => void)()
  values.forEach(value => press(value, text))
}

describe('an import whose state is not known', () => {
  const facts = {questions: [], columns: [], seen: new Set<never>(), showAll: false, canFix: true}
  const record = {state: TOMORROW} as ImportRecord

  test('is not waited for without end, and has a screen', () => {
    expect([isWorking(record), phaseOf(record, facts)]).toEqual([false, 'failed'])
  })

  test('is told by its word, and can be looked at again', () => {
    const {flow, heard} = flowWith(record)
    const screen = new FailedScreen(flow, {} as Stage)
    screen.enter()

    expect(wordsOf(screen.render())).toContain('Its state is “archived”. Nothing is lost.')
    expect(heard.map(({type, detail}) => [type, detail.code, detail.retryable])).toEqual([['import-error', 'unknown_state', true]])
    press(screen.render(), 'Try again')
    expect(flow.change).toHaveBeenCalledOnce()
  })

  test('is offered again after a reload', async () => {
    const store = new Map([['service-import:e:c', JSON.stringify({recordId: 'rec_1', filename: 'a.csv', at: 1})]])
    const resume = new Resume('e', 'c', null, {getItem: (name: string) => store.get(name) ?? null, removeItem: (name: string) => store.delete(name)} as unknown as Storage)
    const {flow} = flowWith({}, {record: async () => record})

    expect(await stillOpen(flow.engine, resume, () => {})).toMatchObject({recordId: 'rec_1'})
    expect(store.size).toBe(1)
  })
})

test.each(['received', 'cancelled', 'reverted'] as const)('an import that is %s is not offered again after a reload', async state => {
  const store = new Map([['service-import:e:c', JSON.stringify({recordId: 'rec_1', filename: 'a.csv', at: 1})]])
  const resume = new Resume('e', 'c', null, {getItem: (name: string) => store.get(name) ?? null, removeItem: (name: string) => store.delete(name)} as unknown as Storage)

  expect(await stillOpen(flowWith({}, {record: async () => ({state})}).flow.engine, resume, () => {})).toBeNull()
  expect(store.size).toBe(0)
})

describe('a question', () => {
  const asked = (some: Partial<Question>): Question =>
    ({kind: 'unit', field: '', columns: [], evidence: ['12 kg'], candidates: [], default: null, ...some}) as unknown as Question
  const {flow} = flowWith({})

  test.each([
    [{field: 'weight'}, 'How should weight be read?'], [{columns: ['Gewicht']}, 'How should Gewicht be read?'], [{}, 'Question'],
  ])('of a kind that is not known is asked about what it names: %o', (some, sentence) => {
    expect(questionText(asked(some), flow)).toBe(sentence)
  })

  test('with an answer that is not known offers it in the words of the engine', () => {
    expect(candidateText(asked({kind: 'date_order'}), 'ydm', 'Year, day, month', flow)).toBe('Year, day, month')
    expect(candidateText(asked({kind: 'unit'}), 'kg', 'Kilograms', flow)).toBe('Kilograms')
  })
})

test('an issue with a code that is not known is told in the words of the engine', () => {
  const issue = {code: 'wrong_tide', severity: 'warning', field: 'day', value: null, message: 'There is no tide on this day.', hint: 'Choose another.'}
  const row = {row: 0, values: {day: '2026-02-03'}, issues: [issue], edited: []} as unknown as Row
  const look = {shown: {value: (_: string, value: string) => ({text: value})}, delivered: String, options: () => ''} as unknown as Look

  expect(cellOf(row, 'day', look).issues).toEqual([{code: 'wrong_tide', severity: 'warning', message: 'There is no tide on this day. Choose another.'}])
})

test('a delivery in a state that is not known is shown by its word, and not called refused', async () => {
  const deliveries = [{id: 'dlv_1', state: 'parked', attempts: 1, webhookId: 'whk_1'}] as unknown as DeliverySummary[]
  const {flow} = flowWith({state: 'applied', deliveries, changesetId: null})
  const screen = new DoneScreen(flow, {} as Stage)

  const words = wordsOf(screen.render())

  expect(words).toContain('parked')
  expect(words).not.toContain('Delivery failed')
})

test('a change in a state that is not known is not called cancelled', async () => {
  const change = {changeId: 'blk_1', recordId: 'rec_1', state: 'paused', total: 8} as unknown as BulkChange
  const changing = new Changing(flowWith({}).flow, async () => undefined, () => undefined)

  await changing.follow(change)

  expect(wordsOf(changing.render())).toContain('paused')
})

test.each([
  ['failed', {title: 'No table', detail: 'The file has no table.'}, 'The file has no table.'],
  [TOMORROW, null, 'Try another file, or save it in another format.'],
])('a corrected file that is %s is told, and not waited for', async (state, problem, told) => {
  const picked = {addEventListener: (_: string, listen: () => void) => queueMicrotask(listen), click: () => undefined, files: [{name: 'a.csv'}]}
  vi.stubGlobal('document', {createElement: () => picked})
  const {flow} = flowWith({counts: {error: 1}}, {sendCorrections: async () => ({state, problem, comparison: null})})

  press(new Finishing(flow, {changed: () => undefined}).byFile(), 'Upload corrected file')
  await vi.waitFor(() => expect(flow.trouble).not.toBeNull())

  expect((flow.trouble as Error).message).toBe(told)
})
