import {expect, test} from 'vitest'

import {deedOf} from '../src/review/known_changes.js'
import {wordsIn} from '../src/screens/words/words.js'
import {Format} from '../src/ui/format.js'

const {changes: words} = await wordsIn('en')
const {changes: german} = await wordsIn('de')

test.each([
  [{changed: 12, new: 30}, 'Update 12, add 30'],
  [{changed: 12, unchanged: 4}, 'Update 12'],
  [{new: 3000}, 'Add 3,000'],
  [{unchanged: 4}, ''], // nothing is done: the button counts the rows instead
  [{changed: 1, new: 2, unclear: 1}, ''], // what becomes of unclear rows is not known yet
])('the button says what %j comes to', (counts, said) => {
  expect(deedOf(counts, words, new Format('en'))).toBe(said)
})

test('the button speaks the language of the page', () => {
  expect(deedOf({changed: 12, new: 3000}, german, new Format('de'))).toBe('12 ändern, 3.000 neu')
})
