import {afterEach, beforeEach, expect, test, vi} from 'vitest'

import {EngineProblem, Unreachable} from '../../src/api/problem.js'
import type {Engine, Read} from '../../src/editor/api/engine.js'
import type {Catalog} from '../../src/editor/model/catalog.js'
import {Draft} from '../../src/editor/model/draft.js'

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

const START: Catalog = {key: 'people', entries: [{id: 'person', fields: [{key: 'name'}]}]}
const titled = (title: string): Catalog => ({...START, title})

/** The engine's side: a draft under an etag, as the API keeps it. */
class Kept {
  text: string | null = null
  etag = 0
  saves = 0
  fails: Error | null = null

  get read(): Read {
    return {document: JSON.parse(this.text!) as Catalog, text: this.text!, etag: `"${this.etag}"`}
  }

  put(text: string): void {
    this.text = text
    this.etag++
  }

  get engine(): Engine {
    return {
      save: async (_key: string, text: string, edited: string | null) => {
        if (this.fails) throw this.fails
        if (edited !== (this.text === null ? null : `"${this.etag}"`)) throw new EngineProblem(409, {code: 'draft_changed'})
        this.put(text)
        this.saves++
        return {etag: `"${this.etag}"`, version: {findings: [], savedBy: {label: 'Edith', id: 'u1'}}}
      },
      draft: async () => {
        if (this.text === null) throw new EngineProblem(409, {code: 'no_draft'})
        return this.read
      },
      published: async () => ({document: titled('Published'), text: '', etag: '"p"'}),
    } as unknown as Engine
  }
}

const begun = (kept: Kept): Draft => new Draft(kept.engine, 'people', kept.text === null ? null : kept.read, START, () => undefined)

test('what is typed is saved once, when the typing rests', async () => {
  const kept = new Kept()
  const draft = begun(kept)
  for (const title of ['P', 'Pe', 'People']) draft.set(['title'], title)
  expect(draft.isUnsaved).toBe(true)

  await vi.advanceTimersByTimeAsync(1000)

  expect([kept.saves, kept.read.document['title'], draft.saving, draft.isUnsaved]).toEqual([1, 'People', 'saved', false])
})

test('what is typed while a save is under way is saved after it', async () => {
  const kept = new Kept()
  const draft = begun(kept)
  draft.set(['title'], 'A')
  const first = draft.save()
  draft.set(['title'], 'AB')
  await first
  await vi.advanceTimersByTimeAsync(1000)

  expect([kept.saves, kept.read.document['title'], draft.saving]).toEqual([2, 'AB', 'saved'])
})

test('a lost race shows the other draft and saves nothing over it', async () => {
  const kept = new Kept()
  kept.put(JSON.stringify(START))
  const draft = begun(kept)
  kept.put(JSON.stringify(titled('Theirs')))
  draft.set(['title'], 'Mine')
  await vi.advanceTimersByTimeAsync(1000)

  expect([draft.saving, draft.theirs?.['title'], kept.read.document['title']]).toEqual(['conflict', 'Theirs', 'Theirs'])
  draft.set(['title'], 'Mine, too')
  await vi.advanceTimersByTimeAsync(9000)
  expect(kept.read.document['title']).toBe('Theirs')

  await draft.keepMine()
  expect([draft.saving, kept.read.document['title']]).toEqual(['saved', 'Mine, too'])
})

test('taking the other draft can be undone', async () => {
  const kept = new Kept()
  kept.put(JSON.stringify(START))
  const draft = begun(kept)
  kept.put(JSON.stringify(titled('Theirs')))
  draft.set(['title'], 'Mine')
  await vi.advanceTimersByTimeAsync(1000)
  await draft.reload()

  expect([draft.document['title'], draft.isUnsaved]).toEqual(['Theirs', false])
  draft.undo()
  await vi.advanceTimersByTimeAsync(1000)
  expect([kept.read.document['title'], draft.saving]).toEqual(['Mine', 'saved'])
})

test('when somebody published the draft, theirs is what is published', async () => {
  const kept = new Kept()
  kept.put(JSON.stringify(START))
  const draft = begun(kept)
  kept.text = null
  draft.set(['title'], 'Mine')
  await vi.advanceTimersByTimeAsync(1000)
  expect([draft.saving, draft.theirs?.['title']]).toEqual(['conflict', 'Published'])

  await draft.keepMine()
  expect(kept.read.document['title']).toBe('Mine')
})

test('without a connection nothing is lost, and it is tried again', async () => {
  const kept = new Kept()
  const draft = begun(kept)
  kept.fails = new Unreachable('unreachable')
  draft.set(['title'], 'Kept')
  await vi.advanceTimersByTimeAsync(1000)
  expect([draft.saving, draft.isUnsaved]).toEqual(['unreachable', true])

  kept.fails = null
  await vi.advanceTimersByTimeAsync(6000)
  expect([draft.saving, kept.read.document['title']]).toEqual(['saved', 'Kept'])
})

test('what the engine refuses says why, at its place', async () => {
  const kept = new Kept()
  const draft = begun(kept)
  kept.fails = new EngineProblem(409, {code: 'catalog_invalid', errors: [{pointer: '/key', detail: 'A key never changes.'}]})
  draft.set(['key'], 'other')
  await vi.advanceTimersByTimeAsync(1000)

  expect([draft.saving, draft.findings.at('/key')[0]?.detail]).toEqual(['refused', 'A key never changes.'])
})

test('keys that hosts know are locked once a version is published', () => {
  const draft = begun(new Kept())
  expect(draft.lockedPaths.size).toBe(0)

  draft.baseDocument = START

  expect([...draft.lockedPaths]).toEqual(['person.name'])
})
