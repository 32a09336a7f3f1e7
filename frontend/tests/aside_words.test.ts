import {expect, test} from 'vitest'

import {LANGUAGES} from '../src/messages/catalogue.js'
import {en} from '../src/screens/words/en.js'
import {wordsIn} from '../src/screens/words/words.js'
import {wrongWith} from './forms.js'

const TRANSLATED = Object.keys(LANGUAGES).filter(language => language !== 'en')

/** Every sentence by its part and key. */
const sentencesOf = (words: object): Record<string, string> =>
  Object.fromEntries(Object.entries(words).flatMap(([part, said]) => Object.entries(said as object).map(([key, text]) => [`${part}.${key}`, text as string])))

test.each(TRANSLATED)('%s says everything that is said next to the steps', async language => {
  const [said, english] = [sentencesOf(await wordsIn(language)), sentencesOf(en)]

  expect(Object.keys(said)).toEqual(Object.keys(english))
  expect(Object.entries(english).filter(([key, sentence]) => wrongWith(said[key], sentence, language))).toEqual([])
})

test.each(TRANSLATED)('%s has each sentence under its own key', async language => {
  const source = await import(`../src/screens/words/${language}.ts?raw`) as {default: string}
  const written: Record<string, string> = {}
  let part = ''
  for (const [, opened, key, text] of source.default.matchAll(/^  (\w+): \{$|^    (\w+): '(.*)',$/gm)) {
    if (opened) part = opened
    else written[`${part}.${key}`] = text!
  }

  expect(sentencesOf(await wordsIn(language))).toEqual(written)
})

test('a language that is unknown is English', async () => {
  expect(await wordsIn('xx')).toEqual(en)
})
