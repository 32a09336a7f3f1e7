// The validation loop of react-spreadsheet-import, its own code, on the file of bench.peers.generated.
// node browser_loop.mjs FOLDER FILE: the folder has node_modules with the package.
import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'

const [folder, file] = process.argv.slice(2)
const load = createRequire(join(folder, 'package.json'))
const loop = join(folder, 'node_modules/react-spreadsheet-import/dist-commonjs/steps/ValidationStep/utils/dataMutations.js')
const Papa = load('papaparse')
const {addErrorsAndRunHooks} = load(loop)

const rule = (key, ...validations) => ({key, label: key, fieldType: {type: 'input'}, validations})
const regex = (value, flags = '') => ({rule: 'regex', value, flags, errorMessage: 'regex', level: 'error'})
const fields = [
  rule('Kundennummer', {rule: 'required'}, {rule: 'unique'}, regex('^K\\d{8}$')),
  rule('Nachname', {rule: 'required'}),
  rule('E-Mail', regex('^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$')),
  rule('Telefon', regex('^[+0-9()/ -]{7,20}$')),
  rule('Bestelldatum', regex('^\\d{2}\\.\\d{2}\\.\\d{4}$')),
  rule('Betrag', regex('^-?(\\d{1,3}(\\.\\d{3})+|\\d+)(,\\d+)?( €)?$')),
  rule('Menge', regex('^\\d+$')),
  rule('Aktiv', regex('^(ja|yes|true|1|x|nein|no|false|0)$')),
  rule('IBAN', regex('^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$')),
]
const {data} = Papa.parse(readFileSync(file, 'utf8'), {header: true, delimiter: ';', skipEmptyLines: true})
const checked = await addErrorsAndRunHooks(data, fields)
const issues = checked.reduce((sum, row) => sum + Object.keys(row.__errors ?? {}).length, 0)
console.log(JSON.stringify({rows: checked.length, issues}))
