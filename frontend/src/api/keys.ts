/** The key of each call: the one the page gave, or what its `fetchKey` gives. */

import {EngineProblem} from './problem.js'

export interface KeySource {
  fetchKey: (() => Promise<string>) | null
  licenseKey: string
}

/** How an element declares it: a page that renders creates the function again, which restarts nothing. */
export const FETCH_KEY = {
  attribute: false,
  hasChanged: (now: unknown, before: unknown): boolean => !now !== !before,
}

export class Keys {
  readonly #source: KeySource
  #fetched = ''
  #fetchedBy: KeySource['fetchKey'] = null

  constructor(source: KeySource) {
    this.#source = source
  }

  /** Give the key; `again`: the last one was refused. What another `fetchKey` gave belongs to another session. */
  async key(again: boolean): Promise<string> {
    const {fetchKey, licenseKey} = this.#source
    if (!fetchKey) return again ? '' : licenseKey
    if (!again && this.#fetched && this.#fetchedBy === fetchKey) return this.#fetched
    try {
      this.#fetched = await fetchKey.call(this.#source)
    } catch (error) {
      throw new EngineProblem(401, {code: 'session_ended', detail: String(error)})
    }
    this.#fetchedBy = fetchKey
    return this.#fetched
  }
}
