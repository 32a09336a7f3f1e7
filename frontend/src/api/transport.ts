/** One HTTP call to the engine: keys in headers only, no cookies, no referrer, problems typed. */

import {EngineProblem, Stopped, Unreachable} from './problem.js'
import type {ProblemBody} from './shapes.js'

export interface Credentials {
  /** The key, or a short-lived one; `again` asks for a new one after it was refused. */
  key(again: boolean): Promise<string>
  /** The token of an import that this page made. */
  token(recordId: string): string | undefined
  /** What the engine's sentences are asked in. */
  language(): string
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Of a POST that only reads, and so may be sent again. */
  reads?: boolean
  /** Whether it is sent also when the page is closed meanwhile. */
  keepalive?: boolean
}

const RETRY_WAITS_MS = [300, 1000, 2500]
const LONGEST_WAIT_MS = 15_000

export class Transport {
  readonly base: string
  readonly #credentials: Credentials

  constructor(baseUrl: string, credentials: Credentials) {
    this.base = `${baseUrl.replace(/\/+$/, '')}/api/import/v1/`
    this.#credentials = credentials
  }

  async json<T>(path: string, call: Call = {}): Promise<T> {
    const response = await this.send(path, call)
    if (response.status === 204) return undefined as T
    return (await response.json().catch(() => {
      throw new EngineProblem(response.status, {code: 'not_json', detail: 'The answer is no JSON.'})
    })) as T
  }

  /** Every item of a list, of which `path` names a page's limit; a page may end before it has so many. */
  async all<T>(path: string): Promise<T[]> {
    const items: T[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: {items: T[]; next: string | null} = await this.json(path + (cursor && `&cursor=${encodeURIComponent(cursor)}`))
      items.push(...page.items)
      cursor = page.next
    }
    return items
  }

  /** Send a call; GETs and calls that only read are sent again when there was no usable answer. */
  async send(path: string, call: Call = {}): Promise<Response> {
    const waits = (call.method ?? 'GET') === 'GET' || call.reads ? [...RETRY_WAITS_MS] : []
    for (;;) {
      try {
        return await this.#authorised(path, call)
      } catch (error) {
        const wait = waits.shift()
        const isTransient = error instanceof Unreachable || (error instanceof EngineProblem && error.isRetryable)
        if (wait === undefined || !isTransient) throw error
        const asked = error instanceof EngineProblem ? Number(error.body['retryAfter'] ?? 0) * 1000 : 0
        await pause(Math.min(LONGEST_WAIT_MS, Math.max(wait, asked)), call.signal)
      }
    }
  }

  async #authorised(path: string, call: Call): Promise<Response> {
    try {
      return await this.#once(path, call, await this.#credentials.key(false))
    } catch (error) {
      if (!(error instanceof EngineProblem) || error.status !== 401) throw error
      const key = await this.#credentials.key(true)
      if (!key) throw error
      return await this.#once(path, call, key)
    }
  }

  async #once(path: string, call: Call, key: string): Promise<Response> {
    const recordId = /^imports\/([^/?]+)/.exec(path)?.[1] ?? call.headers?.['x-for-import']
    const token = recordId === undefined ? undefined : this.#credentials.token(recordId)
    const headers: Record<string, string> = {
      ...call.headers, authorization: `Bearer ${key}`, 'accept-language': this.#credentials.language(),
    }
    delete headers['x-for-import']
    if (token) headers['x-import-token'] = token
    const isRaw = call.body instanceof FormData || call.body instanceof Blob
    if (call.body !== undefined && !isRaw) headers['content-type'] = 'application/json'
    const response = await this.fetched(path, {
      method: call.method ?? 'GET',
      headers,
      body: call.body === undefined ? null : isRaw ? (call.body as BodyInit) : JSON.stringify(call.body),
      signal: call.signal ?? null,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      keepalive: !!call.keepalive,
    })
    if (response.ok) return response
    throw await problemOf(response)
  }

  protected async fetched(path: string, init: RequestInit): Promise<Response> {
    const address = new URL(path, this.base)
    let isBlocked = false
    const note = (event: SecurityPolicyViolationEvent): void => {
      if (event.blockedURI.startsWith(address.origin)) isBlocked = true
    }
    document.addEventListener('securitypolicyviolation', note)
    try {
      return await fetch(address, init)
    } catch (error) {
      if (init.signal?.aborted) throw new Stopped()
      await pause(0) // the violation event comes after the rejection
      const code = isBlocked ? 'blocked_by_policy' : navigator.onLine ? 'unreachable' : 'offline'
      if (code !== 'offline') explain(code, address.origin)
      throw new Unreachable(code)
    } finally {
      document.removeEventListener('securitypolicyviolation', note)
    }
  }
}

/** Tell the developer in the console what the browser does not tell the page. */
function explain(code: string, origin: string): void {
  const advice = code === 'blocked_by_policy'
    ? `Add ${origin} to connect-src of this page's Content-Security-Policy.`
    : `Is ${origin} running, and does IMPORT_ALLOWED_ORIGINS name ${location.origin}?`
  console.warn(`Import engine: no answer from ${origin}. ${advice}`)
}

async function problemOf(response: Response): Promise<EngineProblem> {
  const body = (await response.json().catch(() => ({}))) as ProblemBody
  const after = response.headers.get('retry-after')
  return new EngineProblem(response.status, after ? {...body, retryAfter: after} : body)
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new Stopped())
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Stopped())
    }, {once: true})
  })
}
