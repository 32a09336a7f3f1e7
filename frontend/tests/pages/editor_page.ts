/** The editor over a catalog of as many fields as `?fields=` says, with an engine made of one function. */

const count = Number(new URLSearchParams(location.search).get('fields') ?? 500)
const fields = Array.from({length: count}, (_, n) => ({
  key: `field_${n}`, label: `Field ${n}`, columnType: 'string', validations: [{validate: 'unique'}], alternativeMatches: [`Name ${n}`],
}))
const draft = JSON.stringify({key: 'big', title: 'Big', keySeparator: '.', entries: [{id: 'big', fields}]})
const by = {kind: 'person', id: 'u', label: 'Edith'}
const version = {key: 'big', version: 1, state: 'draft', title: 'Big', note: '', savedAt: '2026-01-01T00:00:00Z', savedBy: by, publishedAt: null, publishedBy: null}
const ANSWERS: [RegExp, unknown][] = [
  [/license\/verify/, {entitlements: {catalogEditor: true}}],
  [/\/versions\?/, {items: [version], next: null}],
  [/\/draft$/, {...version, findings: []}],
]

window.fetch = async (input, init) => {
  const address = String(input)
  const isRead = /\/draft$/.test(address) && (init?.method ?? 'GET') === 'GET'
  const body = isRead ? draft : JSON.stringify(ANSWERS.find(([pattern]) => pattern.test(address))?.[1] ?? {items: [], next: null})
  return new Response(body, {headers: {'content-type': 'application/json', etag: '"1"'}})
}

await import('../../src/editor/define.js')

export {}
