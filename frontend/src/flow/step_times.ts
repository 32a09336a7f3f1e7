/** Tell the engine how long a person saw each step, and in which one the page was closed: nothing else. */

import type {Flow} from './flow.js'
import type {Step} from './steps.js'

const watched = new WeakSet<Flow>()

/** Report the steps of an import from now on, unless the page turned that off. */
export function watch(flow: Flow): void {
  const {page} = flow
  if (page.noStepTimes || watched.has(flow)) return
  watched.add(flow)
  let since = Date.now()
  const report = (step: Step, left = false): void => {
    const seconds = (Date.now() - since) / 1000
    since = Date.now()
    if (flow.record && seconds > 0) flow.engine.sawStep(flow.recordId, {step, seconds, left})
  }
  page.addEventListener('import-step', event => report(event.detail.previous!))
  addEventListener('pagehide', () => report(flow.step, true))
}
