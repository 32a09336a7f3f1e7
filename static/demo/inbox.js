/** What the demo receiver got, newest first. */

import {count, el, ENGINE, rowsTable, scrolling, tag} from './dom.js'

/** Read the inbox and show it; entries that were open stay open. */
export async function showInbox(place) {
  const response = await fetch(`${ENGINE}/demo/deliveries`)
  if (!response.ok) {
    place.replaceChildren(el('p', {class: 'notice error'}, 'The inbox cannot be read.'))
    return
  }
  const {items} = await response.json()
  const open = new Set([...place.querySelectorAll('details[open]')].map(entry => entry.id))
  const entries = items.map(item => entry(item, open))
  const nothing = el('p', {class: 'muted'}, 'Nothing has arrived yet.')
  place.replaceChildren(...(entries.length ? entries : [nothing]))
}

function entry(item, open) {
  const id = `arrival-${item.deliveryId ?? item.receivedAt}`
  const times = item.arrivals?.length ?? 1
  const summary = el(
    'summary', {},
    item.verified ? tag('ok', '✓ Verified') : tag('error', '✕ Refused'),
    el('span', {class: 'mono'}, item.deliveryId ?? item.problem),
    el('span', {class: 'grow'}),
    times > 1 ? tag('warn', `came ${times} times, kept once`) : null,
    item.verified ? el('span', {}, `${count(item.rowCount)} rows`) : null,
    el('time', {class: 'muted small', datetime: item.receivedAt}, new Date(item.receivedAt).toLocaleString()),
  )
  const children = item.verified ? [facts(item), headers(item), rows(item)] : [headers(item)]
  return el('details', {id, open: open.has(id)}, summary, el('div', {}, ...children))
}

function pairs(of) {
  const parts = of.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {class: 'mono'}, value)])
  return el('dl', {class: 'pairs'}, ...parts)
}

function facts(item) {
  const body = `${ENGINE}/demo/deliveries/${item.deliveryId}/body`
  const link = el('a', {href: body}, `${count(item.bytes)} bytes, sha256 ${item.sha256}`)
  const known = [['Record', item.recordId], ['Applied at', item.occurredAt], ['Body', link]]
  if (item.meta) known.push(['meta', JSON.stringify(item.meta)])
  return pairs(known)
}

function headers(item) {
  const title = el('h3', {}, 'Headers')
  return el('section', {}, title, pairs(Object.entries(item.headers)))
}

function rows(item) {
  if (!item.rows.length) return el('p', {class: 'muted'}, 'The delivery has no rows.')
  const paths = [...new Set(item.rows.flatMap(Object.keys))]
  const rest = item.rowCount - item.rows.length
  const more = rest > 0 ? el('p', {class: 'muted small'}, `and ${count(rest)} more`) : null
  const table = scrolling(`Rows of ${item.deliveryId}`, rowsTable(paths, item.rows))
  return el('section', {}, el('h3', {}, 'Rows'), table, ...(more ? [more] : []))
}
