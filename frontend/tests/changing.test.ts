import {expect, test} from 'vitest'

import type {BulkChange} from '../src/api/outcomes.js'
import type {Flow} from '../src/flow/flow.js'
import {Changing} from '../src/review/changing.js'

const RUNNING: BulkChange = {
  changeId: 'blk_1', recordId: 'rec_1', kind: 'replace', state: 'running', stage: '', done: 0, total: 8, revision: null, cells: 0, problem: null,
}

/** A flow whose engine gives these answers, one after the other; what was asked is kept. */
function flowWith(answers: Partial<BulkChange>[], asked: string[] = []): Flow {
  const transport = {
    json: async (path: string) => {
      asked.push(path)
      return {...RUNNING, ...answers.shift()}
    },
  }
  return {
    isBusy: false,
    engine: {transport},
    attempt: (work: () => Promise<void>) => work().then(() => true, () => false),
    page: {say: (key: string, params?: object) => key + JSON.stringify(params ?? {}), requestUpdate: () => undefined},
  } as unknown as Flow
}

const shown = (changing: Changing): string => String(JSON.stringify(changing.render()))

test('a change is followed until it is over, and says what it did', async () => {
  const asked: string[] = []
  let ended = 0
  const flow = flowWith([{stage: 'changing', done: 4}, {state: 'done', revision: 2, cells: 8}], asked)
  const changing = new Changing(flow, async () => { ended += 1 }, () => undefined)

  await changing.follow(RUNNING)

  expect(asked).toEqual(Array(2).fill('imports/rec_1/rows/changes/blk_1?wait=1'))
  expect([changing.isRunning, ended]).toEqual([false, 1])
  expect(shown(changing)).toContain('change_done')
  changing.clear()
  expect(shown(changing)).not.toContain('change_done')
})

test.each([
  ['failed', 'A cell would become longer.'],
  ['cancelled', 'change_cancelled'],
] as const)('a change that was %s says so, and offers no undo', async (state, said) => {
  const problem = state === 'failed' ? {detail: said} as BulkChange['problem'] : null
  const changing = new Changing(flowWith([{state, problem}]), async () => undefined, () => undefined)

  await changing.follow(RUNNING)

  expect(shown(changing)).toContain(said)
  expect(shown(changing)).not.toContain('undo')
})

test('nothing follows a change on a screen that was left', async () => {
  let ended = 0
  const changing = new Changing(flowWith([{done: 1}]), async () => { ended += 1 }, () => undefined)
  const following = changing.follow(RUNNING)
  changing.leave()

  await following

  expect([changing.isRunning, ended]).toEqual([false, 0])
})
