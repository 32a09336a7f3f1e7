/**
 * What can go wrong between the page and the engine, as one tree:
 *
 *   EngineProblem       the engine answered, and refused
 *   Unreachable         no answer: offline, the host's CSP, CORS, or the engine is away
 *   Stopped             the person or the page stopped the call
 */

import type {ProblemBody} from './shapes.js'

export type ProblemKind =
  | 'key' | 'expired' | 'origin' | 'forbidden' | 'gone' | 'catalog' | 'too_large' | 'empty' | 'busy'
  | 'conflict' | 'refused' | 'engine' | 'misused' | 'not_taken'

const KINDS: Record<string, ProblemKind> = {
  too_large: 'too_large',
  empty_file: 'empty',
  license_expired: 'expired',
  session_ended: 'expired',
  origin_not_allowed: 'origin',
  unknown_catalog: 'catalog',
  no_catalog: 'catalog',
  several_catalogs: 'catalog',
  unknown_apply_mode: 'misused',
  no_on_results: 'misused',
  results_not_taken: 'not_taken',
}
const BY_STATUS: Record<number, ProblemKind> = {
  401: 'key', 403: 'forbidden', 404: 'gone', 409: 'conflict', 410: 'gone', 413: 'too_large', 429: 'busy',
}

export class EngineProblem extends Error {
  readonly status: number
  readonly code: string
  readonly body: ProblemBody

  constructor(status: number, body: ProblemBody) {
    super(body.detail ?? body.title ?? `The engine answered ${status}.`)
    this.status = status
    this.code = body.code ?? ''
    this.body = body
  }

  get kind(): ProblemKind {
    return KINDS[this.code] ?? BY_STATUS[this.status] ?? (this.status >= 500 ? 'engine' : 'refused')
  }

  /** Whether the same call may work later. */
  get isRetryable(): boolean {
    return this.status === 429 || this.status >= 500
  }
}

export class Unreachable extends Error {
  readonly code: 'offline' | 'blocked_by_policy' | 'unreachable'
  readonly isRetryable = true

  constructor(code: Unreachable['code']) {
    super('The import service did not answer.')
    this.code = code
  }
}

/** Wait for a part of the element; one that does not come is told like an engine that does not answer. */
export const loaded = <T>(part: Promise<T>): Promise<T> =>
  part.catch(() => { throw new Unreachable(navigator.onLine ? 'unreachable' : 'offline') })

export class Stopped extends Error {}

export type Trouble = EngineProblem | Unreachable

export const isTrouble = (error: unknown): error is Trouble =>
  error instanceof EngineProblem || error instanceof Unreachable
