// Take deliveries with Express: verify, store once, answer. See docs/webhooks.md.
import {createHmac, randomUUID, timingSafeEqual} from 'node:crypto'
import {link, unlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import express from 'express'

const TOLERANCE_S = 300
const secret = process.env.IMPORT_SIGNING_SECRET
const inbox = process.env.INBOX

/** Say whether a body is from the engine and fresh. header: x-import-signature, body: Buffer. */
function isGenuine(header, body) {
  const parts = header.split(',').map((part) => part.split('='))
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value)
  if (times.length !== 1 || !/^[0-9]{1,12}$/.test(times[0])) return false
  if (Math.abs(Date.now() / 1000 - Number(times[0])) > TOLERANCE_S) return false
  const expected = createHmac('sha256', secret).update(`${times[0]}.`).update(body).digest()
  return parts
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/.test(value))
    .map(([, value]) => timingSafeEqual(Buffer.from(value, 'hex'), expected))
    .includes(true)
}

/** Store a delivery whole and once; false when it was there. A database would use a unique key. */
async function store(deliveryId, body) {
  const draft = join(inbox, `.${randomUUID()}`)
  await writeFile(draft, body, {flush: true})
  try {
    await link(draft, join(inbox, `${deliveryId}.json`)) // fails when the name exists
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(draft)
  }
}

const app = express()
app.post('/apply', express.raw({type: () => true, limit: '64mb'}), async (request, response) => {
  const body = request.body // a Buffer: the raw bytes, before anything parses them
  if (!Buffer.isBuffer(body) || !isGenuine(request.get('x-import-signature') ?? '', body)) {
    return response.status(401).send('not genuine')
  }
  const {deliveryId} = JSON.parse(body.toString('utf8'))
  if (!/^dlv_[0-9a-z]+$/.test(deliveryId)) return response.status(400).send('no delivery id')
  response.send((await store(deliveryId, body)) ? 'stored' : 'seen')
})
app.listen(Number(process.env.PORT), '127.0.0.1')
