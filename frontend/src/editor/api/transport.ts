/** One HTTP call of the editor: by a license key, or by the admin's session on the engine's own pages. */

import {EngineProblem, Stopped, Unreachable} from '../../api/problem.js'
import type {ProblemBody} from '../../api/shapes.js'

export interface Access {
  /** The headers that let a call in; `again` asks for a new key after one was refused. */
  headers(again: boolean, changes: boolean): Promise<Record<string, string> | null>
  /** A session sends its cookie to its own origin; a key never sends one. */
  credentials: RequestCredentials
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

export class Transport {
  language = ''
  readonly #base: string
  readonly #access: Access

  constructor(baseUrl: string, access: Access) {
    this.#base = new URL(`${baseUrl.replace(/\/+$/, '')}/api/import/v1/`, location.href).href
    this.#access = access
  }

  async json<T>(path: string, call: Call = {}): Promise<T> {
    return (await this.answer<T>(path, call)).body
  }

  async answer<T>(path: string, call: Call = {}): Promise<{body: T; etag: string | null; status: number}> {
    const response = await this.send(path, call)
    const etag = response.headers.get('etag')
    if (response.status === 204) return {body: undefined as T, etag, status: 204}
    const body = (await response.json().catch(() => {
      throw new EngineProblem(response.status, {code: 'not_json', detail: 'The answer is no JSON.'})
    })) as T
    return {body, etag, status: response.status}
  }

  async send(path: string, call: Call = {}): Promise<Response> {
    const changes = (call.method ?? 'GET') !== 'GET'
    const response = await this.#once(path, call, await this.#access.headers(false, changes))
    if (response.ok) return response
    if (response.status === 401) {
      const renewed = await this.#access.headers(true, changes)
      const second = renewed && (await this.#once(path, call, renewed))
      if (second?.ok) return second
    }
    const problem = (await response.json().catch(() => ({}))) as ProblemBody
    throw new EngineProblem(response.status, problem)
  }

  async #once(path: string, call: Call, access: Record<string, string> | null): Promise<Response> {
    const headers: Record<string, string> = {...call.headers, ...access}
    if (this.language) headers['accept-language'] = this.language
    const isForm = call.body instanceof FormData
    if (call.body !== undefined && !isForm) headers['content-type'] = 'application/json'
    const body = call.body === undefined ? null : isForm || typeof call.body === 'string' ? (call.body as BodyInit) : JSON.stringify(call.body)
    try {
      return await fetch(new URL(path, this.#base), {
        method: call.method ?? 'GET', headers, body, signal: call.signal ?? null,
        credentials: this.#access.credentials, referrerPolicy: 'same-origin', cache: 'no-store',
      })
    } catch {
      if (call.signal?.aborted) throw new Stopped()
      throw new Unreachable(navigator.onLine ? 'unreachable' : 'offline')
    }
  }
}

export const byKey = (key: (again: boolean) => Promise<string>): Access => ({
  credentials: 'omit',
  headers: async again => {
    const given = await key(again)
    return again && !given ? null : {authorization: `Bearer ${given}`}
  },
})

/** Django checks the token against this cookie, so it is read again for each call. */
export const bySession = (tenant: string): Access => ({
  credentials: 'same-origin', // lint: allowed, for the pages of the engine itself
  headers: async (again, changes) => {
    if (again) return null
    const token = /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    return {'x-import-tenant': tenant, ...(changes ? {'x-csrftoken': token} : {})}
  },
})
