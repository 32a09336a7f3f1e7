/** Score pages of a running browser: a URL a line in, the score of Lighthouse and its findings out. */

import {createInterface} from 'node:readline'
import {setTimeout} from 'node:timers/promises'
import {snapshot} from 'lighthouse'
import {connect} from 'puppeteer-core'

const browser = await connect({browserURL: process.argv[2], defaultViewport: null})
const flags = {onlyCategories: ['accessibility'], formFactor: 'desktop', screenEmulation: {disabled: true}}

/** The page at a URL; the browser hears of a navigation a moment after the walk that made it. */
async function pageAt(url) {
  for (;;) {
    const page = (await browser.pages()).find(each => each.url() === url)
    if (page) return page
    await setTimeout(50)
  }
}

for await (const url of createInterface({input: process.stdin})) {
  const {lhr} = await snapshot(await pageAt(url), {flags})
  const {score} = lhr.categories.accessibility
  const failed = Object.values(lhr.audits).filter(audit => audit.score !== null && audit.score < 1)
  const told = ({id, details}) => [id, ...(details?.items ?? []).map(({node}) => node?.snippet ?? '')]
  console.log(JSON.stringify({score: Math.round(score * 100), failed: failed.map(told)}))
}
await browser.disconnect()
