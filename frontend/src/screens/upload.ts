/** The first step: a drop zone that is a button, the clipboard, what is looked for, a template. */

import {css, html, nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {Field} from '../flow/fields.js'
import {fileOfText} from '../flow/clipboard.js'
import {save} from '../ui/download.js'
import {bare} from '../messages/saying.js'
import {icon} from '../ui/icons.js'
import {button, notice, tag} from '../ui/pieces.js'
import {ImportsList} from './imports_list.js'
import {Screen} from './screen.js'

const SHOWN_FIELDS = 6
/** What a person calls the values of a column type. */
const KINDS = [[/^date/, 'date'], [/^time/, 'time'], [/^(int|float|percentage|currency_...$)/, 'number'], [/^boolean/, 'truth']] as const
export const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.xlsm,.xlsb,.xls,.ods,.json,.ndjson,.xml,.docx,.pdf,.parquet,.dta,.sas7bdat,.xpt,.sav,.zsav,.gz,.zip'

export class UploadScreen extends Screen {
  static override styles = css`
    .upload { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 340px); gap: 20px; }
    .dropzone {
      border: 1.5px dashed var(--_control); border-radius: var(--_radius); background: var(--_bg-2); padding: 44px 24px;
      display: grid; gap: 10px; justify-items: center; align-content: center; text-align: center; transition: background .15s, border-color .15s;
    }
    .dropzone.over { border-color: var(--_accent); background: var(--_accent-soft); }
    .dropzone .sign { inline-size: 44px; block-size: 44px; border-radius: 12px; background: var(--_accent-soft); color: var(--_link); display: grid; place-items: center; }
    .dropzone .sign .icon { inline-size: 22px; block-size: 22px; }
    .dropzone h2 { font-size: 17px; }
    .dropzone .row { justify-content: center; }
    .wanted { padding: 16px; display: flex; flex-direction: column; gap: 8px; }
    .wanted h3 { font-size: 14.5px; }
    .wanted li { display: flex; justify-content: space-between; align-items: center; gap: 10px; padding: 6px 0; border-block-end: 1px solid var(--_line); font-size: 13px; }
    .wanted li:last-child { border: 0; }
    .wanted .import { flex-wrap: wrap; justify-content: end; }
    .import > .grow { flex-basis: 220px; overflow-wrap: anywhere; }
    .about-field { display: block; text-align: match-parent; }
    @container service-import (inline-size < 760px) { .upload { grid-template-columns: minmax(0, 1fr); } .dropzone { padding: 28px 16px; } .dropzone .keys { display: none; } }
  `
  #isOver = false
  #showsAll = false
  #said = ''
  readonly #imports = new ImportsList(this.flow)

  override enter(): Promise<void> {
    return this.#imports.load()
  }

  get accept(): string {
    return (this.page as {accept?: string}).accept || ACCEPTED
  }

  override render(): TemplateResult {
    return html`
      ${this.#offer()}
      ${this.#said ? notice('warn', this.#said) : nothing}
      <div class="upload">
        <div class="dropzone ${this.#isOver ? 'over' : ''}" part="dropzone"
          @dragover=${this.#over} @dragleave=${this.#leave} @drop=${this.#drop}>
          <span class="sign">${icon('up')}</span>
          <h2 class="step-title" tabindex="-1">${this.say('drop_title')}</h2>
          <p class="muted"><slot name="upload-hint">${this.#hint()}</slot></p>
          <div class="row wrap">
            ${button(this.say('choose_file'), () => this.#input?.click(), {kind: 'primary'})}
            ${button(this.say('paste'), () => void this.#paste(), {icon: 'clipboard'})}
            ${button(this.#typed ? this.say('type_on', {n: this.#typed}) : this.say('type_rows'), () => this.flow.show('typing'), {icon: 'grid'})}
          </div>
          <input class="hidden-text" type="file" tabindex="-1" aria-label=${this.say('choose_file')} accept=${this.accept} multiple @change=${this.#chosen}>
          <p class="small muted keys">${this.say('paste_hint')} <span class="kbd">Ctrl</span> <span class="kbd">V</span></p>
        </div>
        ${this.#wanted()}
      </div>
      ${this.#imports.render()}`
  }

  override footer(): TemplateResult {
    const host = new URL(this.flow.engine.transport.base).host
    return html`<span class="row small muted grow">${icon('lock')}<span class="clip">${this.say('sent_to', {host})}</span></span>`
  }

  get #typed(): number {
    return this.flow.sheet?.count ?? 0
  }

  #hint(): string {
    const most = this.page.maxFileSize
    return most ? this.say('formats_up_to', {most: this.format.bytes(most)}) : this.say('formats')
  }

  #offer(): TemplateResult | typeof nothing {
    const {offered: kept, lostAt} = this.flow.back
    if (lostAt) return notice('warn', html`<strong>${this.say('gone_title')}</strong> ${this.say('gone_detail')} <span class="muted">(${this.format.ago(lostAt, Date.now())})</span>`)
    if (!kept) return nothing
    const ago = this.format.ago(kept.at, Date.now())
    const text = html`<strong>${this.say('resume_title')}</strong> <span class="muted"><bdi>${kept.filename}</bdi>, ${ago}</span>`
    return notice('accent', text, 'history', html`<span class="row">
      ${button(this.say('start_over'), () => void this.flow.back.decline(), {small: true})}
      ${button(this.say('continue'), () => void this.flow.back.accept(), {small: true, kind: 'primary'})}</span>`)
  }

  #wanted(): TemplateResult {
    const fields = this.flow.fields.filter(field => !field.hidden)
    const ordered = [...fields.filter(field => field.required), ...fields.filter(field => !field.required)]
    const first = Math.max(SHOWN_FIELDS, fields.filter(field => field.required).length)
    const shown = this.#showsAll ? ordered : ordered.slice(0, first)
    return html`<aside class="card wanted" aria-labelledby="wanted-title">
      <div><h3 id="wanted-title">${this.say('wanted_title')}</h3><p class="small muted">${this.say('wanted_hint')}</p></div>
      <ul>${shown.map(field => this.#field(field))}</ul>
      <div class="row wrap">
        ${button(this.say('template'), () => void this.#template(), {kind: 'link', icon: 'download'})}
        ${fields.length > first
          ? button(this.#showsAll ? this.say('fewer_fields') : this.say('all_fields', {n: fields.length}), () => { this.#showsAll = !this.#showsAll; this.update() }, {kind: 'link'})
          : nothing}
      </div>
    </aside>`
  }

  #field(field: Field): TemplateResult {
    const [, kind = 'text'] = KINDS.find(([types]) => types.test(field.columnType)) ?? []
    const about = field.dropdownOptions?.length ? field.dropdownOptions.map(({label}) => label) : [this.say(`type_${kind}`), field.example]
    return html`<li title=${field.description ?? nothing}><span class="grow"><bdi>${field.label}</bdi><bdi class="small muted clip about-field">${about.filter(Boolean).join(' · ')}</bdi></span>
      ${field.required ? tag(this.say('required'), 'accent') : nothing}</li>`
  }

  get #input(): HTMLInputElement | null {
    return this.stage.renderRoot.querySelector<HTMLInputElement>('input[type=file]')
  }

  readonly #chosen = (event: Event): void => {
    const input = event.target as HTMLInputElement
    const files = [...input.files ?? []]
    input.value = ''
    void this.#send(files)
  }

  readonly #over = (event: DragEvent): void => {
    event.preventDefault()
    if (!this.#isOver) {
      this.#isOver = true
      this.update()
    }
  }

  readonly #leave = (event: DragEvent): void => {
    const zone = event.currentTarget as Element
    if (event.relatedTarget instanceof Node && zone.contains(event.relatedTarget)) return
    this.#isOver = false
    this.update()
  }

  readonly #drop = (event: DragEvent): void => {
    event.preventDefault()
    this.#isOver = false
    this.update()
    void this.#send([...event.dataTransfer?.files ?? []])
  }

  async #send(files: File[]): Promise<void> {
    this.#said = ''
    if (!files[1]) return void (files[0] && this.flow.send(files[0]))
    await this.flow.attempt(async () => { this.#said = await (await loaded(import('./several_files.js'))).sendSeveral(this.flow, files) })
    this.update()
  }

  /** Accept content pasted into the page while this step is open. */
  readonly pasted = (event: ClipboardEvent): void => {
    const file = event.clipboardData?.files[0]
    if (file) return void this.flow.send(file)
    this.#take(event.clipboardData?.getData('text/plain') ?? '')
  }

  async #paste(): Promise<void> {
    try {
      this.#take(await navigator.clipboard.readText())
    } catch {
      this.#said = this.say('paste_refused')
      this.update()
    }
  }

  #take(text: string): void {
    const file = fileOfText(text, bare(this.say('pasted_name')))
    if (file) return void this.flow.send(file)
    this.#said = this.say('paste_empty')
    this.update()
  }

  async #template(): Promise<void> {
    const catalog = this.flow.catalog
    if (!catalog) return
    await this.flow.attempt(async () => {
      const file = await this.flow.engine.template(catalog.key)
      save(file, `${catalog.key}.${file.type.startsWith('text/csv') ? 'csv' : 'xlsx'}`)
    })
  }
}
