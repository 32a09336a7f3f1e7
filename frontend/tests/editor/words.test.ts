import {expect, test} from 'vitest'

import {speaker} from '../../src/messages/saying.js'
import {KINDS} from '../../src/editor/views/rules.js'
import {TYPE_GROUPS} from '../../src/editor/model/types.js'
import {en} from '../../src/editor/words/en.js'
import {LANGUAGES, languageOf, load, type WordKey} from '../../src/editor/words/words.js'
import {wrongWith} from '../forms.js'

test.each(Object.keys(LANGUAGES))('%s says everything, with the same values in each plural form', async language => {
  const words = await load(language)
  const wrong = Object.entries(en).map(([key, english]) => [key, wrongWith(words[key as WordKey], english, language)])

  expect(wrong.filter(([, what]) => what)).toEqual([])
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
  expect(['de-CH', 'tlh', 'FR'].map(languageOf)).toEqual(['de', 'en', 'fr'])
})
