/** The demo host: the widget as any page would use it, its settings, and what the page hears of it. */

import {CODE, FRAMEWORKS} from './code.js'
import {count, el, ENGINE, rowsTable, scrolling} from './dom.js'
import {showInbox} from './inbox.js'

const EVENTS = [
  'import-ready', 'import-step', 'import-file', 'import-question', 'import-applied', 'import-error',
  'import-cancel', 'import-closed',
]
const SHOWN_EVENTS = 40
const SHOWN_ROWS = 50
const ANSWERS_AWAITED = 20

const at = id => document.getElementById(id)
const widget = at('widget')
const tuning = at('tuning')
const tokens = [...tuning.querySelectorAll('[data-token]')]
let framework = 'html'

/** Ask the host's server, which knows who is logged in, for what the page may do. */
async function fetchKey() {
  const answer = await fetch(`${ENGINE}/demo/session`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({applyMode: widget.applyMode}),
  })
  if (!answer.ok) throw new Error('The demo host gives no session.')
  return (await answer.json()).token
}

function onResults({rows, rowCount}) {
  const paths = [...new Set(rows.slice(0, SHOWN_ROWS).flatMap(Object.keys))]
  const title = el('h3', {}, `onResults: ${count(rowCount)} rows`)
  const table = scrolling('Rows handed to this page', rowsTable(paths, rows.slice(0, SHOWN_ROWS)))
  at('results').replaceChildren(title, table)
}

/** What differs from what the widget does by itself, for the code to copy. */
function settings() {
  const form = new FormData(tuning)
  const styles = tokens.filter(input => input.value !== initial(input))
  return {
    origin: location.origin + ENGINE,
    applyMode: form.get('applyMode'),
    catalogKey: form.get('catalogKey') ?? '',
    locale: form.get('locale'),
    theme: form.get('theme'),
    showAllSteps: form.has('showAllSteps'),
    tokens: styles.map(input => [input.dataset.token, input.value + (input.dataset.unit ?? '')]),
  }
}

function initial(input) {
  return input instanceof HTMLSelectElement ? '' : input.defaultValue
}

function tune() {
  const {locale, theme, applyMode, catalogKey, showAllSteps} = settings()
  const isOther = widget.applyMode !== applyMode || (catalogKey && widget.catalogKey !== catalogKey)
  Object.assign(widget, {locale, theme, applyMode, showAllSteps})
  if (catalogKey) widget.catalogKey = catalogKey
  if (isOther || !widget.fetchKey) widget.fetchKey = () => fetchKey() // a new session: it settles the mode
  for (const input of tokens) {
    const value = input.value === initial(input) ? '' : input.value + (input.dataset.unit ?? '')
    widget.style.setProperty(input.dataset.token, value)
  }
  showCode()
}

function showCode() {
  at('code').textContent = CODE[framework](settings())
  for (const button of at('frameworks').children) {
    button.setAttribute('aria-pressed', String(button.dataset.framework === framework))
  }
}

function hear(event) {
  const detail = event.detail ? JSON.stringify(event.detail) : ''
  const time = new Date().toLocaleTimeString()
  const entry = el('li', {}, el('time', {class: 'muted small'}, time), el('strong', {}, event.type), el('code', {}, detail))
  at('events').prepend(entry)
  while (at('events').children.length > SHOWN_EVENTS) at('events').lastElementChild.remove()
}

/** The host's receiver answers a moment after the apply. */
async function awaitDelivery() {
  for (let round = 0; round < ANSWERS_AWAITED; round += 1) {
    const before = at('inbox').childElementCount
    await showInbox(at('inbox'))
    if (at('inbox').childElementCount > before) return
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}

async function takeExample(button) {
  const {example, catalog} = button.dataset
  const file = await fetch(`${ENGINE}/demo/files/${example}`)
  const bytes = await file.blob()
  await started // until then there is no catalog to choose
  if (at('catalog').value !== catalog) {
    at('catalog').value = catalog
    tune()
  } else {
    widget.reset?.()
  }
  await widget.updateComplete
  widget.setFile(bytes, example)
  widget.scrollIntoView({block: 'start'})
}

async function fillCatalogs() {
  const answer = await fetch(`${ENGINE}/api/import/v1/catalogs`, {headers: {authorization: `Bearer ${await fetchKey()}`}})
  const {items} = await answer.json()
  const options = items.map(catalog => el('option', {value: catalog.key}, catalog.title ?? catalog.key))
  at('catalog').replaceChildren(...options)
}

for (const [name, label] of FRAMEWORKS) {
  const button = el('button', {class: 'button small', type: 'button', 'data-framework': name}, label)
  button.addEventListener('click', () => {
    framework = name
    showCode()
  })
  at('frameworks').append(button)
}
at('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(at('code').textContent)
  at('copied').textContent = 'Copied.'
})
tuning.addEventListener('input', tune)
tuning.addEventListener('reset', () => setTimeout(tune))
tuning.addEventListener('submit', event => event.preventDefault())
for (const name of EVENTS) widget.addEventListener(name, hear)
widget.addEventListener('import-applied', awaitDelivery)
widget.onResults = onResults
widget.context = {page: 'demo'}
for (const button of document.querySelectorAll('[data-example]')) {
  button.addEventListener('click', () => takeExample(button))
}
at('refresh').addEventListener('click', () => showInbox(at('inbox')))

async function start() {
  await showInbox(at('inbox'))
  await fillCatalogs()
  at('missing').hidden = Boolean(customElements.get('service-import'))
  tune()
}

const started = start()
await started
