/** Calls by the session of the admin, on the engine's own pages: a cookie and its token in place of a key. */

import {Transport, type Credentials} from '../../api/transport.js'

export class SessionTransport extends Transport {
  readonly #tenant: string

  constructor(baseUrl: string, tenant: string, language: Credentials['language']) {
    super(baseUrl, {key: async () => '', token: () => undefined, language})
    this.#tenant = tenant
  }

  /** Django checks the token against this cookie, so it is read again for each call. */
  protected override fetched(path: string, init: RequestInit): Promise<Response> {
    const {authorization: _, ...headers} = init.headers as Record<string, string>
    const token = /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    return super.fetched(path, {
      ...init,
      headers: {...headers, 'x-import-tenant': this.#tenant, ...(init.method === 'GET' ? {} : {'x-csrftoken': token})},
      credentials: 'same-origin', // lint: allowed, for the pages of the engine itself
      referrerPolicy: 'same-origin',
    })
  }
}
