/** The calls of the editor, one method each. */

import type {Catalog, JsonObject} from '../model/catalog.js'
import type {Answer} from '../../api/shapes.js'
import {EngineProblem} from '../../api/problem.js'
import type {Transport} from '../../api/transport.js'
import type {Changes, CheckedVersion, ContractWish, Impact, Inferred, IssuedContract, KeptTest, Overview, Profile, Tested, Version} from './shapes.js'

const enc = encodeURIComponent
/** A text that is sent byte for byte. */
const json = (text: string): Blob => new Blob([text], {type: 'application/json'})

export interface Read {
  document: Catalog
  /** Byte for byte as the engine keeps it. */
  text: string
  etag: string | null
}

export interface Saved {
  version: CheckedVersion
  etag: string | null
}

export class Engine {
  readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  entitlements(): Promise<Answer<'verifyLicense'>> {
    return this.transport.json('license/verify')
  }

  overview(): Promise<Overview[]> {
    return this.transport.all('catalogs/overview?limit=200')
  }

  async published(key: string): Promise<Read> {
    return this.#read(`catalogs/${enc(key)}`)
  }

  async draft(key: string): Promise<Read> {
    return this.#read(`catalogs/${enc(key)}/draft`)
  }

  async version(key: string, number: number): Promise<Read> {
    return this.#read(`catalogs/${enc(key)}/versions/${number}`)
  }

  versions(key: string): Promise<Version[]> {
    return this.transport.all(`catalogs/${enc(key)}/versions?limit=200`)
  }

  /** Save a draft over the one that was edited; `null`: there must be none yet. */
  async save(key: string, text: string, edited: string | null): Promise<Saved> {
    const headers: Record<string, string> = edited === null ? {'if-none-match': '*'} : {'if-match': edited}
    const response = await this.transport.send(`catalogs/${enc(key)}/draft`, {method: 'PUT', body: json(text), headers})
    return {version: await response.json() as CheckedVersion, etag: response.headers.get('etag')}
  }

  publish(key: string, note: string, edited: string | null, confirm: string[]): Promise<CheckedVersion> {
    const headers: Record<string, string> = edited === null ? {} : {'if-match': edited}
    return this.transport.json(`catalogs/${enc(key)}/publish`, {method: 'POST', body: {note, confirm}, headers})
  }

  retire(key: string): Promise<Version> {
    return this.transport.json(`catalogs/${enc(key)}/retire`, {method: 'POST', body: {}})
  }

  restore(key: string, number: number, edited: string | null): Promise<CheckedVersion> {
    const headers: Record<string, string> = edited === null ? {'if-none-match': '*'} : {'if-match': edited}
    return this.transport.json(`catalogs/${enc(key)}/versions/${number}/restore`, {method: 'POST', headers})
  }

  fromContract(key: string, bundle: string): Promise<CheckedVersion> {
    const headers = {'if-none-match': '*'}
    return this.transport.json(`catalogs/${enc(key)}/draft/contract`, {method: 'PUT', body: json(bundle), headers})
  }

  changes(key: string, from: number | 'published', to: number | 'draft'): Promise<Changes> {
    return this.transport.json(`catalogs/${enc(key)}/changes?from=${from}&to=${to}`)
  }

  impact(key: string, wait = 0): Promise<Impact> {
    return this.transport.json(`catalogs/${enc(key)}/draft/impact${wait ? `?wait=${wait}` : ''}`)
  }

  /** Have the newest rows checked against the draft; the impact holds the result. */
  lookAtRows(key: string): Promise<unknown> {
    return this.transport.json(`catalogs/${enc(key)}/draft/impact`, {method: 'POST'})
  }

  /** The file that people get as the template; null: the engine makes one. */
  async sample(key: string): Promise<Blob | null> {
    try {
      return await (await this.transport.send(`catalogs/${enc(key)}/sample`)).blob()
    } catch (error) {
      if (error instanceof EngineProblem && error.status === 404) return null
      throw error
    }
  }

  saveSample(key: string, file: File): Promise<unknown> {
    const body = new FormData()
    body.append('file', file, file.name)
    return this.transport.json(`catalogs/${enc(key)}/sample`, {method: 'PUT', body})
  }

