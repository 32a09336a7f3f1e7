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
  ja: async () => (await import('./ja.js')).ja,
}

export const languageOf = (locale: string): string => languageIn(LANGUAGES, locale)

export const load = async (language: string): Promise<Partial<Words>> => LANGUAGES[language]!()
