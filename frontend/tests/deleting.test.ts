import {expect, test} from 'vitest'

import type {Wishes} from '../src/api/engine.js'
import type {Plan} from '../src/api/outcomes.js'
import {EngineProblem} from '../src/api/problem.js'
import type {Flow} from '../src/flow/flow.js'
import {Approval} from '../src/review/approval.js'
import {Confirmation, Deleting} from '../src/review/deleting.js'
import {wordsIn} from '../src/screens/words/words.js'

const {deletion: words} = await wordsIn('en')
const planned = (missing: number): Plan => ({entities: [{entity: 'member', missing, known: 50}, {entity: 'club', missing: 3, known: 9}]}) as unknown as Plan

/** A review in which as many members are missing as the engine says at the next look. */
function flowOf(missing = 6, more: object = {}): Flow {
  return {
    record: {state: 'review', changesetId: 'chg_1'}, recordId: 'rec_1', isBusy: false, verified: null,
    catalog: {entries: [{id: 'member', label: 'Member', fullSync: {}}, {id: 'club'}]},
    engine: {plan: async () => planned(missing)},
    attempt: async (work: () => Promise<void>) => { await work(); return true },
    page: {language: 'en', say: (key: string) => key, requestUpdate: () => undefined, format: {number: String, list: String}},
    ...more,
  } as unknown as Flow
}

async function deleting(flow: Flow, missing = 6): Promise<Deleting> {
  const made = await Deleting.of(flow)
  made.follow(planned(missing))
  return made
}

const refusal = (body: object): EngineProblem => new EngineProblem(409, {code: 'full_sync_refused', detail: 'Correct 1 row.', ...body})

test('nothing is deleted until a person chooses it, and only of entries that allow it', async () => {
  const made = await deleting(flowOf())
  expect([made.wishes, made.label('Update 1')]).toEqual([{}, 'Update 1'])
  expect(JSON.stringify(made.choice(() => undefined))).toContain('Also delete what is missing from this file: 6')

  made.choose(true)
  expect([made.wishes, made.label('Update 1')]).toEqual([{mode: 'full'}, 'Update 1, delete 6'])
})

test('there is no choice where nothing is missing, or once the rows wait for approval', async () => {
  expect((await deleting(flowOf(), 0)).choice(() => undefined)).not.toHaveProperty('values')
  const staged = flowOf(6, {record: {state: 'staged'}})
  expect((await deleting(staged)).choice(() => undefined)).not.toHaveProperty('values')
})

test('another number than the person saw is confirmed first', async () => {
  const made = await deleting(flowOf(7))
  made.choose(true)
  expect(await made.isCurrent(() => undefined)).toBe(false)
  expect(JSON.stringify(made.render())).toContain('Type 7 to confirm')
})

test('the number that the person saw needs no confirmation of its own', async () => {
  const made = await deleting(flowOf(6))
  made.choose(true)
  expect(await made.isCurrent(() => undefined)).toBe(true)
})

test('what the engine wants confirmed is shown with its numbers, and nothing is sent before', async () => {
  const wishes: Wishes[] = []
  const made = await deleting(flowOf())
  made.choose(true)

  void made.refused(refusal({code: 'missing_not_confirmed', entities: [{entity: 'member', missing: 6, known: 50}]}), more => wishes.push(more))
  const shown = JSON.stringify(made.render())

  for (const text of ['Member', '6 of 50', 'Type 6 to confirm']) expect(shown).toContain(text)
  expect(wishes).toEqual([])
})

test.each([['6', true], [' 6 ', true], ['６', true], ['7', false], ['', false], ['66', false]])('“%s” confirms 6: %s', (text, isConfirmed) => {
  const closed: boolean[] = []
  const confirmation = new Confirmation(flowOf(), words, [{entity: 'member', missing: 6, known: 50}], is => closed.push(is))
  confirmation.type(text)
  confirmation.go()
  expect(closed).toEqual(isConfirmed ? [true] : [])
})

test('a confirmation is typed again the next time', () => {
  const closed: boolean[] = []
  const confirmation = new Confirmation(flowOf(), words, [{entity: 'member', missing: 6, known: 50}], is => closed.push(is))
  confirmation.type('6')
  confirmation.go()
  confirmation.go()
  expect(closed).toEqual([true])
})

test.each([
  ['rows', 'Correct 1 row.'], ['links', 'Correct 1 row.'], ['skipped', 'Correct 1 row.'], ['underWay', 'Correct 1 row.'],
  ['catalog', words.not_here], ['webhook', words.not_here], ['browser', words.not_here],
])('a refusal because of %s says what to do', async (reason, said) => {
  const made = await deleting(flowOf())
  made.choose(true)

  await made.refused(refusal({reason}), () => undefined)
  expect(JSON.stringify(made.render())).toContain(said)
  expect(JSON.stringify(made.render())).toContain('Nothing was imported or deleted')

  made.choose(false)
  expect(made.render()).not.toHaveProperty('values')
})

test('other problems are told as ever', async () => {
  expect((await deleting(flowOf())).refused(refusal({code: 'full_sync_under_way'}), () => undefined)).toBeUndefined()
})

test('who approves sees how many are deleted, and confirms it', async () => {
  const changeset = {id: 'chg_1', awaits: 'approval', preparedBy: [], mayApprove: true, deletes: [{entity: 'member', deleted: 6, known: 50}]}
  const flow = flowOf(6, {record: {state: 'staged', changesetId: 'chg_1'}, engine: {changeset: async () => changeset}})
  const approval = await Approval.of(flow)

  expect(JSON.stringify(approval!.footer())).toContain('It also deletes what is missing from the file: 6')
  expect(JSON.stringify(approval!.footer())).not.toContain('Type 6 to confirm')
})
