/** Test with a file: what the draft would make of it, compared with the published version; nothing is imported. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Trouble} from '../../api/problem.js'
import type {KeptTest, Report, Tested, TestedColumn} from '../api/shapes.js'
import type {Desk} from '../desk.js'
import {pathsOf, isShapely, nameOf, fieldsOf} from '../model/catalog.js'
import type {Draft} from '../model/draft.js'
import {sign} from '../ui/icons.js'
import {button, loading, notice, tag} from '../ui/pieces.js'
import type {Part} from './catalog.js'
import {attempt, troubled} from './troubled.js'

const WAIT_S = 10

export class TestTab implements Part {
  readonly #desk: Desk
  readonly #draft: Draft
  #tested: Tested | null = null
  #recordId = ''
  #kept: KeptTest[] = []
  #isBusy = false
  #trouble: Trouble | null = null

  constructor(desk: Desk, draft: Draft) {
    this.#desk = desk
    this.#draft = draft
  }

  enter(): void {
    void this.#load()
  }

  async #load(): Promise<void> {
    await this.#run(async () => { this.#kept = await this.#desk.engine.keptTests(this.#draft.key) })
  }

  async #run(act: () => Promise<void>): Promise<void> {
    this.#isBusy = true
    this.#desk.requestUpdate()
    this.#trouble = await attempt(act)
    this.#isBusy = false
    this.#desk.requestUpdate()
  }

  async #try(file: File): Promise<void> {
    const {engine, say} = this.#desk
    const {key} = this.#draft
    await this.#run(async () => {
      await this.#draft.save()
      this.#tested = null
      this.#recordId = (await engine.testDraft(key, file)).recordId
      let read: Tested
      do read = await engine.tested(key, this.#recordId, WAIT_S)
      while (!read.problem && !read.report && read.state !== 'cancelled')
      this.#tested = read
      if (read.report) this.#desk.sampleId = this.#recordId
      if (read.report) this.#desk.announce(say('tested_n', {n: read.report.counts.draft.errors}))
    })
  }

  async #keep(): Promise<void> {
    await this.#run(async () => {
      await this.#desk.engine.keepTest(this.#draft.key, this.#recordId, this.#tested?.filename ?? '')
      this.#kept = await this.#desk.engine.keptTests(this.#draft.key)
    })
  }

  async #runAll(): Promise<void> {
    await this.#run(async () => {
      await this.#draft.save()
      await this.#desk.engine.runTests(this.#draft.key)
      do {
        this.#kept = await this.#desk.engine.keptTests(this.#draft.key, WAIT_S)
        this.#desk.requestUpdate()
      } while (this.#kept.some(test => test.running))
    })
  }

  render(): TemplateResult {
    const {say} = this.#desk
    const tested = this.#tested
    return html`<div class="review"><div class="review-main">
        ${troubled(this.#desk, this.#trouble)}
        ${!this.#draft.exists ? notice('accent', say('test_needs_draft')) : tested && !tested.problem ? this.#about(tested) : this.#dropzone()}
        ${tested?.problem ? notice('err', tested.problem.detail ?? tested.problem.title) : nothing}
        ${this.#isBusy && !tested ? loading(say('testing')) : nothing}
        ${tested?.report ? this.#result(tested.report) : nothing}</div>
      <aside class="versions" aria-label=${say('kept_tests')}><div class="row"><h2 class="grow">${say('kept_tests')} <span class="muted small number">${this.#kept.length || ''}</span></h2>
          ${this.#kept.length && this.#desk.mayEdit ? button(say('run_all'), () => void this.#runAll(), {small: true, disabled: this.#isBusy}) : nothing}</div>
        <p class="small muted">${say('kept_tests_about')}</p>${this.#kept.map(test => this.#card(test))}</aside></div>`
  }

  #chooser(text: string, look: string): TemplateResult {
    return html`<label class=${look} part=${look === 'dropzone' ? 'dropzone' : nothing} @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${(event: DragEvent) => {
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file) void this.#try(file)
    }}>${sign('up')}${look === 'dropzone' ? html`<strong>${text}</strong><span class="small muted">${this.#desk.say('nothing_imported')}</span>` : text}
      <input type="file" class="hidden-text" ?disabled=${this.#isBusy} @change=${(event: Event) => {
        const file = (event.target as HTMLInputElement).files?.[0]
        if (file) void this.#try(file)
      }}></label>`
  }

  #dropzone(): TemplateResult {
    return this.#chooser(this.#desk.say('choose_file'), 'dropzone')
  }

  #about(tested: Tested): TemplateResult {
    const {say, mayEdit} = this.#desk
    return html`<div class="card row wrap pad">${sign('file')}<div class="grow"><strong><bdi>${tested.filename}</bdi></strong>
        <p class="small muted">${say('rows', {n: tested.rows ?? 0})}${tested.table ? html`, <bdi>${tested.table}</bdi>` : nothing}. ${say('nothing_imported')}</p></div>
      ${mayEdit ? button(say('keep_test'), () => void this.#keep(), {small: true, disabled: this.#isBusy}) : nothing}${this.#chooser(say('other_file'), 'button small')}</div>`
  }

  #labelOf(path: string | null): string {
    const {document} = this.#draft
    const place = path && isShapely(document) ? pathsOf(document).get(path) : undefined
    return place ? nameOf(fieldsOf((document).entries[place.entry])[place.field]!) : path ?? ''
  }

  #result(report: Report): TemplateResult {
    const {say, format} = this.#desk
    const {columns, missing, issues, counts: {draft, published}} = report
    const proposed = columns.filter(column => column.field).length
    const asked = report.questions.length
    const former = report.publishedVersion
    return html`<div><h2>${say('tested_summary', {proposed, all: columns.length, asked, errors: draft.errors})}</h2>
        ${published && former ? html`<p class="small muted">${say('tested_published', {version: former ?? '', errors: published.errors})}</p>` : nothing}</div>
      ${missing.length ? notice('err', say('missing_required', {fields: format.list(missing.map(item => this.#labelOf(item)))})) : nothing}
      <div class="scroll card" tabindex="0" role="group" aria-label=${say('columns')}><table class="tested"><thead><tr><th scope="col">${say('column_in_file')}</th><th scope="col">${say('proposed_field')}</th><th scope="col">${say('values_fit')}</th><th scope="col">${say('errors')}</th></tr></thead>
        <tbody>${columns.map(column => this.#column(column))}</tbody></table></div>
      ${issues.length ? html`<div class="scroll card" tabindex="0" role="group" aria-label=${say('rows_with_errors')}><table class="tested"><thead><tr><th scope="col">${say('rows_with_errors')}</th><th scope="col">${say('value_reason')}</th><th scope="col" class="end">${say('draft')}</th><th scope="col" class="end">${former ? say('version_n', {version: former}) : ''}</th></tr></thead>
        <tbody>${issues.map(issue => html`<tr><th scope="row">${this.#labelOf(issue.field)}</th><td>${issue.example ? html`<code>${issue.example.value}</code> ${say('in_row', {row: issue.example.row})} <span class="muted">${issue.example.message}</span>` : issue.code}</td>
          <td class="end number"><strong>${format.number(issue.draft)}</strong></td><td class="end number">${issue.published === null ? '–' : format.number(issue.published)}</td></tr>`)}</tbody></table></div>` : nothing}`
  }

  #column(column: TestedColumn): TemplateResult {
    const {say, format} = this.#desk
    return html`<tr class=${column.question ? 'asked' : ''}><th scope="row"><bdi>${column.column}</bdi><code class="below clip">${column.samples.slice(0, 3).join(', ')}</code></th>
      <td>${column.question ? html`${tag(say('question'), 'warn', 'question')}<span class="below">${column.question.candidates.map(each => (typeof each === 'string' ? this.#labelOf(each) : say('not_imported'))).join(', ')}</span>` : column.field ? html`${this.#labelOf(column.field)}<span class="below">${column.reason ?? nothing}</span>` : html`<span class="muted">${say('not_imported')}</span><span class="below">${column.reason ?? nothing}</span>`}</td>
      <td>${column.fits === null ? '–' : html`<span class="row"><meter min="0" max="1" .value=${column.fits} aria-label=${say('values_fit')}></meter><span class="number">${format.percent(column.fits)}</span></span>${column.publishedFits !== null && column.publishedFits !== column.fits ? html`<span class="below">${say('fits_published', {share: format.percent(column.publishedFits)})}</span>` : nothing}`}</td>
      <td>${column.errors ? html`<span class="err">${say('errors_n', {n: column.errors})}</span>` : column.warnings ? html`<span class="warn">${say('warnings_n', {n: column.warnings})}</span>` : column.field ? html`<span class="ok">${say('no_errors')}</span>` : '–'}${column.empty ? html`<span class="below">${say('empty_n', {n: column.empty})}</span>` : nothing}</td></tr>`
  }

  #card(test: KeptTest): TemplateResult {
    const {say, format, mayEdit, engine} = this.#desk
    const {last} = test
    const state = test.running ? 'running' : last.state
    const tone = state === 'passes' ? 'ok' : state === 'fails' ? 'err' : ''
    const again = (act: () => Promise<unknown>): void => void this.#run(async () => {
      await act()
      this.#kept = await engine.keptTests(this.#draft.key)
    })
    return html`<div class="card kept ${state}"><div class="row">${tag(say(`test_${state}`), tone, tone === 'ok' ? 'check' : tone === 'err' ? 'close' : undefined)}<span class="grow"></span><span class="small muted">${last.at ? format.moment(last.at) : ''}</span></div>
      <code><bdi>${test.name}</bdi></code>${last.differences?.length ? html`<ul class="small">${last.differences.map(each => html`<li>${each}</li>`)}</ul>` : nothing}
      ${mayEdit ? html`<div class="row tight">${state === 'fails' ? button(say('expect_now'), () => again(() => engine.expectTest(this.#draft.key, test.id, last.got)), {small: true, kind: 'quiet', disabled: this.#isBusy}) : nothing}
        ${button('', () => again(() => engine.dropTest(this.#draft.key, test.id)), {small: true, kind: 'quiet', sign: 'bin', label: `${say('drop_test')}: ${test.name}`, disabled: this.#isBusy})}</div>` : nothing}</div>`
  }
}
