import {expect, test} from 'vitest'

import {speaker} from '../../src/messages/saying.js'
import {KINDS} from '../../src/editor/views/rules.js'
import {TYPE_GROUPS} from '../../src/editor/model/types.js'
import {en} from '../../src/editor/words/en.js'
import {languageOf, load, type WordKey} from '../../src/editor/words/words.js'

const holes = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(found => found[1]!))].sort()

test.each(['de', 'fr', 'es'])('%s says everything, with the same values in each sentence', async language => {
  const words = await load(language)

  for (const [key, english] of Object.entries(en)) {
    const said = words[key as WordKey] ?? ''
    expect(said, key).toBeTruthy()
    expect(holes(said), key).toEqual(holes(english))
    expect(said.split(' | ').length, key).toBe(english.split(' | ').length)
  }
})

test('every column type and every kind of rule has its words', () => {
  const types = Object.values(TYPE_GROUPS).flat()
  expect(types).toHaveLength(30)
  expect(types.filter(type => !(`type_${type.name}` in en))).toEqual([])
  expect(KINDS).toHaveLength(15)
  expect(KINDS.filter(kind => !(`rule_${kind}` in en))).toEqual([])
})

test('one change is told from several', () => {
  const say = speaker((key: keyof typeof en) => en[key], 'en', String)
  expect([1, 4].map(n => say('draft_changes', {n}))).toEqual(['Draft, 1 change', 'Draft, 4 changes'])
})

test('what is unknown is spoken as English', () => {
  expect(['de-CH', 'pt', 'FR'].map(languageOf)).toEqual(['de', 'en', 'fr'])
})
