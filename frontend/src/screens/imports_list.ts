/** Imports of the same scope: name, rows, state, the person each waits for, and the way into it. */

import {html, nothing, type TemplateResult} from 'lit'

import type {ImportRecord} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {scopeOf} from '../flow/resume.js'
import {isWorking} from '../flow/steps.js'
import {button, tag, type Tone} from '../ui/pieces.js'

const A_PAGE = 20
const GONE = ['received', 'cancelled'] // no file, or nothing to look at
const SAID: Readonly<Record<string, readonly [Tone, 'imports_staged' | 'imports_done' | 'imports_failed' | 'imports_reverted']>> = {
  staged: ['warn', 'imports_staged'], applied: ['ok', 'imports_done'], failed: ['err', 'imports_failed'],
  reverting: ['', 'imports_reverted'], reverted: ['', 'imports_reverted'],
}

export class ImportsList {
  readonly #flow: Flow
  #items: ImportRecord[] = []
  #next: string | null = null

  constructor(flow: Flow) {
    this.#flow = flow
  }

  /** Fetch the newest imports, where the page shows them and its key may list them. */
  async load(): Promise<void> {
    const {page, verified} = this.#flow
    if (!page.showImports || (!verified?.session && scopeOf(verified) === null)) return
    this.#items = []
    await this.#fetch('')
  }

  async #fetch(cursor: string): Promise<void> {
    const {engine: {transport}, catalog, page} = this.#flow
    await this.#flow.load(async () => {
      const query = new URLSearchParams({limit: String(A_PAGE), catalogKey: catalog?.key ?? '', ...(cursor && {cursor})})
      const {items, next} = await transport.json<{items: ImportRecord[]; next: string | null}>(`imports?${query}`)
      this.#items = [...this.#items, ...items.filter(({state, purgedAt}) => !GONE.includes(state) && !purgedAt)]
      this.#next = next
      page.requestUpdate()
    })
  }

  render(): TemplateResult | typeof nothing {
    const {say} = this.#flow.page
    const next = this.#next
    if (!this.#items.length) return nothing
    return html`<section class="card wanted" aria-labelledby="imports-title">
      <h3 id="imports-title">${say('imports_title')}</h3>
      <ul>${this.#items.map(item => this.#row(item))}</ul>
      ${next ? button(say('imports_more'), () => void this.#fetch(next), {kind: 'link'}) : nothing}
    </section>`
  }

  #row(item: ImportRecord): TemplateResult {
    const {say, format} = this.#flow.page
    const {filename, counts, createdAt, startedBy, recordId, state, waitsFor} = item
    const {rows} = counts
    const about = [rows === undefined ? '' : say('rows', {n: rows}), startedBy?.label, format.ago(Date.parse(createdAt), Date.now())]
    const isOpen = waitsFor.length > 0 || isWorking(item)
    const name = say(isOpen ? 'continue' : 'imports_open')
    return html`<li class="import"><span class="grow"><bdi>${filename}</bdi>
      <span class="small muted about-field">${about.filter(Boolean).map((part, place) => html`${place ? ' · ' : ''}<bdi>${part}</bdi>`)}</span></span>
      ${this.#state(state, waitsFor.length > 0, startedBy?.label ?? '')}
      ${button(name, () => void this.#flow.back.open(recordId), {small: true, label: `${name}: ${filename}`})}</li>`
  }

  #state(state: ImportRecord['state'], isWaiting: boolean, who: string): TemplateResult {
    const {say} = this.#flow.page
    const said = SAID[state]
    if (said) return tag(say(said[1]), said[0])
    if (!isWaiting) return tag(say('imports_working'))
    const what = say(state === 'mapping' ? 'step_columns' : 'step_review')
    return tag(who ? say('imports_waits', {what, who}) : what, 'warn')
  }
}