  deleteSample(key: string): Promise<unknown> {
    return this.transport.json(`catalogs/${enc(key)}/sample`, {method: 'DELETE'})
  }

  infer(file: File): Promise<Inferred> {
    const body = new FormData()
    body.append('file', file, file.name)
    return this.transport.json('catalogs/infer', {method: 'POST', body})
  }

  inferred(recordId: string, wait: number): Promise<Inferred> {
    return this.transport.json(`catalogs/infer/${recordId}?wait=${wait}`)
  }

  convert(jsonSchema: unknown): Promise<Omit<Answer<'convertCatalog'>, 'catalog'> & {catalog: Catalog}> {
    return this.transport.json('catalogs/convert', {method: 'POST', body: {jsonSchema}})
  }

  /** The headers that users confirmed for a field, and that the catalog does not name yet. */
  async confirmedNames(key: string, field: string): Promise<Answer<'listConfirmedNames'>['items']> {
    return (await this.transport.json<Answer<'listConfirmedNames'>>(`catalogs/${enc(key)}/names?field=${enc(field)}`)).items
  }

  /** The names of the entities that are known, the first page of them. */
  async knownNames(): Promise<string[]> {
    return (await this.transport.json<Answer<'references_names'>>('references?limit=500')).items.map(item => item.entity)
  }

  /** How many values of each column of a sample a detector recognises. */
  async detect(recordId: string, detector: JsonObject): Promise<Answer<'detectColumns'>['columns']> {
    const body = {recordId, detector}
    return (await this.transport.json<Answer<'detectColumns'>>('catalogs/detect', {method: 'POST', body})).columns
  }

  /** What hosts receive, as a JSON Schema: of the published version, else of the newest. */
  async jsonSchema(key: string): Promise<Blob> {
    return (await this.transport.send(`catalogs/${enc(key)}/export?format=json-schema`)).blob()
  }

  profiles(): Promise<Profile[]> {
    return this.transport.all('profiles?limit=200')
  }

  signContract(wish: ContractWish): Promise<IssuedContract> {
    return this.transport.json('contracts', {method: 'POST', body: wish})
  }

  async bundle(contractId: string): Promise<Blob> {
    return (await this.transport.send(`contracts/${enc(contractId)}`)).blob()
  }

  testDraft(key: string, file: File): Promise<{recordId: string}> {
    const body = new FormData()
    body.append('file', file, file.name)
    return this.transport.json(`catalogs/${enc(key)}/draft/test`, {method: 'POST', body})
  }

  tested(key: string, recordId: string, wait: number): Promise<Tested> {
    return this.transport.json(`catalogs/${enc(key)}/draft/test/${recordId}?wait=${wait}`)
  }

  /** The kept test files; waits for those that run. */
  async keptTests(key: string, wait = 0): Promise<KeptTest[]> {
    return (await this.transport.json<Answer<'listKeptTests'>>(`catalogs/${enc(key)}/tests?wait=${wait}`)).items
  }

  keepTest(key: string, recordId: string, name: string): Promise<unknown> {
    return this.transport.json(`catalogs/${enc(key)}/tests`, {method: 'POST', body: {recordId, name}})
  }

  runTests(key: string): Promise<unknown> {
    return this.transport.json(`catalogs/${enc(key)}/tests/run`, {method: 'POST', body: {}})
  }

  expectTest(key: string, id: string, expected: unknown): Promise<unknown> {
    return this.transport.json(`catalogs/${enc(key)}/tests/${enc(id)}`, {method: 'PUT', body: {expected}})
  }

  dropTest(key: string, id: string): Promise<unknown> {
    return this.transport.json(`catalogs/${enc(key)}/tests/${enc(id)}`, {method: 'DELETE'})
  }

  contracts(): Promise<IssuedContract[]> {
    return this.transport.all('contracts?limit=200')
  }

  async #read(path: string): Promise<Read> {
    const response = await this.transport.send(path)
    const text = await response.text()
    return {document: JSON.parse(text) as Catalog, text, etag: response.headers.get('etag')}
  }
}
