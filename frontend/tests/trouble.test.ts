import {expect, test} from 'vitest'

import {EngineProblem} from '../src/api/problem.js'
import {tell} from '../src/flow/trouble.js'
import {sayer} from '../src/messages/catalogue.js'

const say = sayer({}, [], 'en', String)

test('what the engine says of an empty file does not repeat the title', () => {
  const detail = 'This file is empty. Save it again, then upload it.'
  const told = tell(new EngineProblem(422, {code: 'empty_file', detail}), say)

  expect([told.title, told.detail]).toEqual(['This file is empty.', 'Save it again, then upload it.'])
})
