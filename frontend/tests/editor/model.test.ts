import fc from 'fast-check'
import {expect, test} from 'vitest'

import {fieldsOf, free, isShapely, pathsOf, slug, type Catalog} from '../../src/editor/model/catalog.js'
import {differences} from '../../src/editor/model/differences.js'
import {Findings} from '../../src/editor/model/findings.js'
import {History} from '../../src/editor/model/history.js'
import {pastedOptions, valueOf} from '../../src/editor/model/options.js'
import {asRegExp} from '../../src/editor/model/pattern.js'
import {addField, moveField, removeField, stepField} from '../../src/editor/model/reorder.js'
import {at, pointer, put, stepsOf} from '../../src/editor/model/tree.js'
import {currencyOf, withCurrency} from '../../src/editor/model/types.js'

const catalog = (...entries: string[][]): Catalog => ({
  key: 'people',
  entries: entries.map((keys, place) => ({id: `e${place}`, fields: keys.map(key => ({key}))})),
})
const keysOf = (shown: Catalog): string[][] => shown.entries.map(entry => fieldsOf(entry).map(field => field.key))

test('a change leaves the old document as it was, and shares the rest', () => {
  const before = catalog(['a', 'b'], ['c'])
  const after = put(before, ['entries', 0, 'fields', 1, 'label'], 'Bee') as Catalog

  expect(at(before, ['entries', 0, 'fields', 1, 'label'])).toBeUndefined()
  expect(at(after, ['entries', 0, 'fields', 1, 'label'])).toBe('Bee')
  expect(after.entries[1]).toBe(before.entries[1])
  expect(after.entries[0]!.fields[0]).toBe(before.entries[0]!.fields[0])
})

test('undefined takes a member or an item away, and a missing way is made', () => {
  expect(put({a: 1, b: 2}, ['a'], undefined)).toEqual({b: 2})
  expect(put({a: [1, 2, 3]}, ['a', 1], undefined)).toEqual({a: [1, 3]})
  expect(put({}, ['resolve', 'exact'], true)).toEqual({resolve: {exact: true}})
})

test('a pointer gives back the steps it was made of', () => {
  fc.assert(fc.property(fc.array(fc.string()), steps => {
    expect(stepsOf(pointer(steps))).toEqual(steps)
  }))
})

test('moving keeps every field, wherever it goes', () => {
  fc.assert(fc.property(fc.nat(3), fc.nat(2), fc.nat(1), fc.nat(9), (from, second, entry, to) => {
    const start = catalog(['a', 'b', 'c', 'd'], ['x', 'y', 'z'].slice(0, second))
    const {catalog: moved, place} = moveField(start, {entry: 0, field: from}, {entry, field: to})

    expect(keysOf(moved).flat().sort()).toEqual(keysOf(start).flat().sort())
    expect(fieldsOf(moved.entries[place.entry])[place.field]!.key).toBe('abcd'[from])
  }))
})

test('a step over the border of an entry goes into the next one', () => {
  const start = catalog(['a', 'b'], ['c'])

  expect(keysOf(stepField(start, {entry: 0, field: 1}, 1).catalog)).toEqual([['a'], ['b', 'c']])
  expect(keysOf(stepField(start, {entry: 1, field: 0}, -1).catalog)).toEqual([['a', 'b', 'c'], []])
  expect(stepField(start, {entry: 0, field: 0}, -1)).toEqual({catalog: start, place: {entry: 0, field: 0}})
})

test('a field is added in its place and removed from it', () => {
  const more = addField(catalog(['a', 'b']), {entry: 0, field: 1}, {key: 'new'})

  expect(keysOf(more)).toEqual([['a', 'new', 'b']])
  expect(keysOf(removeField(more, {entry: 0, field: 0}))).toEqual([['new', 'b']])
})

test('typing is one step of undo, another control another', () => {
  const history = new History('')
  history.change('A', 'label', 1000)
  history.change('An', 'label', 1200)
  history.change('An!', 'note', 1300)

  history.undo()
  expect(history.state).toBe('An')
  history.undo()
  expect([history.state, history.canUndo]).toEqual(['', false])
  history.redo()
  expect(history.state).toBe('An')
})

test('after an undo a change begins a new step and forgets what was undone', () => {
  const history = new History(0)
  history.change(1, 'a', 0)
  history.undo()
  history.change(2, 'a', 1)

  expect([history.state, history.canRedo]).toEqual([2, false])
  history.undo()
  expect(history.state).toBe(0)
})

