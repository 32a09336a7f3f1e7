import {describe, expect, test} from 'vitest'

import type {Proposal, Question} from '../src/api/shapes.js'
import type {Field} from '../src/flow/fields.js'
import {NEW, answersIn, assign, columnsOf, constantOf, draftOf, fedBy, fedOf, fieldIn, freeName, isUnanswered, isUnfit, made, openSteps, read, withConstant, withCustom, withoutField, withStep, withoutStep} from '../src/flow/mapping.js'

const draft = {mapping: {Nr: 'o.number', Datum: 'o.date'}, recipe: null}
const split = {do: 'split', column: 'Ort', separator: ' ', into: ['zip', 'city']}

test('a field is fed by one column: the other one loses it', () => {
  expect(assign(draft, 'Tag', 'o.date').mapping).toEqual({Nr: 'o.number', Tag: 'o.date'})
})

test('a column can be left out', () => {
  expect(assign(draft, 'Nr', null).mapping).toEqual({Datum: 'o.date'})
})

test('what was settled comes before what is proposed', () => {
  const proposal = {columns: [], proposed: {mapping: {a: 'x'}, recipe: null}, mapping: {a: 'y'}, profile: null, recipe: null, customFields: [], filled: [], modelSteps: []} as Proposal
  expect(draftOf(proposal).mapping).toEqual({a: 'y'})
  expect(draftOf({...proposal, mapping: null}).mapping).toEqual({a: 'x'})
})

test('columns that a step made are columns to map', () => {
  const proposal = {columns: [{column: 'Ort'}], proposed: {mapping: {}, recipe: null}, mapping: null, recipe: null} as unknown as Proposal
  expect(columnsOf(proposal, withStep(draft, split)).map(each => each.column)).toEqual(['Ort', 'zip', 'city'])
})

test('steps of a model are offered for a column as it is mapped, until they are in the recipe', () => {
  const trim = {do: 'trim', columns: ['Nr']}
  const advised = {column: 'Nr', field: 'o.number', steps: [trim], score: 40, effect: '', reason: ''}
  expect(openSteps([advised], draft)).toEqual([advised])
  expect(openSteps([advised], assign(draft, 'Nr', 'o.date'))).toEqual([])
  expect(openSteps([advised], withStep(draft, trim))).toEqual([])
})

test('a step that goes takes with it what stands on its columns', () => {
  let now = withStep(withStep(draft, split), {do: 'trim', columns: ['city']})
  now = assign(now, 'city', 'o.city')
  expect(withoutStep(now, 0)).toEqual({mapping: draft.mapping, recipe: null})
})

const net = {do: 'calculate', left: {column: 'Sum'}, op: 'times', right: {number: '1.19'}, format: 'eu', into: 'net'}
const size = {do: 'when', cases: [{if: {not: {net: {lt: 5}}, Nr: 'x'}, then: {column: 'Ort'}}], otherwise: {value: 'S'}, into: 'size'}
const age = {do: 'date_difference', start: {column: 'Datum'}, end: {date: '2026-01-01'}, unit: 'years', order: 'dmy', into: 'age'}

test('a step that computes reads the columns of its cells and conditions', () => {
  expect([net, size, age].map(read)).toEqual([['Sum'], ['net', 'Nr', 'Ort'], ['Datum']])
  expect(read({do: 'map_values', columns: ['a'], values: {column: 'x'}})).toEqual(['a'])
  expect(read({do: 'join', columns: ['a', 'b'], separator: ' ', into: 'c'})).toEqual(['a', 'b'])
  expect([net, size, age].flatMap(made)).toEqual(['net', 'size', 'age'])
})

test('numbered columns become the columns of their names', () => {
  const step = {do: 'unpivot_groups', groups: {column: ['item1', 'item2'], values: [null, 'qty2']}}

  expect(read(step)).toEqual(['item1', 'item2', 'qty2'])
  expect(made(step)).toEqual(['column', 'values'])
  expect(read({do: 'fill_down', columns: ['city'], within: ['order']})).toEqual(['city', 'order'])
})

test('a step that goes takes with it the conditions on its columns', () => {
  const now = assign([net, size, age].reduce(withStep, draft), 'size', 'o.size')

  expect(withoutStep(now, 0)).toEqual({mapping: draft.mapping, recipe: {version: 1, steps: [age]}})
})

test('a new column never takes the name of another', () => {
  expect(freeName(['name', 'name (2)'], 'name')).toBe('name (3)')
})

test('one value in every row feeds a field by a column of its own, which goes with it', () => {
  const fed = withConstant(draft, 'o.status', 'Paid', 'Nr', ['Nr', 'Datum'])
  const into = fedBy(fed, 'o.status')!

  expect(into).toBe('Nr (2)')
  expect(constantOf(fed, into)).toBe('Paid')
  const other = withConstant(fed, 'o.status', 'Open', 'Nr', ['Nr', 'Datum', into])
  expect(other.recipe?.steps).toEqual([{do: 'constant', value: 'Open', into: 'Nr (2)'}])
  expect(withConstant(other, 'o.status', '', 'Nr', ['Nr', 'Datum', into])).toEqual(draft)
  expect(withoutField(draft, 'o.date').mapping).toEqual({Nr: 'o.number'})
})

const question = (kind: string, columns: string[], ...values: unknown[]): Question =>
  ({id: 'q', kind, columns, candidates: values.map(value => ({value}))}) as Question
const pair = question('columns', ['Netto', 'Betrag'], {Netto: 'o.net', Betrag: 'o.gross'}, {Netto: 'o.gross', Betrag: 'o.net'})
const either = question('columns', ['A', 'B'], {A: 'o.net'}, {B: 'o.net'})

