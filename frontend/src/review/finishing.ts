/** The end of the review: what is not imported, the corrected file, and the import itself. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Exported, Wishes} from '../api/engine.js'
import type {Correction} from '../api/outcomes.js'
import {EngineProblem, loaded} from '../api/problem.js'
import type {InvalidRows} from '../api/shapes.js'
import {pause} from '../api/transport.js'
import type {Flow} from '../flow/flow.js'
import {apply} from '../flow/applying.js'
import {watch} from '../flow/step_times.js'
import {isWorking} from '../flow/steps.js'
import {mayMove} from '../flow/moves.js'
import {settledBefore, type RecalledQuestion} from '../flow/recalled.js'
import {save} from '../ui/download.js'
import {few} from '../ui/few.js'
import {icon} from '../ui/icons.js'
import {button} from '../ui/pieces.js'
import {Approval} from './approval.js'
import type {Deleting} from './deleting.js'
import type {Undecided, Waiting} from './undecided.js'

const MOST_NAMES = 4

export interface FinishingActs {
  changed(): void
  /** Whether the rows cannot be shown: rows that no person can look at are not imported. */
  isUnreadable?(): boolean
  /** Lead to the first question. */
  ask?(): void
  /** What the import does to what is known, in short; empty where that is not known. */
  deed?(): string
  /** The choice to delete what is missing from the file. */
  deleting?(): Deleting | null
  /** The answers of earlier imports that apply. */
  recalled?(): readonly RecalledQuestion[]
}

export class Finishing {
  readonly #flow: Flow
  readonly #acts: FinishingActs
  #correction: Correction | null = null
  /** Whether it was asked once more to import rows with errors. */
  #isAsked = false
  /** Whether the other ways to import are shown. */
  #isUnfolded = false
  /** Changes whose rows are being fetched. */
  awaited = 0
  /** What the last change did, or why it was not made. */
  #told = ''
  #undo: (() => void) | null = null
  /** What was not done of the change that is being made. */
  #refusal = ''
  #undecided: Undecided | null = null
  #approval: Approval | null = null
  #staging: string | null = null
  #tables = 0

  constructor(flow: Flow, acts: FinishingActs) {
    this.#flow = flow
    this.#acts = acts
  }

