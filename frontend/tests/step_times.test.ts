import {afterEach, beforeEach, expect, test, vi} from 'vitest'

import type {Flow} from '../src/flow/flow.js'
import {watch} from '../src/flow/step_times.js'
import {importStep} from '../src/widget/events.js'

const sawStep = vi.fn()
const flowOf = (about = {}): Flow => {
  const page = Object.assign(new EventTarget(), {noStepTimes: false, ...about})
  return {page, record: {}, recordId: 'rec_1', step: 'columns', engine: {sawStep}} as unknown as Flow
}
const goOn = (flow: Flow): boolean => flow.page.dispatchEvent(importStep({step: 'review', previous: 'columns'}))
const onPage = new EventTarget()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', onPage.addEventListener.bind(onPage))
  sawStep.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a step that is left is reported with its seconds, once', () => {
  const flow = flowOf()
  watch(flow)
  watch(flow) // each screen asks for it
  vi.advanceTimersByTime(4_000)

  goOn(flow)

  expect(sawStep.mock.calls).toEqual([['rec_1', {step: 'columns', seconds: 4, left: false}]])
})

test('a page that is closed reports the step that was open', () => {
  watch(flowOf())
  vi.advanceTimersByTime(2_000)

  onPage.dispatchEvent(new Event('pagehide'))

  expect(sawStep).toHaveBeenLastCalledWith('rec_1', {step: 'columns', seconds: 2, left: true})
})

test('nothing is reported of a page that turned it off, nor before there is an import', () => {
  const off = flowOf({noStepTimes: true})
  const early = flowOf()
  early.record = null
  for (const flow of [off, early]) watch(flow)
  vi.advanceTimersByTime(2_000)

  for (const flow of [off, early]) goOn(flow)

  expect(sawStep).not.toHaveBeenCalled()
})
