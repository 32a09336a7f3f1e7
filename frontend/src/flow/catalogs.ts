/** The choice of a catalog by a person, where neither the page nor its session names one. */

import type {Flow} from './flow.js'

/** Take a catalog, and the file that did not fit another one. */
export function choose(flow: Flow, key: string): Promise<boolean> {
  const {file} = flow
  return flow.attempt(async () => {
    await flow.adopt(key)
    if (file && !flow.record) await flow.send(file)
  })
}

/** Let a person choose another catalog for the same file. */
export function leaveCatalog(flow: Flow): void {
  const {file} = flow
  flow.back.forget()
  flow.catalog = null
  flow.startOver()
  flow.file = file
}
