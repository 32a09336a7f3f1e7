/** One import, from the file to the answer of the host: what is known of it, and its moves. */

import {Engine} from '../api/engine.js'
import {EngineProblem, Stopped, loaded} from '../api/problem.js'
import type {
  ApplyMode, Catalog, CatalogSummary, Handling, ImportRecord, Json, Proposal, Question, Verified,
} from '../api/shapes.js'
import type {MessageKey} from '../messages/catalogue.js'
import {Transport} from '../api/transport.js'
import type {Upload} from '../api/upload.js'
import * as events from '../widget/events.js'
import {Attempts} from './attempts.js'
import {ComingBack} from './coming_back.js'
import {fieldsOf, type Field} from './fields.js'
import {verified} from './modes.js'
import {tooLarge} from './trouble.js'
import type {Page} from './page.js'
import type {Sheet} from './sheet.js'
import {Sheets} from './sheets.js'
import {isWorking, phaseOf, stepOf, type Decision, type Phase, type Step} from './steps.js'

export class Flow extends Attempts {
  readonly engine: Engine
  phase: Phase = 'verifying'
  at: Phase = 'upload' // what was shown last, besides how far the engine is: it stays until the person goes on
  step: Step = 'upload' // while the engine reads or changes rows, the step before
  verified: Verified | null = null
  catalogs: CatalogSummary[] = []
  catalog: (Catalog & {title: string}) | null = null
  fields: Field[] = []
  record: ImportRecord | null = null
  questions: Question[] = []
  proposal: Proposal | null = null
  upload: Upload | null = null
  file: File | null = null // the one of this import, while the page is open
  filename = ''
  fileSize = 0
  isApplying = false // from the press of the button until the page heard of it
  seen = new Set<Decision | 'fit'>()
  readonly unkept = new Set<Decision>() // what later imports are not to know
  told = '' // what an answer did, until the review shows it
  isResolving = false // the person works through what is to resolve, also while the rows are made again
  chosen = new Map<string, string | null>() // columns given a field, or none, since the mapping was settled
  readonly #tokens = new Map<string, string>()
  readonly back = new ComingBack(this, this.#tokens)
  #round = 0
  readonly #sheets: Sheets

  constructor(page: Page, sheets = new Sheets()) {
    super(page)
    this.#sheets = sheets
    const token = (recordId: string): string | undefined => this.#tokens.get(recordId)
    this.engine = new Engine(new Transport(page.apiBaseUrl, {key: again => page.key(again), token, language: () => page.language}))
  }

  get #sheetOf(): string { return `${this.engine.transport.base} ${this.catalog?.key ?? ''}` }

  get sheet(): Sheet | null { return this.#sheets.at(this.#sheetOf) }

  set sheet(sheet: Sheet | null) { this.#sheets.put(this.#sheetOf, sheet) }

  get recordId(): string { return this.record?.recordId ?? '' }

  get applyMode(): ApplyMode { return this.verified?.session?.applyMode ?? this.page.applyMode }

  /** Whether rows with errors may be treated so; a key without a session may do everything. Rows that wait for approval stay. */
  may(handling: Handling): boolean { return this.record?.state !== 'staged' && (this.verified?.session?.invalidRows.includes(handling) ?? true) }

  fieldAt(path: string | null): Field | undefined { return this.fields.find(field => field.path === path) }

  /** Show a phase; the page hears of a new step. */
  show(phase: Phase): void {
    const previous = this.step
    const isNew = this.phase !== phase
    this.phase = phase
    if (phase !== 'parsing') this.at = phase
    this.step = stepOf(phase) ?? previous
    if (isNew && previous !== this.step) this.page.dispatchEvent(events.importStep({step: this.step, previous}))
    this.page.requestUpdate()
  }

  /** Ask whether the key is accepted, choose the catalog, and find what was left unfinished. */
  async begin(): Promise<void> {
    await this.attempt(async () => {
      this.verified = await verified(this)
      const wanted = this.verified.session?.catalogKey || this.page.catalogKey
      if (wanted) return await this.adopt(wanted)
      this.catalogs = await this.engine.catalogs()
      if (this.catalogs.length === 1) return await this.adopt(this.catalogs[0]!.key)
      this.show('verifying')
    })
  }

  async adopt(key: string): Promise<void> {
    this.fields = fieldsOf(this.catalog = {title: key, ...await this.engine.catalog(`catalogs/${encodeURIComponent(key)}`)})
    this.page.dispatchEvent(events.importReady({catalogKey: key}))
    this.back.recall()
    if (this.page.recordId) return await this.open(this.page.recordId)
    await this.back.look()
    if (this.phase === 'verifying') this.show('upload')
  }

  /** Go on with an import that exists, with the fields and options it was started with. */
  async open(recordId: string, opened?: () => void): Promise<void> {
    this.record = await this.engine.record(recordId)
    if (this.record.catalogKey) await this.#own(recordId)
    this.filename = this.record.filename
    this.fileSize = this.record.size
    opened?.()
    await this.follow()
  }

  /** Show the fields of an import itself, which may have others than its catalog. */
  async #own(recordId: string): Promise<void> {
    this.fields = fieldsOf(this.catalog = {...this.catalog!, ...await this.engine.catalog(`imports/${recordId}/catalog`)})
  }

  // The file

  async send(file: File): Promise<void> {
    const most = this.page.maxFileSize
    this.filename = file.name
    this.fileSize = file.size
    this.page.dispatchEvent(events.importFile({name: file.name, size: file.size, type: file.type}))
    await this.attempt(async () => {
      if (most && file.size > most) throw tooLarge(this.page, file.size, most)
      this.#restart()
      this.file = file
      const {Upload} = await loaded(import('../api/upload.js'))
      const upload = new Upload(this.engine, file, progress => {
        this.page.dispatchEvent(events.importProgress({phase: 'upload', done: progress.sent, total: progress.total}))
        this.page.requestUpdate()
      })
      this.upload = upload
      this.show('uploading')
      try {
        await upload.run(this.#about, record => this.#created(record))
      } catch (error) {
        this.show('upload')
        throw error
      } finally {
        this.upload = null
      }
      await this.follow()
    })
  }

  async sendRows(rows: Json[]): Promise<void> {
    const key = crypto.randomUUID()
    await this.attempt(async () => {
      await this.createFromRows(rows, 'rows_from_page', key, true)
      await this.follow()
    })
  }

  async createFromRows(rows: Json[], name: MessageKey, key: string, autoMap: boolean): Promise<void> {
    this.#restart()
    this.show('uploading')
    this.filename = this.page.say(name)
    this.#created(await this.engine.createFromRows(rows, {...this.#about, autoMap}, key))
  }

  get #about() {
    const context = this.page.context
    return {catalogKey: this.catalog?.key ?? '', ...(context ? {meta: context} : {})}
  }

  #created(record: ImportRecord): void {
    this.record = record
    if (record.importToken) this.#tokens.set(record.recordId, record.importToken)
    this.back.keep()
  }

  #restart(): void {
    this.#round += 1
    this.record = this.file = null
    this.questions = []
    this.proposal = null
    this.seen.clear()
    this.isResolving = false
    for (const kept of [this.chosen, this.unkept]) kept.clear()
  }

