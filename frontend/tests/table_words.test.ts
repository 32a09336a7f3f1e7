import {expect, test} from 'vitest'

import {LANGUAGES} from '../src/messages/catalogue.js'
import {PLAN_WORDS, planWords} from '../src/screens/table_words.js'
import {wrongWith} from './forms.js'

test.each(Object.keys(LANGUAGES))('%s says everything that is said of several tables', language => {
  const said = PLAN_WORDS[language] ?? {}

  expect(Object.keys(said)).toEqual(Object.keys(PLAN_WORDS['en']!))
  expect(Object.entries(PLAN_WORDS['en']!).filter(([key, sentence]) => wrongWith((said as Record<string, string>)[key], sentence, language))).toEqual([])
})

test('a language that is unknown is English', () => {
  expect(planWords('xx')).toBe(PLAN_WORDS['en'])
})
