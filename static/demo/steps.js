/** What each step of the import shows. Data in, nodes out; what happens next is the caller's. */

import {count, el, rowsTable, scrolling, tag} from './dom.js'

const COUNTS = {
  sourceRows: 'rows in the file',
  skipped: 'skipped: not part of the table',
  rows: 'rows to import',
  valid: 'without a finding',
  warning: 'with warnings',
  error: 'with errors',
  imported: 'delivered',
  excluded: 'excluded by hand',
  failed: 'left out with errors',
}

const DELIVERY_TAG = {delivered: 'ok', pending: 'warn', sending: 'warn'}

const FILTERS = {all: 'All rows', valid: 'Valid', error: 'With errors'}

export const heading = text => el('h2', {tabindex: '-1'}, text)

/** Progress of what the engine is doing now. */
export function working(record) {
  const {stage, done = 0, total} = record.progress ?? {}
  const text = stage ? `${stage}: ${count(done)}${total ? ` of ${count(total)}` : ''}` : record.state
  const bar = el('progress', {max: total || 1, value: total ? done : null, 'aria-label': text})
  return [heading('The engine is at work'), el('p', {class: 'muted'}, text), bar]
}

/** Which table of the file is used, when there are several; `choose(number)` when another is picked. */
export function tableChoice({chosen, tables}, choose) {
  if (tables.length < 2) return []
  const options = tables.map((table, at) => {
    const place = table.sheet ? `Sheet ${table.sheet}` : table.page ? `Page ${table.page}` : `Table ${at + 1}`
    const columns = `${count(table.columns.length)} columns, ${count(table.rowCount ?? 0)} rows`
    return el('option', {value: at, selected: at === chosen}, `${place}: ${columns}`)
  })
  const select = el('select', {id: 'table'}, ...options)
  const button = el('button', {class: 'button', type: 'button'}, 'Use this table')
  button.addEventListener('click', () => choose(Number(select.value)))
  const label = el('label', {for: 'table'}, 'Table in the file')
  return [el('div', {class: 'head'}, el('div', {class: 'field'}, label, select), button)]
}

/** One row per column of the file, with the field it goes to; `settle(mapping)` when sent. */
export function columns(proposal, fields, settle) {
  const rows = proposal.columns.map((column, at) => columnRow(column, at, fields))
  const head = ['Column in your file', 'Field', 'Why'].map(text => el('th', {scope: 'col'}, text))
  const table = el('table', {class: 'match'}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows))
  const form = el('form', {}, table, el('p', {}, el('button', {class: 'button primary'}, 'Continue to review')))
  form.addEventListener('submit', event => {
    event.preventDefault()
    const chosen = [...form.querySelectorAll('select')].filter(select => select.value)
    settle(Object.fromEntries(chosen.map(select => [select.name, select.value])))
  })
  const matched = proposal.columns.filter(column => column.field).length
  const about = `${matched} of ${proposal.columns.length} columns have a field. * must be filled.`
  return [heading('Match your columns to our fields'), el('p', {class: 'muted'}, about), form]
}

function columnRow(column, at, fields) {
  const options = fields.map(field =>
    el('option', {value: field.path, selected: field.path === column.field}, field.label + (field.required ? ' *' : '')))
  const select = el('select', {id: `column-${at}`, name: column.column}, el('option', {value: ''}, 'Do not import'), ...options)
  const samples = (column.samples ?? []).slice(0, 3).join(' · ')
  const label = el('label', {for: `column-${at}`}, el('bdi', {}, column.column))
  const state = !column.field ? tag('', 'Skipped') : column.score < 80 ? tag('warn', 'Check') : tag('ok', '✓ Matched')
  return el(
    'tr', {},
    el('th', {scope: 'row'}, label, el('bdi', {class: 'samples'}, samples)),
    el('td', {}, select),
    el('td', {}, state, ' ', el('span', {class: 'small'}, column.reason ?? '')),
  )
}

/** The counts of a record, each with its words. */
export function stats(counts) {
  const known = Object.entries(counts ?? {}).filter(([, number]) => typeof number === 'number')
  const cards = known.map(([name, number]) =>
    el('div', {}, el('dt', {}, COUNTS[name] ?? name), el('dd', {}, count(number))))
  return el('dl', {class: 'stats'}, ...cards)
}

/** The first rows as they would be delivered; `show(filter)` and `apply()` are the buttons. */
export function review(record, page, filter, fields, {show, apply}) {
  const choices = Object.entries(FILTERS).map(([name, label]) => {
    const button = el('button', {class: 'button small', type: 'button', 'aria-pressed': String(name === filter)}, label)
    button.addEventListener('click', () => show(name))
    return button
  })
  const go = el('button', {class: 'button primary', type: 'button'}, 'Apply: deliver the valid rows')
  go.addEventListener('click', () => {
    go.disabled = true
    apply().finally(() => { go.disabled = false })
  })
  const bar = el('div', {class: 'head', role: 'group', 'aria-label': 'Rows shown'}, ...choices,
    el('span', {class: 'muted small'}, `${count(page.rows.length)} of ${count(page.total)} rows`), el('span', {class: 'grow'}), go)
  const labels = new Map(fields.map(field => [field.path, field.label]))
  const table = rowsTable([...labels.keys()], page.rows, {
    labelOf: path => labels.get(path),
    issuesOf: (row, path) => (row.issues ?? []).filter(issue => issue.field === path),
  })
  return [heading('Review'), stats(record.counts), bar, scrolling('Rows', table)]
}

/** What was applied, and what the host said to it. */
export function done(record) {
  const entries = record.deliveries.map(delivery => el(
    'li', {},
    tag(DELIVERY_TAG[delivery.state] ?? 'error', delivery.state),
    el('span', {class: 'mono grow'}, delivery.id),
    el('span', {class: 'muted'}, `attempts: ${delivery.attempts}`),
  ))
  const list = el('ul', {class: 'list card'}, ...entries)
  return [heading('Applied'), stats(record.counts), ...(entries.length ? [list] : [])]
}
