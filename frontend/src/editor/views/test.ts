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
      } while (this.#kept.some(one => one.running))
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
        <p class="small muted">${say('kept_tests_about')}</p>${this.#kept.map(one => this.#card(one))}</aside></div>`
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
    const proposed = columns.filter(one => one.field).length
    const asked = report.questions.length
    const former = report.publishedVersion
    return html`<div><h2>${say('tested_summary', {proposed, all: columns.length, asked, errors: draft.errors})}</h2>
        ${published && former ? html`<p class="small muted">${say('tested_published', {version: former ?? '', errors: published.errors})}</p>` : nothing}</div>
      ${missing.length ? notice('err', say('missing_required', {fields: format.list(missing.map(one => this.#labelOf(one)))})) : nothing}
      <div class="scroll card" tabindex="0" role="group" aria-label=${say('columns')}><table class="tested"><thead><tr><th scope="col">${say('column_in_file')}</th><th scope="col">${say('proposed_field')}</th><th scope="col">${say('values_fit')}</th><th scope="col">${say('errors')}</th></tr></thead>
        <tbody>${columns.map(one => this.#column(one))}</tbody></table></div>
      ${issues.length ? html`<div class="scroll card" tabindex="0" role="group" aria-label=${say('rows_with_errors')}><table class="tested"><thead><tr><th scope="col">${say('rows_with_errors')}</th><th scope="col">${say('value_reason')}</th><th scope="col" class="end">${say('draft')}</th><th scope="col" class="end">${former ? say('version_n', {version: former}) : ''}</th></tr></thead>
        <tbody>${issues.map(one => html`<tr><th scope="row">${this.#labelOf(one.field)}</th><td>${one.example ? html`<code>${one.example.value}</code> ${say('in_row', {row: one.example.row})} <span class="muted">${one.example.message}</span>` : one.code}</td>
          <td class="end number"><strong>${format.number(one.draft)}</strong></td><td class="end number">${one.published === null ? '–' : format.number(one.published)}</td></tr>`)}</tbody></table></div>` : nothing}`
  }

  #column(one: TestedColumn): TemplateResult {
    const {say, format} = this.#desk
    return html`<tr class=${one.question ? 'asked' : ''}><th scope="row"><bdi>${one.column}</bdi><code class="below clip">${one.samples.slice(0, 3).join(', ')}</code></th>
      <td>${one.question ? html`${tag(say('question'), 'warn', 'question')}<span class="below">${one.question.candidates.map(each => (typeof each === 'string' ? this.#labelOf(each) : say('not_imported'))).join(', ')}</span>` : one.field ? html`${this.#labelOf(one.field)}<span class="below">${one.reason ?? nothing}</span>` : html`<span class="muted">${say('not_imported')}</span><span class="below">${one.reason ?? nothing}</span>`}</td>
      <td>${one.fits === null ? '–' : html`<span class="row"><meter min="0" max="1" .value=${one.fits} aria-label=${say('values_fit')}></meter><span class="number">${format.percent(one.fits)}</span></span>${one.publishedFits !== null && one.publishedFits !== one.fits ? html`<span class="below">${say('fits_published', {share: format.percent(one.publishedFits)})}</span>` : nothing}`}</td>
      <td>${one.errors ? html`<span class="err">${say('errors_n', {n: one.errors})}</span>` : one.warnings ? html`<span class="warn">${say('warnings_n', {n: one.warnings})}</span>` : one.field ? html`<span class="ok">${say('no_errors')}</span>` : '–'}${one.empty ? html`<span class="below">${say('empty_n', {n: one.empty})}</span>` : nothing}</td></tr>`
  }

  #card(one: KeptTest): TemplateResult {
    const {say, format, mayEdit, engine} = this.#desk
    const {last} = one
    const state = one.running ? 'running' : last.state
    const tone = state === 'passes' ? 'ok' : state === 'fails' ? 'err' : ''
    const again = (act: () => Promise<unknown>): void => void this.#run(async () => {
      await act()
      this.#kept = await engine.keptTests(this.#draft.key)
    })
    return html`<div class="card kept ${state}"><div class="row">${tag(say(`test_${state}`), tone, tone === 'ok' ? 'check' : tone === 'err' ? 'close' : undefined)}<span class="grow"></span><span class="small muted">${last.at ? format.moment(last.at) : ''}</span></div>
      <code><bdi>${one.name}</bdi></code>${last.differences?.length ? html`<ul class="small">${last.differences.map(each => html`<li>${each}</li>`)}</ul>` : nothing}
      ${mayEdit ? html`<div class="row tight">${state === 'fails' ? button(say('expect_now'), () => again(() => engine.expectTest(this.#draft.key, one.id, last.got)), {small: true, kind: 'quiet', disabled: this.#isBusy}) : nothing}
        ${button('', () => again(() => engine.dropTest(this.#draft.key, one.id)), {small: true, kind: 'quiet', sign: 'bin', label: `${say('drop_test')}: ${one.name}`, disabled: this.#isBusy})}</div>` : nothing}</div>`
  }
}
