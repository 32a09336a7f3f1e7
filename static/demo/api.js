/** The public API, as any page may call it. */

const BASE = '/api/import/v1/'

/** A problem+json answer (RFC 9457), or a request that got no answer at all. */
export class Problem extends Error {
  constructor(body, status) {
    super(body.detail ?? body.title ?? `The engine answered ${status}.`)
    this.title = body.title ?? 'The engine refused'
    this.code = body.code ?? ''
    this.errors = body.errors ?? []
    this.status = status
  }
}

/** The tokens of the imports this page created: its key, which anybody can read, opens none. */
const TOKENS = 'import-tokens'
const tokens = () => JSON.parse(sessionStorage.getItem(TOKENS) ?? '{}')
const tokenFor = path => tokens()[/^imports\/([^/?]+)/.exec(path)?.[1]]

export class Api {
  #key

  constructor(key) {
    this.#key = key
  }

  catalogs() {
    return this.#call('GET', 'catalogs')
  }

  catalog(key) {
    return this.#call('GET', `catalogs/${encodeURIComponent(key)}`)
  }

  async createImport(file, catalogKey) {
    const form = new FormData()
    form.append('file', file, file.name)
    form.append('catalogKey', catalogKey)
    const record = await this.#call('POST', 'imports', form)
    const kept = {...tokens(), [record.recordId]: record.importToken}
    sessionStorage.setItem(TOKENS, JSON.stringify(kept))
    return record
  }

  /** Read a record; while work is running the engine may take ten seconds to answer. */
  record(recordId) {
    return this.#call('GET', `imports/${recordId}?wait=10`)
  }

  tables(recordId) {
    return this.#call('GET', `imports/${recordId}/tables`)
  }

  chooseTable(recordId, table) {
    return this.#call('PUT', `imports/${recordId}/reading`, {table})
  }

  proposal(recordId) {
    return this.#call('GET', `imports/${recordId}/mapping`)
  }

  settleMapping(recordId, mapping) {
    return this.#call('PUT', `imports/${recordId}/mapping`, {mapping})
  }

  rows(recordId, filter, limit) {
    return this.#call('POST', `imports/${recordId}/rows/query`, {view: {filter}, offset: 0, limit})
  }

  apply(recordId) {
    const body = {applyMode: 'webhook', invalidRows: 'exclude'}
    return this.#call('POST', `imports/${recordId}/apply`, body)
  }

  async #call(method, path, body) {
    const headers = {authorization: `Bearer ${this.#key}`}
    const token = tokenFor(path)
    if (token) headers['x-import-token'] = token
    const isForm = body instanceof FormData
    if (body && !isForm) headers['content-type'] = 'application/json'
    const response = await fetch(BASE + path, {
      method,
      headers,
      body: isForm || !body ? body : JSON.stringify(body),
    }).catch(() => {
      throw new Problem({title: 'No answer', detail: 'The engine cannot be reached. Is it running?'}, 0)
    })
    const answer = await response.json().catch(() => ({}))
    if (!response.ok) throw new Problem(answer, response.status)
    return answer
  }
}
