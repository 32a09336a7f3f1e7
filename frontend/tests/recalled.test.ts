import {describe, expect, test} from 'vitest'

import type {Engine} from '../src/api/engine.js'
import type {Actor, Recalled} from '../src/api/outcomes.js'
import type {Proposal, Question} from '../src/api/shapes.js'
import type {Field} from '../src/flow/fields.js'
import {answerLabel, otherAnswers, recalledFor, recalledIn, settledBefore, toldOf, type RecalledQuestion} from '../src/flow/recalled.js'
import {Format} from '../src/ui/format.js'

const say = (key: string, params: object = {}) => [key, ...Object.values(params)].join(' ').trim()
const who = (kind: Actor['kind'], label = ''): Actor => ({kind, id: label && 'user:1', label})
const recalled = (givenBy: Actor | null, confirmedBy: Actor | null = null): Recalled =>
  ({answerId: 'ans_1', givenAt: '2026-11-23T12:00:00.000Z', givenBy, confirmedBy})
const question = (some: Partial<RecalledQuestion>) =>
  ({id: 'qst_1', kind: 'category_value', candidates: [], columns: [], recalled: recalled(null), answer: 'open', ...some}) as RecalledQuestion

describe('an answer that was given before', () => {
  test.each([
    [who('person', 'Ada'), null, 'recalled_by 23 November 2026 Ada'],
    [who('person', 'Ada'), who('person', 'Bob'), 'recalled_by 23 November 2026 Ada'],
    [who('person'), null, 'recalled_on 23 November 2026'],
    [who('agent', 'assistant'), null, 'recalled_agent 23 November 2026'],
    [who('agent', 'assistant'), who('person', 'Ada'), 'recalled_confirmed 23 November 2026 Ada'],
    [who('agent', 'assistant'), who('person'), 'recalled_agent 23 November 2026'],
    [who('system', 'Key'), null, 'recalled_host 23 November 2026'],
    [null, null, 'recalled_on 23 November 2026'],
  ])('by %o, confirmed by %o, is told: %s', (first, last, told) => {
    expect(toldOf(recalled(first, last), {say, format: new Format('en-GB')})).toBe(told)
  })

  test('by an earlier version is told without a day', () => {
    expect(toldOf({...recalled(null), givenAt: null}, {say, format: new Format('en')})).toBe('recalled_before')
  })

  test('is found on every page of the list, and what was answered here is not', async () => {
    const pages = [
      {items: [question({id: 'a'}), question({id: 'b', recalled: null as never})], next: '2'},
      {items: [question({id: 'c'})], next: null},
    ]
    const asked: string[] = []
    const transport = {json: async (path: string) => { asked.push(path); return pages.shift() }}

    const found = await recalledIn({transport} as unknown as Engine, 'rec_1')

    expect(found.map(({id}) => id)).toEqual(['a', 'c'])
    expect(asked[1]).toContain('cursor=2')
  })

  test('belongs to the column that it was about', () => {
    const about = [question({kind: 'column', columns: ['Sum']}), question({id: 'q2', kind: 'columns', columns: ['A', 'B']})]

    expect(recalledFor('Sum', about)?.id).toBe('qst_1')
    expect(recalledFor('B', about)?.id).toBe('q2')
    expect(recalledFor('C', about)).toBeUndefined()
  })
})

describe('what earlier imports settled', () => {
  const proposal = {profile: 'prf_1', columns: [{decidedBy: {kind: 'profile'}}, {decidedBy: {kind: 'profile'}}, {decidedBy: null}]} as unknown as Proposal
  const days = question({kind: 'date_order', answer: 'mdy'})

  test('is told as columns, values and the order of dates', () => {
    const answers = [question({}), question({kind: 'reference'}), days, {...days, id: 'qst_2'}, question({kind: 'encoding'})]

    expect(settledBefore(proposal, answers, say)).toEqual(['n_columns 2', 'n_values 2', 'n_answers 1', 'month_first'])
    expect(settledBefore(null, [{...days, answer: 'dmy'}, days], say)).toEqual(['day_first', 'month_first'])
  })

  test('is nothing where nothing was, and a column that an answer gave its field counts as one', () => {
    expect(settledBefore(null, [], say)).toEqual([])
    expect(settledBefore(null, [question({kind: 'column', columns: ['Sum']})], say)).toEqual(['n_columns 1'])
  })
})

describe('what may be answered instead', () => {
  const field = {dropdownOptions: [{label: 'Open', value: 'open'}, {label: 'Paid', value: 'paid'}]} as Field
  const all = {fix: true, exclude: true}
  const offered = [{value: 'dmy', label: 'Day first', score: null, effect: ''}]

  test('is each option of the field, for a person who may say what texts mean', () => {
    expect(otherAnswers(question({}), field, all).map(({label}) => label)).toEqual(['Open', 'Paid'])
    expect(otherAnswers(question({}), field, {...all, fix: false})).toEqual([])
  })

  test('is what the question offers, for everybody', () => {
    const asked = question({kind: 'date_order', candidates: offered})

    expect(otherAnswers(asked, undefined, {fix: false, exclude: false})).toEqual(offered)
  })

  test('is nothing about the tables of the file for a person who may not exclude rows', () => {
    const asked = question({kind: 'table', candidates: offered}) as Question

    expect(otherAnswers(asked, undefined, {...all, exclude: false})).toEqual([])
    expect(otherAnswers(asked, undefined, all)).toEqual(offered)
  })

  test('the answer in force has the name of its option', () => {
    expect(answerLabel(question({}), otherAnswers(question({}), field, all))).toBe('Open')
    expect(answerLabel(question({answer: {A: 'p.name', B: 'p.city'}}), [])).toBe('p.name, p.city')
    expect(answerLabel(question({answer: null}), [])).toBe('')
  })
})
