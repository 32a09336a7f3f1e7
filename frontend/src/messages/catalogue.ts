/** Sentences by key, in the languages of the widget. */

import {loaded} from '../api/problem.js'
import {en} from './en.js'
import type {MessageKey, Messages} from './keys.js'
import {directionOf, isolated, languageIn, regional, speaker, type Params} from './saying.js'

export type {MessageKey, Messages}
export type Say = (key: MessageKey, params?: Params) => string
export {directionOf, isolated, regional}

/** What is said where a language, or a page's own catalogue, has no sentence. */
const english: Partial<Messages> = {}
/** Which sentence of a language says a key: they are in the order of the English ones. */
const places: Partial<Record<MessageKey, number>> = {}

function learn(sentences: Partial<Messages>): void {
  if (Object.keys(sentences)[0]! in places) return
  for (const key of Object.keys(sentences) as MessageKey[]) places[key] = Object.keys(places).length
  Object.assign(english, sentences)
}

learn(en)

/** Load the English sentences of the steps after the upload: the first paint goes without them. */
export async function loadSteps(): Promise<void> {
  learn((await loaded(import('./en_steps.js'))).enSteps)
}

/** A language's sentences, one a line: what the build makes of its file (`packed` in vite.config.js). */
const lines = (packed: unknown): string[] => String(packed).split('\n')

/** A language of the widget, loaded when it is asked for. Add a file, and a line here and there. */
export const LANGUAGES: Record<string, () => Promise<string[]>> = {
  en: async () => [],
  de: async () => lines((await import('./de.js')).de),
  fr: async () => lines((await import('./fr.js')).fr),
  es: async () => lines((await import('./es.js')).es),
  it: async () => lines((await import('./it.js')).it),
  nl: async () => lines((await import('./nl.js')).nl),
  pt: async () => lines((await import('./pt.js')).pt),
  pl: async () => lines((await import('./pl.js')).pl),
  ar: async () => lines((await import('./ar.js')).ar),
  he: async () => lines((await import('./he.js')).he),
  ja: async () => lines((await import('./ja.js')).ja),
}

export const languageOf = (locale: string): string => languageIn(LANGUAGES, locale)

export async function load(language: string): Promise<string[]> {
  return (LANGUAGES[language] ?? LANGUAGES['en']!)()
}

/** Return the page's text, else the language's, else the English one. */
export const sayer = (own: Partial<Messages>, sentences: readonly string[], language: string, format: (value: number) => string): Say =>
  speaker<MessageKey>(key => own[key] ?? sentences[places[key] ?? -1] ?? english[key], language, format)
