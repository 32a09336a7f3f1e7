/** The review: every row in a grid, the problems next to it, and the import below. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Advising} from '../advice/advising.js'
import {loaded} from '../api/problem.js'
import type {Filter, IssueGroup, Json, Question, RowsPage, View} from '../api/shapes.js'
import type {Awaited, GridEdit, GridSelection, GridSort, ReviewGridElement} from '../grid/types.js'
import type {Field} from '../flow/fields.js'
import {mayMove} from '../flow/moves.js'
import {keepFocus} from '../ui/focus.js'
import {wrongFile} from '../ui/wrong_file.js'
import {Screen} from '../screens/screen.js'
import {testMark} from '../screens/test_mark.js'
import {Changing} from './changing.js'
import {duplicates} from './duplicates.js'
import {Finding} from './finding.js'
import {Finishing} from './finishing.js'
import {gridColumns, gridLabels, optionsSaid} from './grid_setup.js'
import {LeftOutDrawer} from './left_out.js'
import {Planned} from './planned.js'
import {Rail} from './rail.js'
import {Shown} from './shown.js'
import {RowChanges} from './row_changes.js'
import {Rows, type Look} from './source.js'
import {reviewStyles} from './styles.js'
import {toldLine, toolbar} from './toolbar.js'
import {Trial} from './trying.js'

const SEARCH_AFTER_MS = 250

export class ReviewScreen extends Screen {
  static override styles = reviewStyles
  override readonly isFlush = true
  #view: View = {filter: 'all'}
  #rows: Rows | null = null
  #total = 0
  #selected: GridSelection | null = null
  #searching: ReturnType<typeof setTimeout> | undefined
  readonly #columns = gridColumns(this.flow)
  readonly #rail = new Rail(this.flow, {
    pick: group => void this.#pick(group),
    fix: fix => void this.#changes.fix(fix), accept: edits => void this.#changes.accept(edits),
    try: (question, value) => void this.#try(question, value),
    answered: () => this.#goOn(),
  })
  readonly #changing = new Changing(this.flow, () => this.#renew(), () => void this.#travel('undo'))
  readonly #finding = new Finding(this.flow, this.#changing, what => this.#changes.replace(what))
  readonly #leftOut = new LeftOutDrawer(this.flow, () => this.#reload())
  readonly #finishing = new Finishing(this.flow, {
    changed: () => this.#reload(), isUnreadable: () => this.#rows?.isUnreadable ?? false, ask: () => this.#ask(), recalled: () => this.#rail.recalled, deed: () => this.#planned.deed, deleting: () => this.#planned.deleting,
  })
  readonly #changes = new RowChanges(this.flow, this.#changing, this.#finishing, {
    repaint: () => this.#repaint(), readIssues: () => this.#readIssues(), lookAgain: () => this.#lookAgain(), undo: () => this.#undo(),
    changed: changed => this.#advising?.look(changed),
  })
  /** The page's own look at the rows, where it wants to: null while it is loaded. */
  #advising: Advising | null | undefined
  readonly #planned = new Planned(this.flow)
  readonly #duplicates = duplicates(this.flow, {make: (...what) => this.#changes.make(...what), undo: () => this.#travel('undo')})
  #isLeft = false
  #wasUnreadable = false
  /** The first question has not had the focus that was asked for. */
  #mustAsk = false

  override async enter(): Promise<void> {
    this.#total = this.flow.record?.counts.rows ?? 0
    this.#open({filter: 'all'})
    this.#finishing.tell(this.flow.told, this.#undo)
    this.flow.told = ''
    this.#mustAsk = this.flow.isResolving && this.flow.questions.length > 0
    await Promise.all([this.#changes.refreshIssues(), this.#rail.recall(), this.#finishing.look()])
    const change = this.flow.record?.rowsChange
    if (change && this.flow.phase === 'review') void this.#changing.follow(change)
  }

  override leave(): void {
    this.#changing.leave()
    clearTimeout(this.#searching)
    this.#advising?.leave()
    this.#isLeft = true
    this.#planned.leave()
    if (this.flow.phase !== 'parsing') this.flow.isResolving = false
  }
  get #grid(): ReviewGridElement | null { return this.stage.renderRoot.querySelector('si-review-grid') }
  // Views
  get #look(): Look {
    return {shown: new Shown(this.flow.fields, this.format.locale, this.say), delivered: value => this.say('delivered_as', {value}), options: field => optionsSaid(this.flow, field), notes: (row, field) => this.#advising?.notes(row, field) ?? []}
  }

  /** Show other rows: they are chosen as they are now, and stay while they are edited. */
  #open(view: View): void {
    this.#planned.close()
    const revision = this.flow.record?.revision
    this.#rail.trial = null
    this.#view = revision ? {...view, asOf: revision} : view
    const fields = this.flow.fields.filter(field => this.#columns.some(column => column.key === field.path)).map((field: Field) => field.path)
    this.#rows = new Rows(this.flow.engine, this.flow.recordId, fields, this.#view, this.#look, page => this.#heard(page))
    void this.flow.attempt(() => this.#rows!.count())
    this.update()
  }

  /** A page of rows came; null: none came, and nothing is offered for import until one does. */
  #heard(page: RowsPage | null): void {
    if (page && page.total === this.#total && !this.#wasUnreadable) return
    this.#wasUnreadable = page === null
    if (page) this.#total = page.total
    this.update()
  }

  #filter(filter: Filter, search = ''): void {
    this.#rail.current = null
    this.#open({filter, search})
  }

  async #pick(group: IssueGroup | null): Promise<void> {
    if (!group) {
      this.#rail.current = null
      return this.#open({filter: 'all'})
    }
    this.#open({filter: group.severity === 'error' ? 'error' : 'all', field: group.field, code: group.code})
    this.#grid?.showColumn(group.field)
    await this.flow.attempt(() => this.#rail.look(group, this.#view))
  }
  readonly #sort = ({detail}: CustomEvent<GridSort>): void => this.#open({...this.#view, sort: detail})
  readonly #onlyErrors = ({detail: {field}}: CustomEvent<{field: string}>): void => this.#open({filter: 'error', field})

  /** Lead to the first question. */
  #ask(): void {
    this.flow.isResolving = this.#mustAsk = true
    this.update()
  }

  /** Show the rows that an answer would touch, as they are and would be; once more: all rows. */
  async #try(question: Question, value: Json): Promise<void> {
    if (this.#rail.trial?.is(question, value)) return this.#pickAll()
    const trial = new Trial(this.flow, question, value)
    if (!(await this.flow.attempt(() => trial.look()))) return
    this.#rail.trial = trial
    this.#planned.close()
    this.#rail.current = null
    this.update()
  }
  readonly #search = (event: Event): void => {
    const search = (event.target as HTMLInputElement).value
    clearTimeout(this.#searching)
    this.#searching = setTimeout(() => this.#open({filter: this.#view.filter ?? 'all', search}), SEARCH_AFTER_MS)
  }

  /** An answer was taken: the next question is led to, where the rows are still on this screen. */
  #goOn(): void {
    if (this.#isLeft) return
    this.#finishing.tell(this.flow.told, this.#undo)
    this.flow.told = ''
    this.#mustAsk = this.flow.questions.length > 0
    this.#reload()
  }

  /** Everything may have changed: the rows were read or transformed again. */
  #reload(): void {
    if (this.#isLeft || this.flow.phase !== 'review') return
    this.#rail.current = null
    this.#open({filter: 'all'})
    this.#advising?.look()
    void Promise.all([this.#changes.refreshIssues(), this.#rail.recall()])
  }

  async #readIssues(): Promise<void> {
    this.#rail.groups = await this.flow.engine.issues(this.flow.recordId)
    if (this.#rail.current && !this.#rail.groups.some(group => group.code === this.#rail.current?.code && group.field === this.#rail.current.field)) this.#rail.current = null
  }
  // Changes
  #repaint(): void {
    this.#rows?.changed()
    this.#grid?.invalidate()
  }

  /** A worker is done with the rows, or gave them back as they were. */
  async #renew(): Promise<void> {
    await this.flow.refreshRecord()
    this.#repaint()
    this.#advising?.look()
    await this.#changes.refreshIssues()
  }

  /** Let the page look at the rows; how is loaded only for pages that want to. */
  #advise(): void {
    if (!this.page.onRows || this.#advising !== undefined) return
    this.#advising = null
    void this.flow.load(async () => {
      const {Advising} = await loaded(import('../advice/advising.js'))
      if (this.#isLeft) return
      this.#advising = new Advising(this.flow, {repaint: () => this.#repaint(), changed: () => this.#changes.refreshIssues(), undo: () => this.#undo()})
      this.#advising.look()
    })
  }

  readonly #edited = ({detail: {edits}}: CustomEvent<{edits: readonly GridEdit[]}>): void => void this.#changes.edit(edits)
  readonly #excluded = ({detail: {rows, isBack}}: CustomEvent<{rows: readonly number[]; isBack: boolean}>): void => void this.#changes.exclude(rows, isBack)
  readonly #awaited = ({detail: {state}}: CustomEvent<{state: Awaited}>): void => this.#changes.awaited(state)
  readonly #refused = ({detail: {text}}: CustomEvent<{text: string}>): void => this.#finishing.refuse(text)

  /** What is left of the group that is open; all rows where nothing is. */
  async #lookAgain(): Promise<void> {
    const group = this.#rail.current
    if (!group) return this.#open({filter: 'all'})
    await this.flow.attempt(() => this.#rail.look(group, this.#view))
  }
  readonly #undo = (): void => void this.#travel('undo')
  readonly #redo = (): void => void this.#travel('redo')

  /** Go one step back or forth; with an answer or a mapping, questions and rows are others. */
  async #travel(where: 'undo' | 'redo'): Promise<void> {
    if (!mayMove(this.flow.record, where)) return
    const told = (): string => JSON.stringify([this.flow.questions.map(question => question.id), this.flow.proposal?.mapping, this.flow.proposal?.recipe])
    const before = told()
    this.#rail.trial = null
    await this.#changes.make((id, revision) => this.flow.engine[where](id, revision), '', async () => {
      await this.flow.attempt(async () => {
        await this.flow.refreshRecord()
        await this.flow.decide()
      })
      if (told() !== before) return this.#reload()
      await this.#rail.recall()
    })
  }
  readonly #find = (): void => this.stage.renderRoot.querySelector<HTMLInputElement>('.toolbar input')?.focus()
  readonly #select = (event: CustomEvent<GridSelection>): void => void (this.#selected = event.detail)

  async #nextError(direction: 1 | -1): Promise<void> {
    if (this.#planned.isOpen) return this.#filter('error')
    await this.#grid!.nextError(direction)
  }
  /** Where no error is left, the next thing to decide is a question, or what a warning says. */
  readonly #noErrors = (event: Event): void => {
    const {questions, next} = this.#rail
    if (questions.length) this.#ask()
    else if (next) void this.#pick(next).then(() => this.stage.announce(next.message))
    if (questions.length || next) event.preventDefault()
  }
  readonly #keys = (event: KeyboardEvent): void => {
    if (event.key !== 'F8' || event.defaultPrevented) return
    event.preventDefault()
    void this.#nextError(event.shiftKey ? -1 : 1)
  }
  // What is shown
  override render(): TemplateResult {
    const narrow = this.#rail.isClear ? 'wide' : this.flow.isResolving ? 'railed' : ''
    const tried = this.#rail.trial?.counts ? this.#rail.trial : null
    return wrongFile(this.flow, false) ?? html`
      <h2 class="step-title hidden-text" tabindex="-1">${this.say('step_review')}</h2>
      ${testMark(this.flow)}${this.#toolbar()}${this.#line()}
      <div class="review ${narrow}" @keydown=${this.#keys}>
        <div class="rows">${this.#planned.isOpen ? this.#planned.render() : html`<si-review-grid exportparts="grid, cell, cell-error, cell-warning" .locale=${this.format.locale} .columns=${tried?.columns ?? this.#columns} .rowCount=${tried?.rows ?? this.#total} .source=${tried ?? this.#rows} .labels=${gridLabels(this.say, this.flow.may('exclude'))} .sorted=${tried ? undefined : this.#view.sort ?? null} .largest=${this.flow.record?.counts.rows ?? 0}
          @grid-edit=${this.#edited} @grid-exclude=${this.#excluded} @grid-refused=${this.#refused} @grid-awaited=${this.#awaited} @grid-sort=${this.#sort} @grid-filter=${this.#onlyErrors} @grid-select=${this.#select} @grid-undo=${this.#undo} @grid-redo=${this.#redo} @grid-find=${this.#find} @grid-no-errors=${this.#noErrors}></si-review-grid>`}
          ${this.#changing.render()}${this.#advising?.render() ?? nothing}${this.#finishing.undecided()}${this.#finishing.comparison()}${this.#finding.render(this.#view)}</div>
        ${this.#rail.isClear ? nothing : this.#rail.render(this.#finishing.byFile())}
      </div>
      ${this.#leftOut.render()}${this.#duplicates.render()}`
  }

  override footer(): TemplateResult | null {
    return wrongFile(this.flow, false) ? null : this.#finishing.footer()
  }

  override updated(): void {
    this.#advise()
    this.#planned.updated(this.stage.renderRoot)
    for (const part of [this.#duplicates, this.#leftOut, this.#rail, this.#finding]) part.updated(this.stage.renderRoot)
    keepFocus(this.stage.renderRoot, this.flow.isBusy)
    const first = this.#mustAsk && this.stage.renderRoot.querySelector<HTMLElement>('.question :is(.answer, button):enabled')
    if (!first) return
    this.#mustAsk = false
    first.focus()
    first.closest('.entry')?.scrollIntoView({block: 'nearest'})
  }

  #toolbar(): TemplateResult {
    const {record} = this.flow
    const state = {
      view: this.#view, isGrouped: this.#rail.current !== null, changes: this.#planned, decisions: this.#rail.decisions, isClear: this.#rail.isClear,
      isRailOpen: this.flow.isResolving, isFinding: this.#finding.isOpen, canUndo: mayMove(record, 'undo'), canRedo: mayMove(record, 'redo'),
    }
    return toolbar(this.flow, state, {
      filter: filter => this.#filter(filter, this.#view.search), nextError: () => void this.#nextError(1), search: this.#search,
      changes: () => { this.#planned.open(); this.update() }, find: () => this.#finding.toggle(), duplicates: () => this.#duplicates.open(), undo: this.#undo, redo: this.#redo,
      rail: () => { this.flow.isResolving = !this.flow.isResolving; this.update() },
    })
  }

  #line(): TemplateResult {
    const row = this.#view.filter === 'excluded' && this.flow.may('exclude') ? this.#selected?.row ?? null : null
    return toldLine(this.flow, {view: this.#view, total: this.#total, trial: this.#rail.trial}, this.#finishing.facts(() => void this.#leftOut.open()), {
      all: () => this.#pickAll(), putBack: row === null ? null : () => void this.#changes.exclude([row], true),
    })
  }

  #pickAll(): void { this.#filter('all') }
}
