import {describe, expect, test} from 'vitest'

import {documentOf, partsOf, type Facts} from '../src/screens/receipt.js'
import {wordsIn} from '../src/screens/words/words.js'
import {Format} from '../src/ui/format.js'

const saying = {words: (await wordsIn('en')).receipt, say: (key: string, {n}: {n?: number} = {}) => key === 'rows' ? `${n} rows` : key, format: new Format('en')} as unknown as Parameters<typeof partsOf>[1]
const record = {
  recordId: 'imp_1', filename: 'orders.csv', size: 1200, createdAt: '2026-03-02T10:00:00Z', state: 'applied', deliveries: [{id: 'dlv_1', webhookId: 'whk_1'}],
  counts: {sourceRows: 22, imported: 17, failed: 3, excluded: 1},
}
const shop = {webhookId: 'whk_1', label: 'Webshop', told: true, until: '2026-04-01T10:00:00Z', reason: '', rowCount: 17}
const known = {
  record, isBrowser: false, skipped: {total: 1}, history: [{what: 'answered', about: {state: 'answered'}}, {what: 'moved', about: {}}],
  changeset: {occurredAt: '2026-03-02T10:05:00Z', state: 'applied', receivers: [shop]},
  deliveries: [{id: 'dlv_1', webhookId: '', state: 'delivered', rowCount: 17, settledAt: '2026-03-02T10:06:00Z', dueAt: null, results: [{status: 'error'}, {status: 'ok'}]}],
  proposal: {columns: [{column: 'A'}, {column: 'B'}, {column: 'C'}], mapping: {A: 'o.a'}, recipe: {version: 1, steps: [{do: 'trim', column: 'C'}]}},
} as unknown as Facts
const values = (facts: Facts): string[] => partsOf(facts, saying).map(({lines}) => lines.map(([name, value]) => name ? `${name}: ${value}` : value).join('; '))

describe('a receipt', () => {
  const [cameIn, skipped, has, back, reference] = values(known)

  test('names the file, its rows and the decisions', () => {
    expect(cameIn).toContain('File: orders.csv, 1.2 kB')
    expect(cameIn).toContain('Rows in the file: 22')
    expect(cameIn).toContain('Rows imported: 17; Questions answered: 1')
  })

  test('gives the number of rows that were skipped for each reason, and the columns', () => {
    expect(skipped).toBe('total: 1; Rows with errors: 3; Rows you left out: 1; Rows refused by a receiver: 1; Columns that were not imported: B')
  })

  test('names each system with what it has, and until when it undoes the import', () => {
    expect(has).toMatch(/^Webshop: delivered · 17 rows · March 2, 2026/)
    expect(back).toBe('You can undo this import until April 1, 2026.')
    expect(reference).toBe('imp_1')
  })

  test.each([
    [{changeset: {...known.changeset, state: 'reverted'}}, 'This import was undone.'],
    [{changeset: {...known.changeset, receivers: [{...shop, until: null, told: false}]}}, 'No system undoes this import automatically.'],
    [{changeset: {...known.changeset, receivers: [shop, {...shop, label: 'Stock', until: null, told: false}]}}, 'You can undo this import until April 1, 2026.; Stock: only by hand.'],
    [{isBrowser: true}, 'revert_browser'],
  ])('%#: %o', (about, said) => {
    expect(values({...known, ...about} as Facts)[3]).toBe(said)
  })

  test('says that nothing was skipped, and that no system has the rows', () => {
    const clean = {...known, skipped: {}, deliveries: [], proposal: null, record: {...record, counts: {imported: 17}}} as unknown as Facts
    expect(values(clean).slice(1, 3)).toEqual(['Nothing was skipped.', 'The rows are kept in the import service only.'])
  })

  test('is a document in which a text of the file stays a text', () => {
    const made = documentOf('Receipt: <b>', [{title: 'File', lines: [['<img src=x onerror=alert(1)>', `"'&`]]}], 'en')
    expect(made).not.toMatch(/<b>|<img/)
    expect(made).toContain('<td>&#34;&#39;&#38;')
  })

  test('runs from right to left in a language that does', () => {
    expect(documentOf('', [], 'ar')).toContain('<html lang="ar" dir="rtl">')
    expect(documentOf('', [], 'de')).toContain('<html lang="de" dir="ltr">')
  })
})
