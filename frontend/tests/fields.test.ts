import {expect, test} from 'vitest'

import type {Catalog} from '../src/api/shapes.js'
import {fieldsOf} from '../src/flow/fields.js'

test('a field takes the name of its key, and the type of a text, where the catalog says none', () => {
  const catalog: Catalog = {key: 'c', title: 'C', version: 1, entries: [{id: 'e', fields: [{key: 'a'}, {key: 'b', columnType: 'int', label: 'B'}]}]}

  expect(fieldsOf(catalog)).toEqual([
    {key: 'a', path: 'e.a', label: 'a', entry: 'e', columnType: 'string'},
    {key: 'b', path: 'e.b', label: 'B', entry: 'e', columnType: 'int'},
  ])
})
