import {expect, test} from 'vitest'

import type {ReceiverProof} from '../src/api/outcomes.js'
import {countsOf, hasAnswered} from '../src/screens/proof.js'
import {wordsIn} from '../src/screens/words/words.js'
import {Format} from '../src/ui/format.js'

const {proof: words} = await wordsIn('en')
const shop: ReceiverProof = {webhookId: 'whk_1', label: 'Webshop', rows: 1207, agreed: 1200, differs: 1, refused: 0, notAnswered: 6}

test('a receiver has its counts, without those that are zero', () => {
  expect(countsOf(shop, words, new Format('en'))).toBe('As delivered: 1,200 · Different: 1 · No answer: 6')
  expect(countsOf({...shop, differs: 0, notAnswered: 0}, words, new Format('de'))).toBe('As delivered: 1.200')
})

test('a receiver that reported nothing is not compared', () => {
  expect([shop, {...shop, agreed: 0}, {...shop, agreed: 0, differs: 0}].map(hasAnswered)).toEqual([true, true, false])
})
