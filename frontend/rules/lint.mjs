/** What no source of an element may hold: each rule has its reason. */

import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))
const MODULE_LINES = 300
const LONG = /\/messages\/|\/openapi\.ts$/ // sentences, and what is generated
const RULES = [
  [/\bunsafe(HTML|SVG|CSS|Static)\b/, 'text of a file would become markup: use a Lit binding'],
  [/\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write/, 'Trusted Types refuse it: use a Lit binding'],
  [/\sstyle=|\.style\.(?!setProperty)|cssText|styleMap/, 'a strict style-src refuses inline styles: use a class or a property'],
  [/\beval\(|new Function\(/, 'a strict script-src refuses it'],
  [/credentials:\s*'(?!omit)/, 'no cookie of a host ever goes to the engine'],
  [/(margin|padding|border)-(left|right)|[^-\w](left|right):\s*[\d-]/, 'logical properties only: the widget is mirrored for RTL'],
]

function* sources(folder) {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sources(path)
    else if (entry.name.endsWith('.ts')) yield path
  }
}

function* findings(path) {
  const lines = readFileSync(path, 'utf8').split('\n')
  if (lines.length - 1 > MODULE_LINES && !LONG.test(path)) yield `${path}: ${lines.length - 1} lines, ${MODULE_LINES} are allowed`
  for (const [at, line] of lines.entries()) {
    for (const [pattern, reason] of RULES) {
      if (pattern.test(line) && !line.includes('lint: allowed')) yield `${path}:${at + 1}: ${reason}`
    }
  }
}

const paths = [...sources(SOURCES)]
const found = paths.flatMap(path => [...findings(path)])
console.log(found.join('\n') || `elements: ${paths.length} files keep the rules`)
process.exitCode = found.length ? 1 : 0