  // Following the engine

  /** Wait until a person must act, then show what there is to do. */
  async follow(): Promise<void> {
    const round = this.#round
    let wait = 5
    while (this.record && isWorking(this.record)) {
      this.show(this.record.state === 'applying' ? 'applying' : 'parsing')
      const record = await this.engine.record(this.recordId, wait)
      if (round !== this.#round) throw new Stopped()
      this.record = record
      wait = 1
      const phase = record.state === 'applying' ? 'apply' : 'read'
      const {done, total} = record.progress
      this.page.dispatchEvent(events.importProgress({phase, done, total}))
      this.page.requestUpdate()
    }
    await this.decide()
  }

  /** Read what a decision needs, and show the phase that follows from it. */
  async decide(): Promise<void> {
    const record = this.record
    if (!record) return this.show('upload')
    if (['mapping', 'review', 'staged'].includes(record.state)) {
      const asked = new Set(this.questions.map(question => question.id))
      const [questions, proposal] = await Promise.all([
        this.engine.questions(record.recordId), this.engine.proposal(record.recordId),
      ])
      this.questions = questions
      this.proposal = proposal
      if (proposal.customFields?.length) await this.#own(record.recordId)
      for (const {id} of questions) {
        if (!asked.has(id)) this.page.dispatchEvent(events.importQuestion({questionId: id}))
      }
    }
    this.show(phaseOf(record, {
      questions: this.questions, columns: this.proposal?.columns ?? [], seen: this.seen, showAll: this.page.showAllSteps, canFix: this.may('fix'), at: this.at,
    }))
  }

  /** The person has looked at a decision: go on to what comes after it. */
  async confirm(decision: Decision): Promise<void> {
    this.seen.add(decision)
    await this.attempt(() => this.decide())
  }

  /** Do something that makes the engine work again, and follow it. */
  async change(work: () => Promise<ImportRecord | unknown>): Promise<boolean> {
    return this.attempt(async () => {
      const refused = await work().then(() => null, (error: unknown) => error instanceof EngineProblem ? error : Promise.reject(error))
      this.record = await this.engine.record(this.recordId)
      // That the import ended meanwhile says more than that it could not be changed.
      if (refused && !['cancelled', 'failed'].includes(this.record.state)) throw refused
      await this.follow()
    })
  }

  answer({id}: Question, value: Json, remember = true): Promise<boolean> {
    return this.change(() => this.engine.answer(id, this.recordId, value, remember))
  }

  dismiss({id}: Question): Promise<boolean> { return this.change(() => this.engine.dismiss(id, this.recordId)) }

  async refreshRecord(): Promise<void> {
    this.record = await this.engine.record(this.recordId)
    this.page.requestUpdate()
  }

  /** Open a step that was passed. */
  goTo(step: Step): void {
    if (step === 'upload') return void this.startOver()
    if (step === 'table' || step === 'columns') this.seen.delete(step)
    if (step === 'review') return void this.confirm('columns')
    if (step !== 'import') this.show(step)
  }

  /** Forget the import here; the engine keeps it, and its id still works. */
  startOver(isAll = false): void {
    this.upload?.cancel()
    this.#restart()
    this.back.forget(isAll)
    this.filename = ''
    this.fileSize = 0
    this.calm()
    this.show(this.catalog ? 'upload' : 'verifying')
  }

  /** Cancel the import. */
  async discard(): Promise<void> {
    const record = this.record
    this.sheet = null
    this.page.dispatchEvent(events.importCancel({recordId: record?.recordId ?? null}))
    this.startOver()
    if (record?.may?.cancel ?? record) {
      await this.attempt(async () => { await this.engine.cancel(record!.recordId) })
    }
  }

  finished(): void { this.back.forget() }

  /** Whether this page has unsaved changes. */
  get hasUnsent(): boolean { return this.upload !== null || this.hasTyped }

  get hasTyped(): boolean { return this.#sheets.hasTyped }

  /** Whether closing now would leave something unfinished. */
  get isUnderWay(): boolean {
    return this.hasUnsent || (this.record !== null && !['done', 'failed'].includes(this.phase))
  }
}
