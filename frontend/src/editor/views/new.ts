/** A new catalog: empty, or made of what there is already. */

import {html, nothing, type TemplateResult} from 'lit'

import {EngineProblem, type Trouble} from '../../api/problem.js'
import type {Finding, Overview} from '../api/shapes.js'
import type {Desk, NewKind, View} from '../desk.js'
import {blank, countFields, isShapely, slug, text, type Catalog, type JsonObject} from '../model/catalog.js'
import {JsonWrong, readJson} from '../model/json_text.js'
import {said} from '../ui/form.js'
import {sign} from '../ui/icons.js'
import {button, notice, select} from '../ui/pieces.js'
import {sampleTable, type Sample, inferSample, ofSample} from './sample.js'
import {attempt, troubled} from './troubled.js'

const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const CONVERT_AFTER_MS = 400
const RESERVED = new Set(['schema', 'infer', 'overview', 'convert', 'detect'])

export class NewView implements View {
  readonly #desk: Desk
  readonly #kind: NewKind
  #title = ''
  #key = ''
  #isOwnKey = false
  #taken: Overview[] = []
  #source = ''
  #wrong: JsonWrong | null = null
  #read: JsonObject | null = null
  #sample: Sample | null = null
  #isReading = false
  #trouble: Trouble | null = null
  /** What of a schema has no counterpart in a catalog. */
  #findings: readonly Finding[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(desk: Desk, kind: NewKind) {
    this.#desk = desk
    this.#kind = kind
  }

  get isUnsaved(): boolean {
    return this.#sample !== null || this.#source !== ''
  }

  async enter(): Promise<void> {
    this.#trouble = await attempt(async () => { this.#taken = await this.#desk.engine.overview() })
    this.#desk.requestUpdate()
  }

  render(): TemplateResult {
    const {say} = this.#desk
    return html`<header class="header" part="header">
        ${button('', () => this.#desk.openList(), {sign: 'back', kind: 'quiet', small: true, label: say('all_catalogs')})}
        <div class="grow"><h1 tabindex="-1">${say(`new_title_${this.#kind}`)}</h1><p class="small muted">${this.#about()}</p></div>
        ${button(say('cancel'), () => this.#desk.openList(), {kind: 'quiet'})}
        ${button(say('open_in_editor'), () => void this.#create(), {kind: 'primary', disabled: !this.#isReady})}
      </header>
      <div class="body">${troubled(this.#desk, this.#trouble)}${this.#given()}
        ${this.#kind === 'empty' || this.#hasContent ? this.#named() : nothing}
        ${this.#sample?.inferred.suggestion ? sampleTable(this.#desk, this.#sample) : nothing}</div>`
  }

  #about(): string {
    const {say} = this.#desk
    const read = this.#sample?.inferred
    return read?.suggestion ? say('sample_read', {name: read.filename, n: read.rows ?? 0}) : say(`new_${this.#kind}_about`)
  }

  get #hasContent(): boolean {
    return this.#read !== null || !!this.#sample?.inferred.suggestion
  }

  get #keyTrouble(): 'key_wrong' | 'key_taken' | null {
    if (!KEY.test(this.#key) || RESERVED.has(this.#key)) return 'key_wrong'
    return this.#taken.some(catalog => catalog.key === this.#key) ? 'key_taken' : null
  }

  get #isReady(): boolean {
    return (this.#kind === 'empty' || this.#hasContent) && this.#keyTrouble === null && !this.#isReading
  }

  #name(title: string, key = slug(title, '-')): void {
    this.#title = title
    if (!this.#isOwnKey) this.#key = key
    this.#desk.requestUpdate()
  }

  #named(): TemplateResult {
    const {say} = this.#desk
    const wrong = this.#key ? this.#keyTrouble : null
    return html`<div class="two">
      <div class="control"><label class="label" for="new-title">${say('catalog_name')}</label>
        <input class="input" id="new-title" maxlength="200" .value=${this.#title} @input=${(event: Event) => this.#name((event.target as HTMLInputElement).value)}></div>
      <div class="control"><label class="label" for="new-key">${say('key')}</label>
        <input class="input mono" id="new-key" maxlength="64" spellcheck="false" .value=${this.#key} aria-invalid=${wrong ? 'true' : nothing} aria-describedby="new-key-hint" @input=${(event: Event) => {
          this.#key = (event.target as HTMLInputElement).value
          this.#isOwnKey = this.#key !== ''
          this.#desk.requestUpdate()
        }}><p class="hint ${wrong ? 'err' : ''}" id="new-key-hint">${say(wrong ?? 'new_key_hint')}</p></div></div>`
  }

  // What it is made of

  #given(): TemplateResult | typeof nothing {
    const {say} = this.#desk
    switch (this.#kind) {
      case 'empty': return nothing
      case 'sample': return this.#sample?.inferred.suggestion ? nothing : this.#dropzone('', say('sample_hint'), file => void this.#infer(file))
      case 'duplicate': return html`<div class="control"><span class="label">${say('duplicate_of')}</span>${select(
        [{value: '', text: say('choose')}, ...this.#taken.map(catalog => ({value: catalog.key, text: `${catalog.title} (${catalog.key})`}))], text(this.#read?.['key']), key => void this.#copy(key), {label: say('duplicate_of')})}</div>`
      default: return html`${this.#dropzone('.json,application/json', say(`${this.#kind}_hint`), file => void file.text().then(source => this.#paste(source)))}
        <div class="control"><label class="label" for="new-source">${say('or_paste')}</label>
          <textarea class="input mono" id="new-source" rows="8" spellcheck="false" .value=${this.#source} @input=${(event: Event) => this.#paste((event.target as HTMLTextAreaElement).value)}></textarea>
          ${this.#wrong ? notice('err', html`<strong>${say(this.#wrong.code)}</strong> ${say('line_column', {line: this.#wrong.line, column: this.#wrong.column})} <code>${this.#wrong.pointer}</code>`) : nothing}
          ${this.#read && this.#kind !== 'contract' ? html`<p class="hint">${say('fields_n', {n: isShapely(this.#read) ? countFields(this.#read) : 0})}</p>` : nothing}
          ${said(this.#findings, 'new-source')}</div>`
    }
  }

  #dropzone(accept: string, hint: string, take: (file: File) => void): TemplateResult {
    const dropped = (event: DragEvent): void => {
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file) take(file)
    }
    return html`<label class="dropzone ${this.#isReading ? 'busy' : ''}" part="dropzone" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${dropped}>
      ${this.#isReading ? html`<progress class="progress" aria-label=${this.#desk.say('reading')}></progress>` : sign('up')}<strong>${this.#desk.say(this.#isReading ? 'reading' : 'choose_file')}</strong><span class="small muted">${hint}</span>
      <input type="file" class="hidden-text" accept=${accept || nothing} ?disabled=${this.#isReading} @change=${(event: Event) => {
        const file = (event.target as HTMLInputElement).files?.[0]
        if (file) take(file)
      }}></label>`
  }

  async #infer(file: File): Promise<void> {
    this.#isReading = true
    this.#desk.requestUpdate()
    this.#trouble = await attempt(async () => {
      this.#sample = await inferSample(this.#desk, file)
      const {suggestion, problem} = this.#sample.inferred
      if (problem || !suggestion) throw new EngineProblem(422, {detail: problem?.detail ?? problem?.title ?? this.#desk.say('sample_nothing')})
      this.#name(suggestion.title, suggestion.key)
    })
    this.#isReading = false
    this.#desk.requestUpdate()
    if (!this.#trouble) this.#desk.focus('#new-title')
  }

  async #copy(key: string): Promise<void> {
    const {engine, say} = this.#desk
    const catalog = this.#taken.find(each => each.key === key)
    if (!catalog) return
    this.#trouble = await attempt(async () => {
      this.#read = (await (catalog.published ? engine.published(key) : engine.draft(key))).document
      this.#name(say('copy_of', {title: catalog.title}), `${key}-copy`)
    })
    this.#desk.requestUpdate()
  }

  #paste(source: string): void {
    this.#source = source
    this.#wrong = this.#read = this.#trouble = null
    this.#findings = []
    clearTimeout(this.#timer)
    try {
      const {value} = readJson(source)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new JsonWrong('json_value', 0, '', 1, 1)
      this.#taking(value)
    } catch (error) {
      if (!(error instanceof JsonWrong)) throw error
      this.#wrong = source.trim() ? error : null
    }
    this.#desk.requestUpdate()
  }

  #taking(value: JsonObject): void {
    if (this.#kind === 'schema') {
      this.#timer = setTimeout(() => void this.#convert(value), CONVERT_AFTER_MS)
      return
    }
    this.#read = value
    const about = this.#kind === 'contract' ? (value['contract'] as JsonObject | undefined) ?? {} : value
    this.#name(text(about['title']) || text(about['key']) || 'Catalog', this.#kind === 'json' && text(about['key']) ? text(about['key']) : undefined)
  }

  async #convert(schema: JsonObject): Promise<void> {
    const source = this.#source
    this.#trouble = await attempt(async () => {
      const {catalog, findings} = await this.#desk.engine.convert(schema)
      if (this.#source !== source) return // it was changed meanwhile
      this.#read = catalog
      this.#findings = findings
      this.#name(text(catalog['title']) || text(catalog.key) || 'Catalog')
    })
    this.#desk.requestUpdate()
  }

  async #create(): Promise<void> {
    const {engine} = this.#desk
    const [key, title] = [this.#key, this.#title || this.#key]
    if (this.#kind === 'contract') {
      this.#trouble = await attempt(() => engine.fromContract(key, this.#source))
      if (this.#trouble) return this.#desk.requestUpdate()
      return this.#desk.openCatalog(key)
    }
    const made: Catalog = this.#kind === 'empty' ? blank(key, title) : this.#sample ? ofSample(this.#sample) : (this.#read as Catalog)
    const {version: _, ...kept} = made
    this.#source = ''
    this.#sample = null
    this.#desk.openCatalog(key, {...kept, key, title} as Catalog)
  }
}
