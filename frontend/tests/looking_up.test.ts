import {afterEach, beforeEach, expect, test, vi} from 'vitest'

import {Transport} from '../src/api/transport.js'

const credentials = {key: async () => 'k', token: () => undefined, language: () => 'en'}
const answer = (status: number, body: unknown): Response => new Response(JSON.stringify(body), {status})

class Answering extends Transport {
  sent = 0
  constructor(readonly answers: Response[]) { super('http://engine.example', credentials) }
  protected override async fetched(): Promise<Response> { return this.answers[this.sent++]! }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a call is sent again while the engine asks a receiver what it knows', async () => {
  const refused = {code: 'looking_up'}
  const transport = new Answering([...Array.from({length: 5}, () => answer(409, refused)), answer(202, {state: 'applying'})])

  const applied = transport.json('imports/rec_1/apply', {method: 'POST'})
  await vi.runAllTimersAsync()

  expect(await applied).toEqual({state: 'applying'})
  expect(transport.sent).toBe(6)
})

test('another conflict is not repeated', async () => {
  const transport = new Answering([answer(409, {code: 'lookup_failed', detail: 'Webshop did not answer.'})])

  await expect(transport.json('imports/rec_1/plan')).rejects.toThrow('Webshop did not answer.')
  expect(transport.sent).toBe(1)
})
