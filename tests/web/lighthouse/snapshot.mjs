/** Score pages of a running browser: a URL a line in, the score of Lighthouse and its findings out. */

import {createInterface} from 'node:readline'
import {snapshot} from 'lighthouse'
import {connect} from 'puppeteer-core'

const browser = await connect({browserURL: process.argv[2], defaultViewport: null})
const flags = {onlyCategories: ['accessibility'], formFactor: 'desktop', screenEmulation: {disabled: true}}

for await (const url of createInterface({input: process.stdin})) {
  const pages = await browser.pages()
  const {lhr} = await snapshot(pages.find(page => page.url() === url), {flags})
  const {score} = lhr.categories.accessibility
  const failed = Object.values(lhr.audits).filter(audit => audit.score !== null && audit.score < 1)
  const told = ({id, details}) => [id, ...(details?.items ?? []).map(({node}) => node?.snippet ?? '')]
  console.log(JSON.stringify({score: Math.round(score * 100), failed: failed.map(told)}))
}
await browser.disconnect()
