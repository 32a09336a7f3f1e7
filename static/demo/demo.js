/** The walk of one file through the engine: upload, columns, review, apply, and what arrived. */

import {Api, Problem} from './api.js'
import {el} from './dom.js'
import {showInbox} from './inbox.js'
import * as steps from './steps.js'

const WORKING = new Set(['received', 'reading', 'transforming', 'applying'])
const UNDER_WAY = new Set(['pending', 'sending'])
const STEP_OF = {mapping: 1, transforming: 2, review: 2, applying: 3, applied: 3}
const ROWS_SHOWN = 50
const PAUSE_MS = 400
const ANSWERS_AWAITED = 100 // times PAUSE_MS; afterwards the page says what it knows

const api = new Api(document.body.dataset.licenseKey)
const at = id => document.getElementById(id)
const upload = at('upload') // taken off the page and put back, so its parts are kept here
const form = at('upload-form')
const [fileInput, catalogSelect] = [at('file'), at('catalog')]
/** Whether the page went on to another import while an answer was under way. */
const isLeft = recordId => location.hash !== `#${recordId}`
const pause = () => new Promise(resume => setTimeout(resume, PAUSE_MS))
const PROMISE = at('record').textContent
let fields = []

/** Run a step; whatever the engine refuses is said in words, and the page stays usable. */
async function attempt(work) {
  at('problem').replaceChildren()
  try {
    await work()
  } catch (error) {
    showProblem(error instanceof Problem ? error : new Problem({title: 'The page failed', detail: String(error)}, 0))
  }
}

function showProblem(problem) {
  const code = problem.code ? el('span', {class: 'mono'}, ` (${problem.status} ${problem.code})`) : null
  const errors = problem.errors.map(each => el('li', {}, `${each.pointer}: ${each.detail}`))
  const notice = el('div', {class: 'notice error'}, el('strong', {}, `${problem.title}. `), problem.message, code)
  if (errors.length) notice.append(el('ul', {}, ...errors))
  at('problem').replaceChildren(notice)
}

function show(nodes, {focus = true} = {}) {
  at('step').replaceChildren(...nodes)
  const title = at('step').querySelector('h2')
  at('status').textContent = title.textContent
  if (focus) title.focus()
}

function markStep(state) {
  const current = STEP_OF[state] ?? 0
  const isDone = state === 'applied'
  for (const [index, step] of [...at('steps').children].entries()) {
    step.classList.toggle('done', index < current || isDone)
    if (index === current && !isDone) step.setAttribute('aria-current', 'step')
    else step.removeAttribute('aria-current')
  }
}

async function send(file, catalogKey) {
  await attempt(async () => {
    const record = await api.createImport(file, catalogKey)
    history.replaceState(null, '', `#${record.recordId}`)
    await follow(record.recordId)
  })
}

/** Wait until somebody must act, then show what there is to do. */
async function follow(recordId) {
  at('start-over').hidden = false
  let record = await api.record(recordId)
  if (isLeft(recordId)) return
  for (let first = true; WORKING.has(record.state); first = false) {
    markStep(record.state)
    show(steps.working(record), {focus: first})
    await pause()
    record = await api.record(recordId)
    if (isLeft(recordId)) return
  }
  at('record').textContent = `Record ${recordId}`
  markStep(record.state)
  await (NEXT[record.state] ?? ended)(record)
}

const NEXT = {mapping: matchColumns, review: reviewRows, applied: awaitHost}

function ended(record) {
  show([steps.heading(`The import is ${record.state}`), steps.stats(record.counts)])
  if (record.problem) throw new Problem(record.problem, record.problem.status ?? 0)
}

async function matchColumns(record) {
  const proposal = await api.proposal(record.recordId)
  fields = await readFields(record.catalogKey)
  const tables = steps.tableChoice(await api.tables(record.recordId), table => attempt(async () => {
    await api.chooseTable(record.recordId, table)
    await follow(record.recordId)
  }))
  const [title, ...match] = steps.columns(proposal, fields, mapping => attempt(async () => {
    await api.settleMapping(record.recordId, mapping)
    await follow(record.recordId)
  }))
  show([title, ...tables, ...match])
}

async function readFields(catalogKey) {
  const catalog = await api.catalog(catalogKey)
  return catalog.entries.flatMap(entry => entry.fields.filter(field => !field.disabled).map(field => ({
    path: entry.id + (catalog.keySeparator ?? '.') + field.key,
    label: field.label ?? field.key,
    required: field.required,
  })))
}

async function reviewRows(record, filter = 'all') {
  if (!fields.length) fields = await readFields(record.catalogKey)
  const page = await api.rows(record.recordId, filter, ROWS_SHOWN)
  show(steps.review(record, page, filter, fields, {
    show: other => attempt(() => reviewRows(record, other)),
    apply: () => attempt(async () => {
      await api.apply(record.recordId)
      await follow(record.recordId)
    }),
  }))
}

/** The import is applied; the host's answers follow, and the inbox shows the other side. */
async function awaitHost(record) {
  for (let round = 0; round < ANSWERS_AWAITED; round += 1) {
    show(steps.done(record), {focus: round === 0})
    await showInbox(at('inbox'))
    if (record.deliveries.every(delivery => !UNDER_WAY.has(delivery.state))) return
    await pause()
    record = await api.record(record.recordId)
    if (isLeft(record.recordId)) return
  }
}

async function fillCatalogs() {
  const {items} = await api.catalogs()
  const options = items.map(catalog => el('option', {value: catalog.key}, catalog.title ?? catalog.key))
  catalogSelect.replaceChildren(...options)
}

function startOver() {
  history.replaceState(null, '', location.pathname)
  fields = []
  at('problem').replaceChildren()
  at('record').textContent = PROMISE
  at('start-over').hidden = true
  markStep('received')
  form.reset()
  show([upload])
}

form.addEventListener('submit', event => {
  event.preventDefault()
  send(fileInput.files[0], catalogSelect.value)
})
for (const name of ['dragover', 'dragleave', 'drop']) {
  form.addEventListener(name, event => {
    event.preventDefault()
    event.currentTarget.classList.toggle('over', name === 'dragover')
    if (name === 'drop' && event.dataTransfer.files.length) fileInput.files = event.dataTransfer.files
  })
}
for (const button of upload.querySelectorAll('[data-example]')) {
  button.addEventListener('click', () => attempt(async () => {
    const name = button.dataset.example
    const response = await fetch(`/demo/files/${name}`)
    if (!response.ok) throw new Problem({title: 'The example file is missing'}, response.status)
    await send(new File([await response.blob()], name), button.dataset.catalog)
  }))
}
at('start-over').addEventListener('click', startOver)
at('refresh').addEventListener('click', () => showInbox(at('inbox')))

attempt(async () => {
  await showInbox(at('inbox'))
  await fillCatalogs()
  if (location.hash.startsWith('#rec_')) await follow(location.hash.slice(1))
})
