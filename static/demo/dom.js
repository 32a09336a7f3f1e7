/** Small builders: text is always text, never markup. */

/** The path that the engine is below; empty without IMPORT_PATH_PREFIX. */
export const ENGINE = new URL(import.meta.url).pathname.split('/static/demo/')[0]

/** Make an element: `el('p', {class: 'muted'}, 'text', child)`; null children are left out. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(key, '')
    else if (value !== false && value != null) node.setAttribute(key, value)
  }
  node.append(...children.filter(child => child != null))
  return node
}

export const tag = (kind, text) => el('span', {class: `tag ${kind}`}, text)

export const count = number => number.toLocaleString('en')

/** Show a delivered value as a person reads it. */
export function shown(value) {
  if (value == null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A table that scrolls by itself, also with the keyboard. */
export function scrolling(label, table) {
  return el('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label}, table)
}

/** A table of rows keyed by field path; `issuesOf(row, path)` gives the reasons a cell is marked. */
export function rowsTable(paths, rows, {labelOf = path => path, issuesOf = () => []} = {}) {
  const head = el('tr', {}, ...paths.map(path => el('th', {scope: 'col', title: path}, labelOf(path))))
  const body = rows.map(row => el('tr', {}, ...paths.map(path => cell(row, path, issuesOf))))
  return el('table', {}, el('thead', {}, head), el('tbody', {}, ...body))
}

function cell(row, path, issuesOf) {
  const issues = issuesOf(row, path)
  const values = row.values ?? row
  const isNumber = typeof values[path] === 'number'
  const kind = issues.length ? 'bad' : isNumber ? 'number' : null
  const why = issues.map(issue => el('span', {class: 'why'}, issue.message || issue.code))
  const text = shown(values[path] ?? issues[0]?.value)
  return el('td', {class: kind}, el('bdi', {}, text), ...why)
}
