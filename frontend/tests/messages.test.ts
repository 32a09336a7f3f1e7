import {expect, test} from 'vitest'

import {LANGUAGES, directionOf, isolated, languageOf, load, loadSteps, regional, sayer, type Say} from '../src/messages/catalogue.js'
import {en as first} from '../src/messages/en.js'
import {enSteps} from '../src/messages/en_steps.js'
import type {MessageKey} from '../src/messages/keys.js'
import {bare, formFor, languageIn} from '../src/messages/saying.js'
import {formsOf, wrongWith} from './forms.js'

const en = {...first, ...enSteps}
const speak = async (language: string): Promise<Say> => sayer({}, await load(language), language, String)

test('the steps after the upload have their sentences only once they are shown', async () => {
  const [english, german] = [await speak('en'), await speak('de')]
  expect([english('drop_title'), german('drop_title')]).toEqual(['Drop a file here', 'Datei hier ablegen'])
  expect([english('to_resolve'), german('to_resolve')]).toEqual(['to_resolve', 'to_resolve'])

  await loadSteps()
  await loadSteps()

  expect([english('to_resolve'), german('to_resolve'), german('stay')]).toEqual(['To resolve', 'Zu klären', 'Auf der Seite bleiben'])
})

test('no sentence ends in a sign that joins it to another', async () => {
  const all = await Promise.all(Object.keys(LANGUAGES).map(async language => language === 'en' ? Object.values(en) : await load(language)))
  expect(all.flat().filter(sentence => /[·,]\s*$/.test(String(sentence)))).toEqual([])
})

const TRANSLATED = Object.keys(LANGUAGES).filter(language => language !== 'en')

test.each(TRANSLATED)('%s says everything, with the same values in each plural form', async language => {
  const sentences = await load(language)
  const wrong = Object.entries(en).map(([key, english], at) => [key, wrongWith(sentences[at], english, language)])

  expect(sentences).toHaveLength(Object.keys(en).length)
  expect(wrong.filter(([, what]) => what)).toEqual([])
})

test.each(TRANSLATED)('%s has each sentence under its own key', async language => {
  await loadSteps()
  const source = await import(`../src/messages/${language}.ts?raw`) as {default: string}
  const say = await speak(language)

  const written = [...source.default.matchAll(/^  (\w+): '(.*)',$/gm)]
  expect(written.length).toBeGreaterThan(300)
  for (const [, key, text] of written) {
    const several = text!.replaceAll("\\'", "'").split(' | ').at(-1)!
    expect(say(key as MessageKey), key).toBe(several)
  }
})

test.each(Object.keys(LANGUAGES))('%s has a plural form for each number that the language tells apart', language => {
  const {pluralCategories} = new Intl.PluralRules(language).resolvedOptions()
  const numbers = [...Array(200).keys(), 1_000_000]
  const names = formsOf(language)
  const choose = formFor(language)

  const chosen = new Set(numbers.map(n => choose(names, n)))
  expect(pluralCategories).toEqual(expect.arrayContaining(language === 'pl' ? ['one', 'few', 'many'] : [...names]))
  expect(chosen).toEqual(new Set(names))
})

test('a language with more forms chooses among all of them', () => {
  const [polish, arabic, hebrew] = ['pl', 'ar', 'he'].map(formFor)

  expect([1, 2, 5, 12, 22, 25, 1.5].map(n => polish!(['wiersz', 'wiersze', 'wierszy'], n)))
    .toEqual(['wiersz', 'wiersze', 'wierszy', 'wierszy', 'wiersze', 'wierszy', 'wierszy'])
  expect([0, 1, 2, 3, 11, 100].map(n => arabic!(['zero', 'one', 'two', 'few', 'many', 'other'], n)))
    .toEqual(['zero', 'one', 'two', 'few', 'many', 'other'])
  expect([1, 2, 10].map(n => hebrew!(['one', 'two', 'other'], n))).toEqual(['one', 'two', 'other'])
  expect([1, 1_000_000].map(n => formFor('it')(['one', 'other'], n))).toEqual(['one', 'other'])
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

test.each([['de-AT', 'de'], ['tlh', 'en'], ['', 'en'], ['ES', 'es'], ['ja-JP', 'ja']])('the locale %s speaks %s', (locale, language) => {
  expect(languageOf(locale)).toBe(language)
})

test('Portuguese of Brazil is Portuguese, and the former name of Hebrew is Hebrew', () => {
  expect(['pt-BR', 'iw', 'iw-IL', 'toString'].map(locale => languageIn({pt: '', he: ''}, locale))).toEqual(['pt', 'he', 'he', 'en'])
})

test('Arabic numbers and dates have the digits of the files, unless the page chooses others', () => {
  const date = (locale: string): string => new Intl.DateTimeFormat(regional(locale), {dateStyle: 'short', timeZone: 'UTC'}).format(new Date('2026-03-02'))

  expect(['ar-EG', 'ar-SA', 'ar'].map(date).join()).not.toMatch(/[٠-٩]/)
  expect(date('ar-SA')).toContain('2026')
  expect(['ar-EG-u-nu-arab', 'arn', 'de-CH'].map(regional)).toEqual(['ar-EG-u-nu-arab', 'arn', 'de-CH'])
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

test('an Arabic sentence that begins with a Latin word still runs from right to left', () => {
  const say = isolated(((_key: string) => 'CSV أو Excel.') as Say, 'ar')

  expect(say('formats')).toBe('\u2067CSV أو Excel.\u2069')
  expect(bare(say('formats'))).toBe('CSV أو Excel.')
})

test('Arabic and Hebrew go from right to left', () => {
  expect(['ar', 'he-IL', 'fa'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl'])
  expect(['de', 'area'].map(directionOf)).toEqual(['ltr', 'ltr'])
})
