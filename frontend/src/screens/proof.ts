/** What receivers reported about the rows, compared with what was delivered. */

import {html, type TemplateResult} from 'lit'

import type {ReceiverProof} from '../api/outcomes.js'
import type {Format} from '../ui/format.js'
import {tag} from '../ui/pieces.js'
import {wordsIn, type ProofWords} from './words/words.js'

/** The counts of a receiver in words; those that are 0 are left out. */
export function countsOf({agreed, differs, notAnswered}: ReceiverProof, words: ProofWords, format: Format): string {
  const counts: [string, number][] = [[words.agreed, agreed], [words.differs, differs], [words.not_answered, notAnswered]]
  return counts.filter(([, n]) => n > 0).map(([sentence, n]) => sentence.replace('{n}', format.number(n))).join(' · ')
}

/** Whether a receiver reported anything; most report nothing, and then there is nothing to compare. */
export const hasAnswered = ({agreed, differs}: ReceiverProof): boolean => agreed + differs > 0

export class Proof {
  readonly #words: ProofWords

  constructor(words: ProofWords) {
    this.#words = words
  }

  static async in(language: string): Promise<Proof> {
    return new Proof((await wordsIn(language)).proof)
  }

  /** A line for each receiver that reported something. nameless: how one without a label is called. */
  render(receivers: readonly ReceiverProof[], format: Format, nameless: string): TemplateResult[] {
    return receivers.filter(hasAnswered).map(receiver => html`<li class="proof">${tag(this.#words.title, receiver.differs ? 'warn' : 'ok')}
      <bdi class="strong">${receiver.label || nameless}</bdi><span class="grow"></span><span class="muted">${countsOf(receiver, this.#words, format)}</span></li>`)
  }
}
