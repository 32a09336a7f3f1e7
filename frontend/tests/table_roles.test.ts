import {expect, test} from 'vitest'

import type {Tables} from '../src/api/shapes.js'
import {choicesFor, ownTables, planOf, readingFor, roleOf} from '../src/screens/table_roles.js'

const ON = [{child: 'Customer', parent: 'No'}]
const JOIN = {kind: 'join', first: 0, other: 1, onlyFirst: [], onlyOther: [], on: ON, firstRate: 0.9, otherRate: 1}
const SAME = {kind: 'append', first: 0, other: 2, onlyFirst: [], onlyOther: [], on: [], firstRate: null, otherRate: null}
const UNLIKE = {...SAME, other: 3, onlyFirst: ['Tax'], onlyOther: ['Note']}

function file(chosen: number, ...made: object[]): Tables {
  const tables = [...['Orders', 'Customers', 'May', 'June'].map(sheet => ({sheet, columns: [], stacked: []})), ...made]
  return {chosen, tables, related: [JOIN, SAME, UNLIKE]} as unknown as Tables
}

const ALONE = file(0)
const STACK = file(4, {stacked: [0, 2]})
const JOINED = file(4, {stacked: [0, 1], join: {on: ON}})

test('what is made of several tables is not one of the file', () => {
  expect(ownTables(STACK)).toEqual([0, 1, 2, 3])
})

test.each([
  [ALONE, ['import', 'ignore', 'ignore', 'ignore']],
  [STACK, ['import', 'ignore', 'append', 'ignore']],
  [JOINED, ['import', 'join:0', 'ignore', 'ignore']],
])('each table has what it is now', (tables, roles) => {
  expect(ownTables(tables).map(at => roleOf(tables, at))).toEqual(roles)
})

test('only what fits the imported table is offered, and differences are named', () => {
  expect(choicesFor(ALONE, 0)).toEqual([{role: 'import'}])
  expect(choicesFor(ALONE, 1)).toEqual([{role: 'import'}, {role: 'join:0', join: JOIN}, {role: 'ignore'}])
  expect(choicesFor(ALONE, 2)).toEqual([{role: 'import'}, {role: 'append'}, {role: 'ignore'}])
  expect(choicesFor(ALONE, 3)).toEqual([{role: 'import'}, {role: 'append', differing: ['Tax', 'Note']}, {role: 'ignore'}])
})

test('a join by columns that were not proposed is still shown', () => {
  const own = file(4, {stacked: [0, 1], join: {on: [{child: 'A', parent: 'B'}]}})

  expect(choicesFor(own, 1)[0]).toEqual({role: 'join:-1'})
})

test.each([
  [ALONE, 1, 'join:0', {join: {child: 0, parent: 1, on: ON}}],
  [ALONE, 2, 'append', {tables: [0, 2]}],
  [STACK, 3, 'append', {tables: [0, 2, 3]}],
  [STACK, 2, 'ignore', {table: 0}],
  [STACK, 1, 'import', {table: 1}],
  [JOINED, 1, 'ignore', {table: 0}],
  [file(4, {stacked: [0, 2, 3]}), 2, 'ignore', {tables: [0, 3]}],
] as const)('a choice says how the file is read', (tables, table, role, reading) => {
  expect(readingFor(tables, table, role)).toEqual(reading)
})

test('the table that the others are added to comes first', () => {
  expect(planOf(STACK)).toEqual({main: 0, below: [2], joined: null})
  expect(planOf(JOINED)).toEqual({main: 0, below: [], joined: 1})
})
