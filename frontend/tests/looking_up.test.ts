import {afterEach, beforeEach, expect, test, vi} from 'vitest'

import {EngineProblem} from '../src/api/problem.js'
import {whenKnown} from '../src/flow/looking_up.js'

const problem = (code: string): EngineProblem => new EngineProblem(409, {code, detail: code})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a call is made again while the engine asks a receiver what it knows', async () => {
  const refusals = Array.from({length: 5}, () => problem('looking_up'))
  const call = vi.fn(async () => {
    const refusal = refusals.pop()
    if (refusal) throw refusal
    return 'applying'
  })

  const applied = whenKnown(call)
  await vi.runAllTimersAsync()

  expect(await applied).toBe('applying')
  expect(call).toHaveBeenCalledTimes(6)
})

test('another conflict is not repeated', async () => {
  const call = vi.fn(async () => { throw problem('lookup_failed') })

  await expect(whenKnown(call)).rejects.toThrow('lookup_failed')
  expect(call).toHaveBeenCalledTimes(1)
})

test('a receiver that never answers ends the waiting', async () => {
  const call = vi.fn(async () => { throw problem('looking_up') })

  const refused = expect(whenKnown(call)).rejects.toThrow('looking_up')
  await vi.runAllTimersAsync()

  await refused
})
