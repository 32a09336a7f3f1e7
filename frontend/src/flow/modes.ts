/** Who receives the rows: what the page says of it is checked before anything is sent. */

import {EngineProblem} from '../api/problem.js'
import type {Verified} from '../api/shapes.js'
import type {Flow} from './flow.js'

const MODES = ['webhook', 'browser']

/** Refuse mistakes of the page's developer; the error also appears in the console. */
export function misused(code: string, detail: string): EngineProblem {
  console.error(`<service-import>: ${detail}`)
  return new EngineProblem(0, {code, detail})
}

/** Ask whether the key is accepted; a mode that does not exist is refused before. */
export async function verified({page, engine}: Flow): Promise<Verified> {
  if (!MODES.includes(page.applyMode)) throw misused('unknown_apply_mode', page.say('mode_detail', {mode: String(page.applyMode)}))
  return engine.verify()
}
