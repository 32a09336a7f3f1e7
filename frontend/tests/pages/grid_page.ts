/** A page with the grid over rows that are made when they are asked for. Its address says how. */

import {ReviewGrid} from '../../src/grid/define.js'
import {enSteps} from '../../src/messages/en_steps.js'
import {gridLabels} from '../../src/review/grid_setup.js'
import {theme} from '../../src/ui/theme.js'
import type {GridCell, GridColumn, GridEdit, GridRow, RowSource} from '../../src/grid/types.js'

const asked = new URLSearchParams(location.search)
const numberOf = (name: string, otherwise: number) => Number(asked.get(name) ?? otherwise)
const COLUMNS = numberOf('columns', 20)
const LATENCY_MS = numberOf('latency', 10)
const ERROR_EVERY = numberOf('errorEvery', 197)

const NAMES = ['Customer number', 'Company name', 'E-mail', 'VAT ID', 'Customer since', 'Credit limit']
const columns: GridColumn[] = Array.from({length: COLUMNS}, (_, at) => ({
  key: `f${at}`,
  label: NAMES[at] ?? `Column ${at + 1}`,
  type: at === 5 ? 'amount' : 'string',
  required: at < 3,
  numeric: at === 5,
  readOnly: at === 19,
  example: at === 4 ? '2021-03-14' : '',
}))

interface Asked {
  offset: number
  limit: number
  aborted: boolean
}

/** What the tests look at. */
const seen = {
  edits: [] as GridEdit[][],
  events: [] as string[],
  asked: [] as Asked[],
  firstRowsMs: 0,
  failing: false,
}

const written = new Map<string, string | null>()

function cellOf(row: number, at: number): GridCell {
  const key = `${row} f${at}`
  const made = at === 1 && row === 3 ? '<img src=x onerror="alert(1)">' : madeText(row, at)
  const changed = written.has(key)
  const text = changed ? (written.get(key) ?? '') : made
  const isWrong = !changed && at === 4 && row % ERROR_EVERY === ERROR_EVERY - 1
  const isOdd = !changed && at === 3 && row % 41 === 40
  const issues = isWrong
    ? [{code: 'not_a_date', severity: 'error' as const, message: `“${text}” is neither day/month nor month/day.`}]
    : isOdd
      ? [{code: 'not_a_member', severity: 'warning' as const, message: 'Not an EU member state.'}]
      : []
  return {value: text, text, changed, issues}
}

function madeText(row: number, at: number): string {
  const texts = [`${10_000 + row}`, `Company ${row}`, `mail${row}@shop.example`, `DE${811_000_000 + row}`, '2021-03-14']
  if (at === 4 && row % ERROR_EVERY === ERROR_EVERY - 1) return '13/14/2021'
  if (at === 5) return ((row * 37) % 90_000).toLocaleString('en')
  return texts[at] ?? `r${row} c${at}`
}

function madeRow(row: number): GridRow {
  return {row, cells: columns.map((_, at) => cellOf(row, at)), excluded: row === 7}
}

const source: RowSource = {
  async fetch(offset, limit, signal) {
    const request: Asked = {offset, limit, aborted: false}
    seen.asked.push(request)
    signal.addEventListener('abort', () => (request.aborted = true))
    await new Promise(resolve => setTimeout(resolve, LATENCY_MS))
    if (seen.failing) throw new Error('unreachable')
    const count = Math.max(0, Math.min(limit, grid.rowCount - offset))
    return Array.from({length: count}, (_, at) => madeRow(offset + at))
  },
}

const grid = new ReviewGrid()
document.documentElement.dir = asked.get('dir') ?? 'ltr'
document.body.setAttribute('theme', asked.get('theme') ?? '')
const tokens = new CSSStyleSheet()
tokens.replaceSync(theme.cssText.replace(/:host(?:\((.+?)\))?/g, 'body$1')) // the page stands for the widget
document.adoptedStyleSheets = [tokens]
grid.columns = columns
grid.rowCount = numberOf('rows', 1_000_000)
grid.source = source
grid.locale = 'en'
grid.labels = gridLabels(key => enSteps[key as keyof typeof enSteps])
grid.addEventListener('grid-edit', event => {
  const {edits} = (event as CustomEvent<{edits: GridEdit[]}>).detail
  seen.edits.push([...edits])
  for (const edit of edits) written.set(`${edit.row} ${edit.field}`, edit.text)
  setTimeout(() => grid.invalidate(), LATENCY_MS)
})
for (const name of ['grid-select', 'grid-undo', 'grid-redo', 'grid-find', 'grid-exclude', 'grid-error']) {
  grid.addEventListener(name, event => seen.events.push(`${name} ${JSON.stringify((event as CustomEvent).detail)}`))
}

const began = performance.now()
document.querySelector('.rows')?.append(grid)
function look(): void {
  const shown = grid.shadowRoot?.querySelector('[role=gridcell] bdi')?.textContent
  if (!shown) return void requestAnimationFrame(look)
  seen.firstRowsMs = performance.now() - began
}
look()
Object.assign(window, {grid, seen, violations: [] as string[]})
document.addEventListener('securitypolicyviolation', event => {
  ;(window as unknown as {violations: string[]}).violations.push(`${event.violatedDirective} ${event.sample}`)
})
