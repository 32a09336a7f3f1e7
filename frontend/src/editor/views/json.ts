/** The catalog as JSON, both ways: what is typed here is in the forms, and what they say is here. */

import {html, nothing, type TemplateResult} from 'lit'
import {live} from 'lit/directives/live.js'

import type {Trouble} from '../../api/problem.js'
import {isShapely, type Catalog} from '../model/catalog.js'
import {JsonWrong, readJson} from '../model/json_text.js'
import {isOff, type Form} from '../ui/form.js'
import {sign} from '../ui/icons.js'
import {button, notice} from '../ui/pieces.js'
import {save} from '../../ui/download.js'
import {attempt, troubled} from './troubled.js'

export class JsonTab {
  readonly #form: Form
  #text = ''
  #of: Catalog | null = null
  #wrong: JsonWrong | null = null
  #isOther = false
  #refused: Trouble | null = null

  constructor(form: Form) {
    this.#form = form
  }

  render(): TemplateResult {
    const {desk, draft} = this.#form
    const {say} = desk
    if (this.#of !== draft.document && this.#wrong === null) this.#write(draft.document)
    const lines = this.#text.split('\n').length
    return html`<div class="body json">
      ${this.#wrong ? this.#trouble(this.#wrong) : this.#isOther ? notice('warn', say('json_not_shapely')) : nothing}
      ${this.#findings()}
      <div class="row wrap"><p class="small muted grow">${say('json_about')}</p>
        ${button(say('format_json'), () => { this.#write(draft.document); desk.requestUpdate() }, {small: true, disabled: this.#wrong !== null || isOff(this.#form)})}
        ${button(say('download'), () => save(new Blob([`${this.#text}\n`], {type: 'application/json'}), `${draft.key}.json`), {small: true, sign: 'download'})}
        ${draft.base || draft.exists ? button('JSON Schema', () => void this.#saveSchema(), {small: true, sign: 'download', label: say('download_schema')}) : nothing}</div>
      ${troubled(desk, this.#refused)}
      <div class="code"><pre class="lines" aria-hidden="true">${Array.from({length: lines}, (_, at) => at + 1).join('\n')}</pre>
        <textarea id="json-text" aria-label=${say('json_text')} spellcheck="false" autocapitalize="off" wrap="off" .value=${live(this.#text)} ?readonly=${isOff(this.#form)}
          aria-invalid=${this.#wrong ? 'true' : nothing} rows=${Math.max(16, Math.min(lines + 1, 4000))} @input=${(event: Event) => this.#typed((event.target as HTMLTextAreaElement).value)}></textarea></div>
    </div>`
  }

  async #saveSchema(): Promise<void> {
    const {desk, draft} = this.#form
    this.#refused = await attempt(async () => save(await desk.engine.jsonSchema(draft.key), `${draft.key}.schema.json`))
    desk.requestUpdate()
  }

  #write(document: Catalog): void {
    this.#of = document
    this.#text = JSON.stringify(document, null, 2)
    this.#wrong = null
    this.#isOther = !isShapely(document)
  }

  #typed(text: string): void {
    const {desk, draft} = this.#form
    this.#text = text
    try {
      const {value} = readJson(text)
      this.#wrong = null
      this.#isOther = !isShapely(value)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) draft.change((this.#of = value as Catalog), 'json')
    } catch (error) {
      if (!(error instanceof JsonWrong)) throw error
      this.#wrong = error
    }
    desk.requestUpdate()
  }

  #trouble(wrong: JsonWrong): TemplateResult {
    const {say} = this.#form.desk
    return notice('err', html`<strong>${say(wrong.code)}</strong> ${say('line_column', {line: wrong.line, column: wrong.column})}
      ${wrong.pointer ? html`<code>${wrong.pointer}</code>` : nothing} <span class="muted">${say('json_not_saved')}</span>`,
      button(say('go_there'), () => this.#goTo(wrong.at), {small: true}))
  }

  #findings(): TemplateResult | typeof nothing {
    const {all} = this.#form.draft.findings
    if (!all.length || this.#wrong) return nothing
    const {lineOf} = readJson(this.#text)
    return html`<ul class="card found">${all.slice(0, 50).map(finding => {
      const line = lineOf(finding.pointer)
      return html`<li class=${finding.severity === 'error' ? 'err' : 'warn'}>${sign(finding.severity === 'error' ? 'err' : 'warn')}
        ${button(this.#form.desk.say('line_n', {line}), () => this.#goTo(this.#startOf(line)), {kind: 'link', small: true})}<span class="grow">${finding.detail}</span><code>${finding.pointer}</code></li>`
    })}</ul>`
  }

  #startOf(line: number): number {
    let at = 0
    for (let passed = 1; passed < line; passed++) at = this.#text.indexOf('\n', at) + 1
    return at
  }

  #goTo(at: number): void {
    const area = this.#form.desk.root.querySelector<HTMLTextAreaElement>('#json-text')
    if (!area) return
    const end = this.#text.indexOf('\n', at)
    area.focus()
    area.setSelectionRange(at, end < 0 ? this.#text.length : end)
    const lineHeight = area.scrollHeight / Math.max(1, this.#text.split('\n').length)
    const line = this.#text.slice(0, at).split('\n').length
    area.closest('.code')!.scrollTop = (line - 5) * lineHeight
  }
}