test('a finding is found at its place and above it, and nowhere else', () => {
  const one = {pointer: '/entries/0/fields/1/validations/0/regex', code: 'refused_pattern', severity: 'warning' as const, detail: 'No.'}
  const findings = new Findings([one])

  expect(findings.under('/entries/0/fields/1')).toEqual([one])
  expect(findings.at('/entries/0/fields/1')).toEqual([])
  expect(findings.under('/entries/0/fields/10')).toEqual([])
  expect([findings.blocks, new Findings([{...one, severity: 'error'}]).blocks]).toEqual([false, true])
})

test('a key is made of a label, and no two are the same', () => {
  expect(['Kunden-Nr.', 'Größe (cm)', 'Prénom', '  ', '№ 7'].map(label => slug(label))).toEqual(['kunden_nr', 'groesse_cm', 'prenom', '', 'no_7'])
  expect(free('name', new Set(['name', 'name_2']))).toBe('name_3')
})

test('forms are shown for what has fields, and for nothing else', () => {
  expect([catalog(['a']), {entries: []}, {entries: [{}]}, {entries: {}}, {entries: [null]}, [], {entries: [{fields: [1]}]}].map(isShapely))
    .toEqual([true, true, true, false, false, false, false])
})

test('the first of two equal paths is the one that counts', () => {
  expect([...pathsOf(catalog(['a', 'a'], ['b']))]).toEqual([['e0.a', {entry: 0, field: 0}], ['e1.b', {entry: 1, field: 0}]])
})

test('cells of a spreadsheet become options', () => {
  expect(pastedOptions('Label\tValue\nOpen\topen\toffen; ouvert\tNot paid\n"Two\nlines"\t2', 'string')).toEqual([
    {label: 'Open', type: 'string', value: 'open', alternativeMatches: ['offen', 'ouvert'], description: 'Not paid'},
    {label: 'Two\nlines', type: 'string', value: '2'},
  ])
  expect(pastedOptions('DE\nAT\n', 'string').map(option => option['value'])).toEqual(['DE', 'AT'])
})

test('a value is a number where its option delivers one, and stays text where it is none', () => {
  expect([valueOf('7', 'int'), valueOf('1,5', 'float'), valueOf('1.5', 'int'), valueOf('', 'int'), valueOf('07', 'string')]).toEqual([7, 1.5, '1.5', '', '07'])
})

test('patterns of the engine are tried as the browser can', () => {
  expect(asRegExp('(?i)^ab$')!.test('AB')).toBe(true)
  expect(asRegExp('^(?P<year>\\d{4})$')!.test('2024')).toBe(true)
  expect(asRegExp('\\A\\d+\\Z')!.test('12')).toBe(true)
  expect(asRegExp('(((')).toBeNull()
})

test('two drafts are told apart field by field, not place by place', () => {
  const mine = put(catalog(['a', 'b']), ['entries', 0, 'fields', 1, 'label'], 'Mine')
  const theirs = catalog(['new', 'a', 'b'])

  expect(differences(theirs, mine)).toEqual([
    {place: 'entries[e0].fields[new]', a: {key: 'new'}, b: undefined},
    {place: 'entries[e0].fields[b].label', a: undefined, b: 'Mine'},
  ])
  expect(differences(catalog(['a', 'b']), catalog(['b', 'a']))).toEqual([{place: 'entries[e0].fields', a: ['a', 'b'], b: ['b', 'a']}])
})

test.each([
  ['', ''], ['0.00', ''], ['CHF', 'CHF'], ['CHF 0.00', 'CHF'], ["#'##0.00 GBP", 'GBP'], ['DD.MM.YYYY', ''],
])('the format %j names the currency %j', (format, code) => {
  expect(currencyOf(format)).toBe(code)
})

test.each([
  ['', 'CHF', 'CHF'], ['0.00', 'CHF', '0.00 CHF'], ['GBP 0.00', 'CHF', 'CHF 0.00'], ['0.00 GBP', 'CHF', '0.00 CHF'],
  ['GBP', 'CHF', 'CHF'], ['CHF 0.00', '', '0.00'], ['CHF', '', ''],
])('the format %j with the currency %j is %j', (format, code, wanted) => {
  expect(withCurrency(format, code)).toBe(wanted)
})
