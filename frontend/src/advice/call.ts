/** Calls the page's function with one page of rows: within its time, and with copies of the rows. */

import type {Row} from '../api/shapes.js'
import type {OnRows, PageRow} from '../flow/page.js'
import {Stopped} from '../api/problem.js'
import {readAnswer, Unusable, type Advice} from './answer.js'

export const LIMIT_MS = 10_000

/** A row as the page gets it: a frozen copy. A text that is cut is left out, since the rest of it is not here. */
export function pageRow({row, values, issues, cut = []}: Row): PageRow {
  const whole = Object.entries(values).filter(([field]) => !cut.includes(field))
  const errors = issues.flatMap(({field, severity}) => (severity === 'error' && field !== null ? [field] : []))
  const copied = whole.map(([field, value]) => [field, Array.isArray(value) ? Object.freeze([...value]) : value])
  return Object.freeze({row, values: Object.freeze(Object.fromEntries(copied)), errors: Object.freeze([...new Set(errors)])}) as PageRow
}

export interface About {
  recordId: string
  catalogKey: string
  /** What the page may name. */
  fields: ReadonlySet<string>
}

/** Return what the page says of some rows. Throw Unusable if that cannot be used, Stopped if it is no longer wanted. */
export async function advised(onRows: OnRows, rows: readonly Row[], {recordId, catalogKey, fields}: About, stop: AbortSignal): Promise<Advice> {
  const controller = new AbortController()
  const {signal} = controller
  const given = Object.freeze(rows.map(pageRow))
  const answer = await new Promise<unknown>((resolve, reject) => {
    const end = (error: Error): void => {
      reject(error)
      controller.abort(error)
    }
    const timer = setTimeout(() => end(new Unusable('timed_out', `it took longer than ${LIMIT_MS / 1000} seconds`)), LIMIT_MS)
    const stopped = (): void => end(new Stopped())
    stop.addEventListener('abort', stopped)
    signal.addEventListener('abort', () => { clearTimeout(timer); stop.removeEventListener('abort', stopped) })
    // Inside a promise: what it throws at once is a rejection like the others.
    new Promise(returned => { returned(onRows(given, {recordId, catalogKey, signal})) }).then(resolve, (error: unknown) => reject(threw(error)))
  }).finally(() => controller.abort())
  try {
    return readAnswer(answer, new Set(given.map(({row}) => row)), fields)
  } catch (error) {
    throw error instanceof Unusable ? error : threw(error) // a member may be a getter that throws
  }
}

function threw(error: unknown): Unusable {
  const unusable = new Unusable('threw', 'it failed')
  unusable.cause = error
  return unusable
}
