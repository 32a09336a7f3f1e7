/** Open a client with a license key; what the engine refuses is thrown. */

import createClient, {type Client} from 'openapi-fetch'

import type {components, paths} from './schema.js'

export type Problem = components['schemas']['ProblemOut'] & Record<string, unknown>
export type Engine = Client<paths>

/** The engine refused a call: `code` is stable, `message` is for people, `problem` is all it said. */
export class EngineRefused extends Error {
  override name = 'EngineRefused'
  readonly code: string
  constructor(readonly status: number, readonly problem: Partial<Problem>, readonly retryAfterS: number | null) {
    super(problem.detail ?? `The engine answered ${status}.`)
    this.code = problem.code ?? ''
  }
}

export interface Connection {
  baseUrl: string
  licenseKey: string
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch
}

/** Return a client whose calls are typed by their paths. */
export function connect({baseUrl, licenseKey, fetch}: Connection): Engine {
  const engine = createClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: {Authorization: `Bearer ${licenseKey}`},
    ...(fetch ? {fetch} : {}),
  })
  engine.use({
    async onResponse({response}) {
      if (response.ok) return
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
      const problem = isProblem ? await response.json() as Problem : {detail: (await response.text()).slice(0, 500)}
      const wait = Number(response.headers.get('retry-after') ?? NaN)
      throw new EngineRefused(response.status, problem, Number.isFinite(wait) ? wait : null)
    },
  })
  return engine
}
