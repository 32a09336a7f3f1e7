import {expect, test} from 'vitest'

import {awaited, mayDiscard} from '../src/review/awaited.js'
import {TakingBack} from '../src/screens/taking_back.js'
import {Format} from '../src/ui/format.js'

const page = {say: (key: string, params?: object) => [key, ...Object.values(params ?? {})].join(' '), format: new Format('en')}
const person = (label: string) => ({kind: 'person' as const, id: label || 'ses_1', label})

test('what an import waits for is said with the names of those who prepared it', () => {
  const people = [person('Ada'), person('Bob')]

  expect(awaited({awaits: 'secondPerson', preparedBy: people}, page)).toBe('awaits_second prepared_by Ada and Bob')
  expect(awaited({awaits: 'revert', preparedBy: people.slice(0, 1)}, page)).toBe('awaits_revert prepared_by Ada')
})

test('a person without a name is not named, and nothing is said of what waits for nothing', () => {
  expect(awaited({awaits: 'approval', preparedBy: [person('')]}, page)).toBe('awaits_approval')
  expect(awaited({awaits: null, preparedBy: [person('Ada')]}, page)).toBe('')
})

test('a session discards with its right, and a key always', () => {
  const may = (rights?: string[]) => mayDiscard({verified: rights ? {rights} : {}} as never)

  expect([may(), may([]), may(['release'])]).toEqual([true, false, true])
})

test('who may revert and not release withdraws the request to revert', () => {
  const flow = {page: {...page, requestUpdate: () => undefined}, isBusy: false, verified: {rights: ['revert']}, record: {}} as unknown as ConstructorParameters<typeof TakingBack>[0]
  const changeset = {awaits: 'revert', preparedBy: [person('Ada')], mayApprove: false, counts: {imported: 2}, receivers: []} as never

  const shown = JSON.stringify(new TakingBack(flow, () => undefined).render(changeset, false, async () => true, () => undefined))

  expect(shown).toContain('"keep"')
  expect(shown).not.toContain('revert_n')
})
