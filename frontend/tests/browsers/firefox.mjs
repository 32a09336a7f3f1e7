/** Walks the review grid in a Firefox: `node firefox.mjs PROGRAM ADDRESS`. Ends with 1 when it goes wrong. */

import assert from 'node:assert/strict'
import {launch} from 'puppeteer-core'

const [program, address] = process.argv.slice(2)
const browser = await launch({browser: 'firefox', executablePath: program, headless: true, protocolTimeout: 120_000})

function focused() {
  const cell = window.grid.shadowRoot.activeElement
  if (!cell || cell.classList.contains('loading')) return ''
  const row = Number(cell.parentElement.getAttribute('aria-rowindex')) - 2
  return `${row} ${Number(cell.getAttribute('aria-colindex')) - 2} ${cell.querySelector('bdi').textContent}`
}

async function until(page, expected) {
  let seen = ''
  for (let tries = 0; tries < 1200; tries += 1) {
    seen = await page.evaluate(focused)
    if (seen === expected) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  assert.equal(seen, expected)
}

async function chord(page, ...keys) {
  for (const key of keys) await page.keyboard.down(key)
  for (const key of keys.reverse()) await page.keyboard.up(key)
}

try {
  const page = await browser.newPage()
  await page.goto(address)
  await page.evaluate(() => window.grid.focusCell(0, 0))
  await until(page, '0 0 10000')
  await chord(page, 'Control', 'End')
  await until(page, '999999 19 r999999 c19')
  const height = await page.evaluate(() => window.grid.shadowRoot.querySelector('.scroller').scrollHeight)
  assert.ok(height > 7_000_000, `the spacer is ${height} px high`)
  await chord(page, 'Control', 'Home')
  await chord(page, 'F8')
  await until(page, '196 4 13/14/2021')
  await page.keyboard.type('x')
  await page.keyboard.press('Enter')
  await until(page, '197 4 2021-03-14')
  assert.deepEqual(await page.evaluate(() => window.seen.edits), [[{row: 196, field: 'f4', text: 'x'}]])
  assert.deepEqual(await page.evaluate(() => window.violations), [])
  console.log('walked')
} finally {
  await browser.close()
}
