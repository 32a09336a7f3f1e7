import {nothing, type TemplateResult} from 'lit'
import {expect, test} from 'vitest'

import {EngineProblem} from '../../src/api/problem.js'
import type {Transport} from '../../src/api/transport.js'
import {Engine} from '../../src/editor/api/engine.js'
import type {Form} from '../../src/editor/ui/form.js'
import {ownSample} from '../../src/editor/views/own_sample.js'

const soon = (): Promise<void> => new Promise(done => setTimeout(done, 0))
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  const {values} = (value ?? {}) as Partial<TemplateResult>
  return value === nothing || !values ? [] : values.flatMap(textsOf)
}
const handlersOf = (value: unknown): ((event: unknown) => void)[] => {
  if (typeof value === 'function') return [value as (event: unknown) => void]
  const {values} = (value ?? {}) as Partial<TemplateResult>
  return Array.isArray(value) ? value.flatMap(handlersOf) : values?.flatMap(handlersOf) ?? []
}

/** The field of one catalog, over an engine that keeps at most one file. */
function fieldOf(key: string, about: {mayEdit?: boolean; refuses?: boolean} = {}) {
  const engine = {
    kept: null as Blob | null,
    sample: async () => engine.kept,
    saveSample: async (_: string, file: File) => {
      if (about.refuses) throw new EngineProblem(422, {code: 'sample_unreadable', detail: 'Not readable.'})
      engine.kept = file
    },
    deleteSample: async () => { engine.kept = null },
  }
  const desk = {engine, say: (word: string) => word, mayEdit: about.mayEdit ?? true, requestUpdate: () => undefined}
  const form = {desk, draft: {key}} as unknown as Form
  const shown = (): string[] => textsOf(ownSample(form))
  return {engine, form, shown, choose: (file: File) => { handlersOf(ownSample(form))[0]!({target: {files: [file], value: ''}}) }}
}

test('a chosen file is sent and shown, and can be removed', async () => {
  const {engine, form, shown, choose} = fieldOf('orders')
  shown()
  await soon()
  expect(shown()).toContain('choose_own_sample')
  choose(new File(['a;b'], 'mine.csv', {type: 'text/csv'}))
  await soon()
  await soon()

  expect(engine.kept).not.toBeNull()
  expect(shown()).toEqual(expect.arrayContaining(['orders.csv', 'other_own_sample', 'remove_own_sample']))
  handlersOf(ownSample(form)).at(-1)!({})
  await soon()
  await soon()
  expect(engine.kept).toBeNull()
  expect(shown()).toContain('choose_own_sample')
})

test('what the engine refuses is said', async () => {
  const {shown, choose} = fieldOf('refused', {refuses: true})
  shown()
  choose(new File(['x'], 'x.pdf'))
  await soon()

  expect(shown().join()).toContain('Not readable.')
})

test('who may not edit sees the file and chooses none', async () => {
  const {engine, shown} = fieldOf('seen', {mayEdit: false})
  engine.kept = new Blob(['x'], {type: 'application/zip'})
  shown()
  await soon()

  expect(shown()).toContain('seen.xlsx')
  expect(shown()).not.toContain('other_own_sample')
})

test.each([[404, null], [500, 'thrown']])('an answer of %s to the question for a sample means %s', async (status, wanted) => {
  const transport = {send: async () => { throw new EngineProblem(status, {code: 'x', detail: 'x'}) }} as unknown as Transport
  const asked = new Engine(transport).sample('orders').catch(() => 'thrown')

  expect(await asked).toBe(wanted)
})
