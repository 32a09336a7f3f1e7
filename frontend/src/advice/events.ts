/** What the page hears of its advice: made here, since most pages give none. */

import type {RefusedCell} from '../api/shapes.js'
import type {Reason} from './answer.js'

function event<T>(name: string, detail: T): CustomEvent<T> {
  return new CustomEvent(name, {bubbles: true, composed: true, detail})
}

export const importRowsRefused = (detail: {refused: RefusedCell[]}) => event('import-rows-refused', detail)
export const importRowsFailed = (detail: {reason: Reason; message: string}) => event('import-rows-failed', detail)
