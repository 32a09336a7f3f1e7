/** The editor's sentences by key, in its languages. */

import {languageIn, type Params} from '../../messages/saying.js'
import {en} from './en.js'

export type WordKey = keyof typeof en
export type Words = Record<WordKey, string>
export type Say = (key: WordKey, params?: Params) => string

export const LANGUAGES: Record<string, () => Promise<Partial<Words>>> = {
  en: async () => en,
  de: async () => (await import('./de.js')).de,
  fr: async () => (await import('./fr.js')).fr,
  es: async () => (await import('./es.js')).es,
  it: async () => (await import('./it.js')).it,
  nl: async () => (await import('./nl.js')).nl,
  pt: async () => (await import('./pt.js')).pt,
  pl: async () => (await import('./pl.js')).pl,
  ar: async () => (await import('./ar.js')).ar,
  he: async () => (await import('./he.js')).he,
  ja: async () => (await import('./ja.js')).ja,
}

export const languageOf = (locale: string): string => languageIn(LANGUAGES, locale)

export const load = async (language: string): Promise<Partial<Words>> => LANGUAGES[language]!()