test('a question of several columns is answered once each of its fields has a column', () => {
  expect(isUnanswered(pair, new Map([['Netto', 'o.net']]))).toBe(true)
  expect(isUnanswered(pair, new Map([['Netto', 'o.net'], ['Betrag', 'o.gross']]))).toBe(false)
  expect(isUnanswered(pair, new Map([['Netto', null], ['Betrag', null]]))).toBe(false)
  expect(isUnanswered(either, new Map([['B', 'o.net']]))).toBe(false)
  expect(isUnanswered(question('column', ['A'], 'o.net'), new Map())).toBe(true)
})

test('the ledger hears the answers that were offered, and no mapping that was not', () => {
  const chosen = new Map([['Netto', 'o.net'], ['Betrag', 'o.gross']])
  const mapping = {Netto: 'o.net', Betrag: 'o.gross', A: 'o.other'}
  const now = {mapping, recipe: null}
  const asked = [pair, question('column', ['A'], 'o.net'), question('column', ['B'], 'o.net'), question('required_field', [], 'A')]

  expect(answersIn(asked, new Map([...chosen, ['A', 'o.other'], ['B', null]]), now))
    .toEqual([['q', {Netto: 'o.net', Betrag: 'o.gross'}], ['q', null]])
  expect(answersIn(asked, new Map(), now)).toEqual([])
})

test('an answer that splits or joins columns is for the engine to carry out', () => {
  expect(fieldIn('o.net', 'A')).toBe('o.net')
  expect(fieldIn({A: 'o.net'}, 'A')).toBe('o.net')
  expect(fieldIn({A: 'o.net'}, 'B')).toBeUndefined()
  expect(fieldIn(null, 'A')).toBeUndefined()
  expect([fieldIn(['o.first', 'o.last'], 'A'), fieldIn({A: 'o.name', B: 'o.name'}, 'A')]).toEqual([null, null])
})

describe('a file of another catalog', () => {
  const fields = ['a', 'b', 'c', 'd', 'e'].map(key => ({path: `o.${key}`, required: true})) as Field[]
  const file = (fed: number, columns = 10): Proposal => {
    const all = Array.from({length: columns}, (_, at) => ({column: `C${at}`, field: at < fed ? fields[at]!.path : null, score: 100, decidedBy: null}))
    const mapping = Object.fromEntries(all.filter(({field}) => field).map(({column, field}) => [column, field]))
    return {columns: all, proposed: {mapping, recipe: null}, mapping: null, recipe: null} as unknown as Proposal
  }

  test.each([[1, 10, true], [2, 10, false], [3, 8, false], [1, 2, false], [0, 1, true]])(
    'with %s required fields fed by %s columns: %s', (fed, columns, isOther) => {
      expect(isUnfit(file(fed, columns), [], fields)).toBe(isOther)
    })

  test('is one where a single doubtful match is all there is', () => {
    const letter = file(1, 1)
    expect(isUnfit(letter, [], fields)).toBe(false)
    letter.columns[0]!.score = 48
    expect(isUnfit(letter, [], fields)).toBe(true)
  })

  const asking = (score: number | null, value: unknown = {}): Question =>
    ({...question('columns', ['C5', 'C6', 'C7']), candidates: [{value, score}]}) as Question

  test('is one where the engine asks about columns that no field fits', () => {
    expect(isUnfit(file(1), [asking(49.9)], fields)).toBe(true)
    expect(isUnfit(file(1), [asking(null, null)], fields)).toBe(true)
    expect(isUnfit(file(1), [{...asking(90), kind: 'required_field'}], fields)).toBe(true)
  })

  test('is none where columns are split or joined', () => {
    expect(isUnfit(file(1), [asking(null, ['o.a', 'o.b'])], fields)).toBe(false)
  })

  test('is none where enough columns are asked about, or somebody decided', () => {
    expect(isUnfit(file(1), [asking(50)], fields)).toBe(false)
    expect(isUnfit({...file(1), mapping: {}}, [], fields)).toBe(false)
    const known = file(0)
    known.columns[0] = {...known.columns[0]!, decidedBy: {kind: 'profile', id: 'p'}}
    expect(isUnfit(known, [], fields)).toBe(false)
  })
})

test('a column becomes a field of its own until it feeds another', () => {
  const own = {column: 'Farbe', label: 'Color', columnType: 'string'} as const
  const draft = withCustom({mapping: {Farbe: 'p.name', Ort: 'p.city'}, recipe: null}, own)

  expect(draft).toEqual({mapping: {Ort: 'p.city'}, recipe: null, customFields: [own]})
  expect([fedOf(draft, 'Farbe'), fedOf(draft, 'Ort'), fedOf(draft, 'Rest')]).toEqual([NEW, 'p.city', null])
  expect(withCustom(draft, {...own, label: 'Hue'}).customFields).toEqual([{...own, label: 'Hue'}])
  expect(assign(draft, 'Ort', 'p.name').customFields).toEqual([own])
  expect(assign(draft, 'Farbe', 'p.name')).toEqual({mapping: {Ort: 'p.city', Farbe: 'p.name'}, recipe: null, customFields: []})
})

test('a field of its own goes with the step that made its column', () => {
  const made = withStep({mapping: {}, recipe: null}, {do: 'copy', column: 'a', into: 'b'})
  const draft = withCustom(made, {column: 'b', label: 'B', columnType: 'int'})

  expect(withoutStep(draft, 0)).toEqual({mapping: {}, recipe: null, customFields: []})
})
