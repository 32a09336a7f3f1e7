/** Verify that a delivery comes from your engine. Needs only Web Crypto: Node 20, Deno, Bun, workers. */

import type {components} from './schema.js'

export type DeliveryEvent = components['schemas']['DeliveryEvent']
export type Refusal = 'malformed_signature' | 'wrong_signature' | 'stale_signature'
type Value = string | readonly string[] | null | undefined
export type HeadersLike = {get(name: string): string | null} | Readonly<Record<string, Value>>

const HEADER = 'x-import-signature'
const RAW = 'Pass the raw body: express.raw() in Express, await request.text() in Next.js, request.rawBody in Fastify and Nest.'

/** Do not use this delivery; answer 401. `code` is stable. */
export class NotVerified extends Error {
  override name = 'NotVerified'
  constructor(readonly code: Refusal, message: string) {
    super(message)
  }
}

/**
 * Return the delivery, or throw NotVerified. `secret` is the whole text that was shown, `whsec_`
 * included; several during a rotation. Members that this version does not know are kept.
 */
export async function verify(
  body: Uint8Array | string,
  headers: HeadersLike,
  secret: string | readonly string[],
  {toleranceS = 300, now = Date.now() / 1000}: {toleranceS?: number; now?: number} = {},
): Promise<DeliveryEvent> {
  const isText = typeof body === 'string'
  if (!isText && !ArrayBuffer.isView(body)) throw new TypeError(RAW)
  const header = typeof headers.get === 'function' ? headers.get(HEADER) : valueIn(headers as Readonly<Record<string, Value>>)
  const members = `${header ?? ''}`.split(',').map(part => part.trim().split('='))
  const all = (name: string): string[] => members.filter(one => one[0] === name).map(([, ...value]) => value.join('='))
  const [t = '', ...others] = all('t')
  const given = all('v1')
  if (others.length || !given.length || !/^\d{1,12}$/.test(t)) throw new NotVerified('malformed_signature', `Expected ${HEADER}: t=<unix seconds>,v1=<hex>.`)

  const text = new TextEncoder()
  const raw = isText ? text.encode(body) : body
  const start = text.encode(`${t}.`)
  const signed = new Uint8Array(start.length + raw.length)
  signed.set(start)
  signed.set(raw, start.length)
  let fits = false
  for (const one of [secret].flat()) {
    const key = await crypto.subtle.importKey('raw', text.encode(one), {name: 'HMAC', hash: 'SHA-256'}, false, ['verify'])
    for (const hex of given) {
      if (!/^[0-9a-f]{64}$/.test(hex)) continue
      const bytes = Uint8Array.from(hex.match(/../g)!, pair => parseInt(pair, 16))
      fits = await crypto.subtle.verify('HMAC', key, bytes, signed) || fits // in constant time; every pair is compared
    }
  }
  if (!fits) throw new NotVerified('wrong_signature', `The signature does not fit. Check the secret. ${RAW}`)
  const age = Math.round(now - Number(t))
  const late = age < 0 ? `${-age} seconds in the future` : `${age} seconds old`
  if (Math.abs(now - Number(t)) > toleranceS) throw new NotVerified('stale_signature', `The signature is ${late}. Check the clock of this machine.`)
  return JSON.parse(isText ? body : new TextDecoder().decode(raw)) as DeliveryEvent
}

function valueIn(headers: Readonly<Record<string, Value>>): Value {
  return headers[Object.keys(headers).find(name => name.toLowerCase() === HEADER) ?? '']
}
