// The loop of a browser importer, as react-spreadsheet-import runs it: rows become objects, every
// field is normalised, then each validation walks over all rows and collects errors by row.
import {readFileSync} from 'node:fs'
import {randomUUID} from 'node:crypto'

const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/
const NUMBER = /^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?( €)?$/
const KEYS = ['id', 'first', 'last', 'email', 'phone', 'ordered', 'delivered', 'amount', 'quantity',
  'active', 'category', 'iban', 'country', 'note']
const TRUTH = {ja: true, yes: true, true: true, 1: true, x: true, nein: false, no: false, false: false, 0: false}

function cells(text) {
  const rows = []
  let row = [], cell = '', quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c !== '"') cell += c
      else if (text[i + 1] === '"') { cell += '"'; i++ }
      else quoted = false
    } else if (c === '"') quoted = true
    else if (c === ';') { row.push(cell); cell = '' }
    else if (c === '\n') { row.push(cell); rows.push(row); row = []; cell = '' }
    else if (c !== '\r') cell += c
  }
  return rows
}

function date(text) {
  const found = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text)
  if (!found) return undefined
  const day = new Date(Date.UTC(+found[3], +found[2] - 1, +found[1]))
  return day.getUTCDate() === +found[1] && day.getUTCMonth() === +found[2] - 1 ? day : undefined
}

function iban(text) {
  const compact = text.replaceAll(' ', '')
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return undefined
  let rest = 0
  for (const c of compact.slice(4) + compact.slice(0, 4)) {
    const value = parseInt(c, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1 ? compact : undefined
}

const normalise = {
  ordered: date, delivered: date, iban,
  amount: (t) => (NUMBER.test(t) ? +t.replace(' €', '').replaceAll('.', '').replace(',', '.') : undefined),
  quantity: (t) => (/^\d+$/.test(t) ? +t : undefined),
  active: (t) => TRUTH[t.toLowerCase()],
}

function run(file) {
  const [, ...body] = cells(readFileSync(file, 'utf8'))
  const rows = body.map((row) => {
    const found = {__index: randomUUID()}
    KEYS.forEach((key, i) => { found[key] = normalise[key] ? normalise[key](row[i]) : row[i] })
    return found
  })
  const errors = {}
  const add = (i, key, message) => { errors[i] = {...errors[i], [key]: {level: 'error', message}} }
  const regexes = {email: EMAIL, phone: /^[+0-9()/ -]{7,20}$/, id: /^K\d{8}$/, country: /^\p{L}{2,}$/u}
  const values = rows.map((row) => row.id)
  const taken = new Set()
  values.forEach((value, i) => { if (taken.has(value)) add(i, 'id', 'unique'); else taken.add(value) })
  rows.forEach((row, i) => { if (row.last === '' || row.last == null) add(i, 'last', 'required') })
  for (const [key, regex] of Object.entries(regexes)) {
    rows.forEach((row, i) => { if (!String(row[key] ?? '').match(regex)) add(i, key, 'regex') })
  }
  for (const key of Object.keys(normalise)) {
    rows.forEach((row, i) => { if (row[key] === undefined && body[i][KEYS.indexOf(key)]) add(i, key, 'type') })
  }
  rows.forEach((row, i) => { if (row.ordered && row.delivered < row.ordered) add(i, 'delivered', 'compare') })
  return {rows: rows.map((row, i) => (errors[i] ? {...row, __errors: errors[i]} : row)).length,
    issues: Object.keys(errors).length}
}

const before = process.cpuUsage()
const found = run(process.argv[2])
const used = process.cpuUsage(before)
console.log(JSON.stringify({...found, cpu: (used.user + used.system) / 1e6}))
