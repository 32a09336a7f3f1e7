import {describe, expect, test} from 'vitest'

import type {ImportRecord, ProposedColumn, Question} from '../src/api/shapes.js'
import {decisions, phaseOf, reachable, stepOf, type Facts} from '../src/flow/steps.js'

const record = (state: ImportRecord['state']) => ({state}) as ImportRecord
const asks = (kind: string) => ({kind}) as Question
const column = (score: number, field: string | null = 'order.number') =>
  ({column: 'No', field, score, decidedBy: null}) as ProposedColumn
const facts = (some: Partial<Facts> = {}): Facts =>
  ({questions: [], columns: [column(100)], seen: new Set(), showAll: false, canFix: true, ...some})

describe('a file that is ready for review', () => {
  test('goes there by itself when nothing needs a decision', () => {
    expect(phaseOf(record('review'), facts())).toBe('review')
  })

  test.each([
    ['table', 'table'], ['header_row', 'table'], ['encoding', 'table'],
    ['column', 'columns'], ['required_field', 'columns'], ['category_value', 'values'],
    ['date_order', 'review'], ['a kind of tomorrow', 'review'],
  ])('stops where the question %s is answered: %s', (kind, phase) => {
    expect(phaseOf(record('review'), facts({questions: [asks(kind)]}))).toBe(phase)
  })

  test('has no screen of values for a person who may not say what texts mean', () => {
    const known = facts({questions: [asks('category_value'), asks('column')], canFix: false})

    expect(decisions(known)).toEqual(['columns'])
    expect(phaseOf(record('review'), {...known, seen: new Set(['columns'])})).toBe('review')
  })

  test('stops at the columns when a match is doubtful', () => {
    expect(phaseOf(record('review'), facts({columns: [column(60)]}))).toBe('columns')
  })

  test('does not stop for a column that nobody wants', () => {
    expect(phaseOf(record('review'), facts({columns: [column(10, null)]}))).toBe('review')
  })

  test('is not stopped twice by what was confirmed', () => {
    const questions = [asks('table'), asks('column')]
    expect(decisions(facts({questions, seen: new Set(['table'])}))).toEqual(['columns'])
    expect(decisions(facts({questions, seen: new Set(['table', 'columns'])}))).toEqual([])
  })

  test('stays where the person answers until they go on', () => {
    expect(decisions(facts({at: 'columns'}))).toEqual(['columns'])
    expect(phaseOf(record('review'), facts({at: 'table'}))).toBe('table')
    expect(phaseOf(record('review'), facts({at: 'columns', seen: new Set(['columns'])}))).toBe('review')
    expect(phaseOf(record('review'), facts({at: 'review'}))).toBe('review')
  })

  test('shows every step when the page wants that', () => {
    expect(decisions(facts({showAll: true}))).toEqual(['table', 'columns'])
  })
})

test('an import that waits for its mapping shows the columns, a question of tables first', () => {
  expect(phaseOf(record('mapping'), facts())).toBe('columns')
  expect(phaseOf(record('mapping'), facts({questions: [asks('table')]}))).toBe('table')
})

test.each([
  ['received', 'parsing'], ['reading', 'parsing'], ['transforming', 'parsing'], ['applying', 'applying'],
  ['applied', 'done'], ['reverted', 'done'], ['failed', 'failed'], ['cancelled', 'failed'],
] as const)('an import that is %s shows %s', (state, phase) => {
  expect(phaseOf(record(state), facts())).toBe(phase)
})

test('no step behind is opened once rows are on their way', () => {
  expect(reachable('applying', record('applying'))).toEqual([])
  expect(reachable('done', record('applied'))).toEqual([])
  expect(reachable('review', record('review'))).toEqual(['table', 'columns', 'review'])
  expect(reachable('columns', record('mapping'))).not.toContain('review')
})

test.each([['applied', 'done'], ['reverting', 'done'], ['reverted', 'done'], ['failed', 'failed'], ['cancelled', 'failed']] as const)(
  'an import that is %s is shown as %s', (state, phase) => expect(phaseOf(record(state), facts())).toBe(phase))

test('work of the engine belongs to no step of its own', () => {
  expect(stepOf('parsing')).toBeNull()
  expect(stepOf('uploading')).toBe('upload')
})
