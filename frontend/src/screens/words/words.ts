/** What is said next to a page of a file, in a receipt, of what receivers reported, of what an import changes, deletes or waits for, of what a step changes, and of fields that people add: of each language, it comes only with them. */

import {loaded} from '../../api/problem.js'
import type {en} from './en.js'

export type PageWords = Record<keyof typeof en.page, string>
export type ReceiptWords = Record<keyof typeof en.receipt, string>
export type ProofWords = Record<keyof typeof en.proof, string>
export type ChangesWords = Record<keyof typeof en.changes, string>
export type DecideWords = Record<keyof typeof en.decide, string>
export type DeletionWords = Record<keyof typeof en.deletion, string>
export type StepsWords = Record<keyof typeof en.steps, string>
export type CustomWords = Record<keyof typeof en.custom, string>
export interface AsideWords {page: PageWords; receipt: ReceiptWords; proof: ProofWords; changes: ChangesWords; decide: DecideWords; deletion: DeletionWords; steps: StepsWords; custom: CustomWords}

/** The languages besides English; the build makes one text of each (`packed` in vite.config.js). */
const LANGUAGES: Record<string, () => Promise<AsideWords>> = {
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

/** The words of a language: one a line, in the order of the English ones. */
export async function wordsIn(language: string): Promise<AsideWords> {
  const [{en}, packed] = await loaded(Promise.all([import('./en.js'), LANGUAGES[language]?.()]))
  if (!packed) return en
  const lines = String(packed).split('\n').values()
  return JSON.parse(JSON.stringify(en), (_, value: unknown) => typeof value === 'string' ? lines.next().value : value) as AsideWords
}
