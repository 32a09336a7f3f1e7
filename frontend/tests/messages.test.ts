import {expect, test} from 'vitest'

import {directionOf, isolated, languageOf, load, loadSteps, sayer, type Say} from '../src/messages/catalogue.js'
import {en as first} from '../src/messages/en.js'
import {enSteps} from '../src/messages/en_steps.js'
import type {MessageKey} from '../src/messages/keys.js'
import {bare} from '../src/messages/saying.js'

const en = {...first, ...enSteps}
const speak = async (language: string): Promise<Say> => sayer({}, await load(language), language, String)

const holes = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(found => found[1]!))].sort()

test('the steps after the upload have their sentences only once they are shown', async () => {
  const [english, german] = [await speak('en'), await speak('de')]
  expect([english('drop_title'), german('drop_title')]).toEqual(['Drop a file here', 'Datei hier ablegen'])
  expect([english('to_resolve'), german('to_resolve')]).toEqual(['to_resolve', 'to_resolve'])

  await loadSteps()
  await loadSteps()

  expect([english('to_resolve'), german('to_resolve'), german('stay')]).toEqual(['To resolve', 'Zu klären', 'Auf der Seite bleiben'])
})

test.each(['de', 'fr', 'es'])('%s says everything, with the same values in each sentence', async language => {
  const sentences = await load(language)
  await loadSteps()
  const say = sayer({}, sentences, language, String)

  expect(sentences).toHaveLength(Object.keys(en).length)
  for (const [key, english] of Object.entries(en)) {
    expect(holes(say(key as MessageKey)), key).toEqual(holes(english.split(' | ')[1] ?? english))
  }
})

test.each(['de', 'fr', 'es'])('%s has each sentence under its own key', async language => {
  await loadSteps()
  const source = await import(`../src/messages/${language}.ts?raw`) as {default: string}
  const say = await speak(language)

  const written = [...source.default.matchAll(/^  (\w+): '(.*)',$/gm)]
  expect(written.length).toBeGreaterThan(300)
  for (const [, key, text] of written) {
    const several = text!.replaceAll("\\'", "'").split(' | ').at(-1)!
    expect(say(key as MessageKey, {n: 5}), key).toBe(several.replaceAll('{n}', '5'))
  }
})

test('one row is told from several, by the rules of the language', async () => {
  const [english, french] = [await speak('en'), await speak('fr')]

  expect([0, 1, 2].map(n => english('rows', {n}))).toEqual(['0 rows', '1 row', '2 rows'])
  expect([0, 1, 2].map(n => french('rows', {n}))).toEqual(['0 ligne', '1 ligne', '2 lignes'])
})

test('what a page says comes before the language', async () => {
  const say = sayer({drop_title: 'Preisliste'}, await load('de'), 'de', String)

  expect([say('drop_title'), say('step_review')]).toEqual(['Preisliste', 'Prüfen'])
})

test('what a file says is never read as a hole of the sentence', async () => {
  await loadSteps()
  expect((await speak('en'))('ask_column', {column: '{field} | x', field: 'no'})).toBe('What does “{field} | x” contain?')
})

test.each([['de-AT', 'de'], ['pt-BR', 'en'], ['', 'en'], ['ES', 'es']])('the locale %s speaks %s', (locale, language) => {
  expect(languageOf(locale)).toBe(language)
})

test('a sentence keeps its order where the page runs from right to left', async () => {
  await loadSteps()
  const say = isolated(await speak('en'))

  expect(say('rows', {n: 15})).toBe('\u206815 rows\u2069')
  expect(say('back')).toBe('Back')
  expect(say('sent_to', {host: '7.example'})).toBe('\u2068Your file is sent to \u20687.example\u2069 only.\u2069')
  expect(bare(say('rows', {n: 15}))).toBe('15 rows')
  expect(say('nobody_has_this' as MessageKey)).toBe('nobody_has_this')
})

test('Arabic and Hebrew go from right to left', () => {
  expect(['ar', 'he-IL', 'fa'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl'])
  expect(['de', 'area'].map(directionOf)).toEqual(['ltr', 'ltr'])
})