  /** Read how many tables the file has: rows of the others are not imported. */
  async look(): Promise<void> {
    watch(this.#flow)
    const {engine, recordId, page} = this.#flow
    this.#tables = await engine.tables(recordId).then(({tables}) => tables.length, () => 0) // the review does without
    page.requestUpdate()
  }

  /** Columns that are not imported and fields that get nothing, named in one line. */
  facts(openLeftOut: () => void): TemplateResult {
    const {page, proposal} = this.#flow
    const {say} = page
    const {skipped = 0} = this.#flow.record?.counts ?? {}
    const mapping = proposal?.mapping ?? proposal?.proposed.mapping ?? {}
    const fed = [...Object.values(mapping), ...proposal?.filled ?? []]
    const ignored = (proposal?.columns ?? []).map(column => column.column).filter(column => !(column in mapping) && !this.#isRead(column))
    const empty = this.#flow.fields.filter(field => !field.hidden && !fed.includes(field.path)).map(field => field.label)
    const before = settledBefore(proposal, this.#acts.recalled?.() ?? [], say)
    return html`${before.length ? html`<span>${say('as_last_time', {what: before.join(', ')})}
        ${button(say('recalled_change'), () => this.#flow.goTo('columns'), {kind: 'link', small: true})}</span>` : nothing}
      ${ignored.length ? html`<span>${say('ignored_columns', {n: ignored.length, columns: few(ignored, MOST_NAMES, page)})}</span>` : nothing}
      ${empty.length ? html`<span>${say('empty_fields', {n: empty.length, fields: few(empty, MOST_NAMES, page)})}</span>` : nothing}
      ${skipped ? button(say('left_out_title', {n: skipped}), openLeftOut, {kind: 'link', small: true}) : nothing}
      ${this.#tables > 1 ? button(say('tables_found', {n: this.#tables}), () => this.#flow.goTo('table'), {kind: 'link', small: true}) : nothing}`
  }

  #isRead(column: string): boolean {
    const steps = this.#flow.proposal?.recipe?.steps ?? []
    return steps.some(step => step['column'] === column || (Array.isArray(step['columns']) && step['columns'].includes(column)))
  }

  /** What waits, with its buttons; read once for each changeset, and again if a person retries. */
  #staged(): TemplateResult {
    const {record, page} = this.#flow
    if (record!.changesetId !== this.#staging) {
      this.#staging = record!.changesetId
      this.#approval = null
      void this.#flow.load(async () => {
        this.#approval = await Approval.of(this.#flow)
        page.requestUpdate()
      })
    }
    return this.#approval?.footer() ?? html``
  }

  footer(): TemplateResult {
    if (this.#flow.record?.state === 'staged') return this.#staged()
    const {say} = this.#flow.page
    const {rows = 0, error = 0, excluded = 0} = this.#flow.record?.counts ?? {}
    const open = this.#flow.questions.length
    const good = rows - excluded - error
    const isUnreadable = this.#acts.isUnreadable?.() ?? false
    const isBusy = this.#flow.isBusy || this.awaited > 0
    const disabled = isBusy || isUnreadable
    const mustFix = error > 0 && !this.#flow.may('exclude') && !this.#flow.may('include')
    const isSaved = !isBusy && !this.#flow.trouble // a change on its way is not saved yet
    const said = isUnreadable ? say('rows_not_shown') : mustFix ? say('must_fix', {n: error}) : isSaved && !this.#told && !this.#refusal ? say('all_saved') : ''
    return html`${button(say('back'), () => this.#flow.goTo('columns'), {kind: 'quiet'})}
      <span class="grow small muted said" role="status">${this.#told ? html`<span class="strong">${this.#told}</span>` : ''}
        ${this.#undo ? button(say('undo'), this.#undo, {kind: 'link', small: true, disabled: this.#flow.isBusy || !mayMove(this.#flow.record, 'undo')}) : nothing}
        ${this.#refusal ? html`<span class="strong">${this.#refusal}</span>` : nothing}
        ${said}</span>
      ${isUnreadable ? button(say('try_again'), () => this.#acts.changed(), {disabled: this.#flow.isBusy}) : nothing}
      ${open && !isUnreadable ? button(say('answer_n', {n: open}), () => this.#acts.ask?.(), {kind: 'primary', disabled}) : error ? html`
        <span class="split" @keydown=${(event: KeyboardEvent) => { if (event.key === 'Escape' && this.#isUnfolded) this.#fold(event) }} @focusout=${(event: FocusEvent) => this.#left(event)}>
          ${this.#flow.may('exclude') ? this.#import(say('import_valid', {n: good}), 'exclude', disabled || good < 1) : nothing}
          ${this.#flow.may('include') ? this.#others(disabled) : nothing}</span>`
        : this.#import(say('import_all', {n: good}), 'block', disabled || good < 1)}
      ${this.#isAsked && error ? this.#including(error, rows - excluded, disabled) : nothing}`
  }

  /** The button that imports: it says what that does, and is not the main one where something is deleted. */
  #import(text: string, how: InvalidRows, disabled: boolean): TemplateResult {
    return button(this.#label(this.#acts.deed?.() || text), () => void this.#apply(how), {kind: this.#kind, disabled})
  }

  get #kind(): 'danger' | 'primary' { return this.#acts.deleting?.()?.isChosen ? 'danger' : 'primary' }

  #label(deed: string): string { return this.#acts.deleting?.()?.label(deed) ?? deed }

  /** Show what a change did, with its way back, or why it was not made. */
  tell(told: string, undo: (() => void) | null = null): void {
    this.#told = told
    this.#undo = told ? undo : null
    this.#flow.page.requestUpdate()
  }

  /** Show what was refused, also after the rest of the change is saved: until the next one begins. */
  refuse(text: string): void {
    this.tell('')
    this.#refusal = text
  }

  /** A change begins: what was refused of the one before is over. */
  begin(): void {
    this.#refusal = ''
    this.#undecided = null
  }

  #ask(isAsked: boolean): void {
    this.#isAsked = isAsked
    this.#unfold(false)
  }

  /** What few people want is a press further away than the import of what is valid. */
  #others(disabled: boolean): TemplateResult {
    const {say} = this.#flow.page
    const include = button(say('include_errors'), () => this.#ask(true), {disabled})
    if (!this.#flow.may('exclude')) return include
    return html`<button type="button" class="button ${this.#kind} unfold" part="button" aria-label=${say('other_ways')} aria-expanded=${this.#isUnfolded} ?disabled=${disabled} @click=${() => this.#unfold(!this.#isUnfolded)}>${icon('next')}</button>
      ${this.#isUnfolded ? html`<span class="card folded">${include}</span>` : nothing}`
  }

  #unfold(isUnfolded: boolean): void {
    this.#isUnfolded = isUnfolded
    this.#flow.page.requestUpdate()
  }

  #fold(event: Event): void {
    const around = event.currentTarget as Element
    event.stopPropagation() // Escape closes the choice, not the dialog around it
    around.querySelector<HTMLElement>('.unfold')?.focus()
    this.#unfold(false)
  }

  #left({currentTarget, relatedTarget}: FocusEvent): void {
    if (relatedTarget instanceof Node && !(currentTarget as Node).contains(relatedTarget)) this.#unfold(false)
  }

  /** What importing rows with errors does, before it is done. */
  #including(error: number, all: number, disabled: boolean): TemplateResult {
    const {say} = this.#flow.page
    return html`<dialog class="ask" part="dialog" aria-labelledby="include-title" @cancel=${() => this.#ask(false)}>
      <h2 id="include-title">${say('include_title', {n: error})}</h2>
      <p class="muted">${say('include_detail')}</p>
      <div class="row">
        ${button(say('cancel'), () => this.#ask(false), {autofocus: true})}
        ${button(this.#label(say('import_anyway', {n: all})), () => { this.#ask(false); void this.#apply('include') }, {kind: 'danger', disabled})}
      </div>
    </dialog>`
  }

  /** Correct what is wrong in a spreadsheet: take the rows along, and bring them back. */
  byFile(): TemplateResult | typeof nothing {
    const {say} = this.#flow.page
    const n = this.#flow.record?.counts.error ?? 0
    if (!n) return nothing
    return html`<section class="card entry" aria-labelledby="by-file">
      <h4 id="by-file">${say('by_file')}</h4>
      <div class="line wrap">
        ${button(say('download_errors', {n}), () => void this.download(), {icon: 'download', small: true, disabled: this.#flow.isBusy})}
        ${this.#flow.may('fix') ? button(say('send_corrected'), () => this.#picker(), {icon: 'up', small: true, disabled: this.#flow.isBusy}) : nothing}
      </div>
    </section>`
  }

  /** What a corrected file would change, before it is taken. */
  comparison(): TemplateResult | typeof nothing {
    const found = this.#correction?.comparison
    if (!found) return nothing
    const {say} = this.#flow.page
    return html`<div class="notice" part="notice"><div class="grow"><strong>${say('corrected_title', {n: found.changedCells})}</strong>
      ${found.staleRows ? say('corrected_stale', {n: found.staleRows}) : nothing} ${found.unknownLines ? say('corrected_unknown', {n: found.unknownLines}) : nothing}</div>
      ${button(say('cancel'), () => { this.#correction = null; this.#flow.page.requestUpdate() }, {small: true})}
      ${button(say('take_corrections'), () => void this.#confirm(), {small: true, kind: 'primary', disabled: this.#flow.isBusy || !found.changedCells})}</div>`
  }

  /** Save rows with their reasons; more than a workbook holds come as CSV. */
  async download(which: Exported = 'error'): Promise<void> {
    const {engine, recordId, filename} = this.#flow
    const isTooLarge = (error: unknown): boolean => error instanceof EngineProblem && error.code === 'workbook_too_large'
    let format: 'xlsx' | 'csv' = 'xlsx'
    await this.#flow.attempt(async () => {
      for (;;) {
        const blob = await engine.export(recordId, which, format).catch((error: unknown) => {
          if (!isTooLarge(error)) throw error
          format = 'csv'
        })
        if (blob) return save(blob, `${filename.replace(/\.[^.]+$/, '')}-${which === 'error' ? 'errors' : which}.${format}`)
        if (format === 'xlsx') await pause(500)
      }
    })
  }

  #picker(): void {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = '.xlsx,.csv'
    input.addEventListener('change', () => { if (input.files?.[0]) void this.#send(input.files[0]) })
    input.click()
  }

  async #send(file: File): Promise<void> {
    const {engine, recordId} = this.#flow
    await this.#flow.attempt(async () => {
      let correction = await engine.sendCorrections(recordId, file)
      while (isWorking(correction)) {
        await pause(400)
        correction = await engine.correction(recordId, correction.correctionId)
      }
      if (!correction.comparison) throw new EngineProblem(422, correction.problem ?? {detail: this.#flow.page.say('failed_detail')})
      this.#correction = correction
    })
  }

  async #confirm(): Promise<void> {
    const {engine, recordId} = this.#flow
    const id = this.#correction!.correctionId
    await this.#flow.attempt(async () => {
      await engine.confirmCorrection(recordId, id)
      await this.#flow.refreshRecord()
      this.#correction = null
      this.#acts.changed()
    })
  }

  /** What the person decides or confirms before the import; nothing where nothing waits. */
  undecided(): TemplateResult | typeof nothing {
    return html`${this.#undecided?.render() ?? nothing}${this.#acts.deleting?.()?.render() ?? nothing}`
  }

  async #apply(invalidRows: InvalidRows, wishes: Wishes = {}): Promise<void> {
    this.#undecided = null
    const deleting = this.#acts.deleting?.()
    const again = (more: Wishes): void => void this.#apply(invalidRows, {...wishes, ...more})
    if (deleting && wishes.confirmMissing === undefined && !await deleting.isCurrent(again)) return
    await apply(this.#flow, invalidRows, {...wishes, ...deleting?.wishes}, problem =>
      problem.code === 'undecided_fields' ? this.#decide(problem, wishes, again) : deleting?.refused(problem, again))
  }

  async #decide({body}: EngineProblem, {fields}: Wishes, again: (wishes: Wishes) => void): Promise<void> {
    const {Undecided} = await loaded(import('./undecided.js'))
    this.#undecided = await Undecided.of(this.#flow, body['fields'] as Waiting[], chosen => again({fields: {...fields, ...chosen}}))
  }
}
