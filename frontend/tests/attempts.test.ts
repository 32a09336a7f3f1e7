import {expect, test} from 'vitest'

import {Attempts} from '../src/flow/attempts.js'
import type {Page} from '../src/flow/page.js'

test('what ends first does not free what still goes on', async () => {
  const attempts = new Attempts({requestUpdate: () => undefined} as unknown as Page)
  let finish = (): void => undefined
  const long = attempts.attempt(() => new Promise<void>(resolve => { finish = resolve }))

  await attempts.attempt(async () => undefined)
  expect(attempts.isBusy).toBe(true)

  finish()
  await long
  expect(attempts.isBusy).toBe(false)
})
