import {beforeEach, expect, test} from 'vitest'

import {firstChoices, isComplete, shownFields, type Group} from '../src/duplicates/groups.js'
import {DuplicatesPanel} from '../src/duplicates/panel.js'
import {en, words} from '../src/duplicates/words.js'
import type {Flow} from '../src/flow/flow.js'
import {LANGUAGES} from '../src/messages/catalogue.js'
import {wrongWith} from './forms.js'

const GROUP: Group = {
  fields: ['p.name'], rows: [3, 7], count: 2, tooLarge: false, differs: ['p.name', 'p.phone'],
  samples: [{row: 3, values: {'p.name': 'Ada', 'p.phone': null}}, {row: 7, values: {'p.name': 'Adda', 'p.phone': '1'}}],
}
const FIELDS = [{path: 'p.name', label: 'Name', columnType: 'string'}, {path: 'p.phone', label: 'Phone', columnType: 'string'}, {path: 'p.since', label: 'Since', columnType: 'date'}]

let calls: {path: string; body?: unknown}[]
let undone: number
let groups: Group[]
beforeEach(() => { calls = []; undone = 0; groups = [GROUP] })

function panelOf(rights = ['exclude', 'fix'], fields: object[] = FIELDS): DuplicatesPanel {
  const record = {revision: 4, counts: {excluded: 0}}
  const flow = {
    record, recordId: 'rec_1', isBusy: false, fields,
    may: (right: string) => rights.includes(right),
    fieldAt: (path: string) => FIELDS.find(field => field.path === path),
    attempt: async (work: () => Promise<void>) => { await work(); return true },
    engine: {transport: {json: async (path: string, call?: {body: unknown}) => {
      calls.push(call ? {path, body: call.body} : {path})
      return {revision: 4, groups: groups.length, items: groups, next: null}
    }}},
    page: {language: 'en', say: (key: string) => key, requestUpdate: () => undefined, format: {number: String, locale: 'en'}},
  } as unknown as Flow
  return new DuplicatesPanel(flow, {
    make: async (work, _, after) => { await work('rec_1', 4); record.counts.excluded = 1; await after() },
    undo: async () => { undone += 1 },
  })
}

/** A template as text, and the functions in it that a button calls, by their text. */
function rendered(panel: DuplicatesPanel): {text: string; click(label: string): Promise<void>} {
  const template = panel.render() as unknown
  const click = async (label: string): Promise<void> => {
    const act = actOf(template, label)
    if (!act) throw new Error(`no button ${label}`)
    act(new Event('click'))
    await new Promise(done => setTimeout(done))
  }
  return {text: JSON.stringify(template), click}
}

function actOf(part: unknown, label: string): ((event: Event) => void) | undefined {
  if (Array.isArray(part)) return part.map(item => actOf(item, label)).find(Boolean)
  const {values, strings} = (part ?? {}) as {values?: unknown[]; strings?: string[]}
  if (!values) return undefined
  if (strings?.[0]?.trim().startsWith('<button') && values.includes(label)) return values.find(value => typeof value === 'function') as never
  return actOf(values, label)
}

test('a group shows the compared fields, then those that differ', () => {
  expect(shownFields({...GROUP, fields: ['p.city', 'p.name']})).toEqual(['p.city', 'p.name', 'p.phone'])
})

test('each differing field takes the first value there is', () => {
  expect(firstChoices(GROUP)).toEqual({'p.name': 3, 'p.phone': 7})
})

test.each([['unique', [], true], ['fields', [], false], ['near', [], false], ['near', ['a'], true]] as const)('%s by %j can be looked for: %s', (by, fields, expected) => {
  expect(isComplete({by, fields, threshold: 0.9})).toBe(expected)
})

test('it opens with the groups of the unique rules, and marks the cells that differ', async () => {
  const panel = panelOf()
  await panel.open()

  expect(calls.map(({path}) => path)).toEqual(['imports/rec_1/duplicates?cursor=0&limit=20&samples=8&by=unique'])
  const {text} = rendered(panel)
  for (const said of ['Group 1: 2 rows', 'Row 4', 'Adda', 'differs', 'Groups: 1']) expect(text).toContain(said)
})

test.each([
  ['Keep the first', {keep: 'first'}],
  ['Keep the newest', {keep: 'newest', newestBy: 'p.since'}],
  ['Keep all', {keep: 'all'}],
])('“%s” resolves one group, and looks again', async (label, wish) => {
  const panel = panelOf()
  await panel.open()

  await rendered(panel).click(label)

  expect(calls[1]).toEqual({path: 'imports/rec_1/duplicates', body: {revision: 4, by: 'unique', fields: ['p.name'], group: [3, 7], ...wish}})
  expect(calls).toHaveLength(3)
})

test('a merge is chosen field by field first', async () => {
  const panel = panelOf()
  await panel.open()

  await rendered(panel).click('Merge')
  expect(calls).toHaveLength(1)
  expect(rendered(panel).text).toContain('Use for Phone: 1')
  await rendered(panel).click('Merge')

  expect(calls[1]!.body).toMatchObject({keep: 'merge', merge: {'p.name': 3, 'p.phone': 7}, group: [3, 7]})
})

test('what was done can be undone', async () => {
  const panel = panelOf()
  await panel.open()
  await expect(rendered(panel).click('undo')).rejects.toThrow()
  await rendered(panel).click('Keep the first')
  expect(rendered(panel).text).toContain('Done. Rows left out: 1')

  await rendered(panel).click('undo')

  expect(undone).toBe(1)
})

test('without the right to fix there is no merge, without a date no newest', async () => {
  const panel = panelOf(['exclude'], FIELDS.slice(0, 2))
  await panel.open()

  const {text} = rendered(panel)

  expect(text).not.toContain('Merge')
  expect(text).not.toContain('Keep the newest')
})

test('a group that is too large is only kept', async () => {
  groups = [{...GROUP, tooLarge: true, count: 1200}]
  const panel = panelOf()
  await panel.open()

  const {text} = rendered(panel)

  expect(text).toContain('This group is too large.')
  expect(text).not.toContain('"Merge"')
})

test.each(Object.keys(LANGUAGES))('%s says everything', language => {
  const said = words[language] ?? ({} as typeof en)
  expect(Object.keys(said)).toEqual(Object.keys(en))
  const wrong = Object.entries(en).filter(([key, sentence]) => wrongWith(said[key as keyof typeof en], sentence, language))
  expect(wrong).toEqual([])
})
