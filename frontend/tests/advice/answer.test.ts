import {expect, test} from 'vitest'

import {readAnswer} from '../../src/advice/answer.js'

const ROWS = new Set([3, 4])
const FIELDS = new Set(['e.city', 'e.tags'])
const read = (answer: unknown) => readAnswer(answer, ROWS, FIELDS)
const finding = (more: object = {}) => ({row: 3, field: 'e.city', message: 'Is this a city?', ...more})
const proposal = (more: object = {}) => ({row: 3, field: 'e.city', value: 'Bern', ...more})

test('findings and proposals are copied with what they leave out', () => {
  expect(read({findings: [finding({other: 1})], proposals: [proposal()]})).toEqual({
    findings: [{row: 3, field: 'e.city', message: 'Is this a city?', severity: 'warning'}],
    proposals: [{row: 3, field: 'e.city', value: 'Bern', reason: ''}],
  })
})

test.each([{}, {findings: []}, {proposals: undefined}])('%j says nothing, which is fine', answer => {
  expect(read(answer)).toEqual({findings: [], proposals: []})
})

test.each([null, true, 1.5, 'Bern', '', ['a', 'b']])('%j is a value', value => {
  expect(read({proposals: [proposal({field: 'e.tags', value})]}).proposals[0]?.value).toEqual(value)
})

const long = 'x'.repeat(501)
test.each([
  ['nothing', undefined],
  ['nothing', null],
  ['not_understood', 'Bern'],
  ['not_understood', 7],
  ['not_understood', []],
  ['not_understood', [finding()]], // one form only
  ['not_understood', {findings: finding()}],
  ['not_understood', {findings: [null]}],
  ['not_understood', {findings: Array(2)}],
  ['not_understood', {findings: [finding({message: 7})]}],
  ['not_understood', {findings: [finding({severity: 'fatal'})]}],
  ['not_understood', {findings: [finding({field: 'e.other'})]}],
  ['not_understood', {proposals: [proposal({value: undefined})]}],
  ['not_understood', {proposals: [proposal({value: {}})]}],
  ['not_understood', {proposals: [proposal({value: [1]})]}],
  ['not_understood', {proposals: [proposal({value: Number.NaN})]}],
  ['not_understood', {proposals: [proposal(), proposal({value: 'Thun'})]}], // which of them?
  ['other_rows', {findings: [finding({row: 5})]}],
  ['other_rows', {findings: [finding({row: '3'})]}],
  ['other_rows', {proposals: [proposal(), proposal({row: -1})]}],
  ['too_large', {findings: [finding({message: long})]}],
  ['too_large', {proposals: [proposal({reason: long})]}],
  ['too_large', {findings: Array(10_001).fill(finding())}],
  ['too_large', {proposals: [proposal({value: 'x'.repeat(10_000_000)})]}],
  ['too_large', {proposals: [proposal({value: ['x'.repeat(600_000), 'x'.repeat(600_000)]})]}],
] as const)('of what is %s, nothing is taken', (reason, answer) => {
  expect(() => read(answer)).toThrow(expect.objectContaining({reason}))
})
