/** Wait for an import, and stream its rows. */

import type {Engine} from './client.js'
import type {components} from './schema.js'

export type ImportRecord = components['schemas']['ImportOut']
export type State = ImportRecord['state']
export type Row = Record<string, unknown>

/** In the other states, the engine works on the import. */
export const RESTING: readonly string[] = ['mapping', 'review', 'staged', 'applied', 'checked', 'reverted', 'failed', 'cancelled']
const LONGEST_WAIT_S = 20
const PAUSE_MS = 250 // the engine answers at once where many callers wait already

export interface Waiting {
  until?: readonly string[]
  timeoutMs?: number
  signal?: AbortSignal
}

/** Return the import once its state is one of `until`; throw after `timeoutMs`. */
export async function waitForImport(
  engine: Engine,
  recordId: string,
  {until = RESTING, timeoutMs = 600_000, signal}: Waiting = {},
): Promise<ImportRecord> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const wait = Math.max(0, Math.min(LONGEST_WAIT_S, (end - Date.now()) / 1000))
    const {data} = await engine.GET('/api/import/v1/imports/{record_id}', {
      params: {path: {record_id: recordId}, query: {wait}},
      ...(signal ? {signal} : {}),
    })
    if (data && until.includes(data.state)) return data
    if (Date.now() >= end) throw new Error(`The import is still in the state ${data?.state ?? 'unknown'}.`)
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}

/** Yield the applied rows, by field path, without holding them all in memory. */
export async function* iterateResults(engine: Engine, recordId: string): AsyncGenerator<Row> {
  const {data} = await engine.GET('/api/import/v1/imports/{record_id}/results', {
    params: {path: {record_id: recordId}, query: {stream: true}},
    parseAs: 'stream',
  })
  const reader = (data as ReadableStream<Uint8Array>).getReader()
  const text = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const {value, done} = await reader.read()
      rest += done ? text.decode() : text.decode(value, {stream: true})
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line) yield JSON.parse(line) as Row
      if (done) break
    }
    if (rest) yield JSON.parse(rest) as Row
  } finally {
    await reader.cancel()
  }
}
