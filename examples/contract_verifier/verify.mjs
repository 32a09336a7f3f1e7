// Verify a portable contract: node verify.mjs BUNDLE.json JWKS.json
// Needs Node 18 or newer and nothing else. Exit 0 authentic and in force, 1 refused, 2 unreadable.
import {createHash, createPublicKey, verify} from 'node:crypto'
import {readFileSync} from 'node:fs'

class Refused extends Error {}

const demand = (condition, reason) => {
  if (!condition) throw new Refused(reason)
}

// RFC 8785: members sorted by UTF-16 code units, numbers and texts as ECMAScript writes them.
const canonical = value => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value).sort().map(name => `${JSON.stringify(name)}:${canonical(value[name])}`)
  return `{${members.join()}}`
}

const membersIn = value =>
  value === null || typeof value !== 'object' ? 0
    : Object.values(value).reduce((sum, one) => sum + membersIn(one), Array.isArray(value) ? 0 : Object.keys(value).length)

// JSON.parse keeps the last of two members of one name and rounds large integers, both in silence.
const parse = bytes => {
  const text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes)
  const value = JSON.parse(text)
  const tokens = text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d[\d.eE+-]*/g) ?? []
  const names = tokens.filter(token => token.startsWith('"') && token.endsWith(':'))
  const integers = tokens.filter(token => /^-?\d+$/.test(token))
  demand(names.length === membersIn(value), 'a member is written twice')
  demand(integers.every(digits => Number.isSafeInteger(Number(digits))), 'an integer beyond 2^53-1')
  return value
}

const base64url = text => {
  const bytes = Buffer.from(text, 'base64url')
  demand(bytes.toString('base64url') === text, 'no canonical base64url')
  return bytes
}

const only = (value, ...names) => Object.keys(value).sort().join() === names.sort().join()

export const verifyBundle = (bundleBytes, jwks, now = Date.now()) => {
  const {contract, signature, keyId, ...rest} = parse(bundleBytes)
  demand(contract && signature && only(rest) && only(signature, 'protected', 'signature'), 'unknown members')
  const {id, ...content} = contract
  demand(contract.contractVersion === 1, 'another version')
  demand(id === `sha256:${createHash('sha256').update(canonical(content)).digest('hex')}`, 'the id is not that of the content')
  const header = parse(base64url(signature.protected))
  demand(only(header, 'alg', 'kid', 'typ') && header.alg === 'ES256' && header.typ === 'import-contract+jws', 'another header')
  demand(header.kid === keyId && contract.issuer?.keyId === keyId, 'the key is named in two ways')
  const keys = jwks.keys.filter(key => key.kid === keyId && key.kty === 'EC' && key.crv === 'P-256')
  demand(keys.length === 1, 'the key is not known')
  const signed = `${signature.protected}.${Buffer.from(canonical(contract)).toString('base64url')}`
  const key = {key: createPublicKey({key: keys[0], format: 'jwk'}), dsaEncoding: 'ieee-p1363'}
  demand(verify('sha256', Buffer.from(signed), key, base64url(signature.signature)), 'the signature does not fit')
  demand(contract.expiresAt === undefined || Date.parse(contract.expiresAt) > now, 'expired')
  return contract
}

const [bundle, jwks] = process.argv.slice(2)
try {
  const {title, issuer} = verifyBundle(readFileSync(bundle), JSON.parse(readFileSync(jwks, 'utf8')))
  console.log(`verified: ${title}, of ${issuer.tenant}`)
} catch (error) {
  console.error(`not verified: ${error.message}`)
  process.exitCode = error instanceof Refused ? 1 : 2
}
