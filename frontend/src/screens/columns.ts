/** Which column feeds which field: one row per column, what is unsure first to see. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {EngineProblem} from '../api/problem.js'
import type {Candidate, Json, Proposal, ProposedColumn, Question} from '../api/shapes.js'
import {NEW, answersIn, assign, columnsOf, draftOf, fedOf, fieldIn, isUnanswered, isUnfit, OF_SEVERAL, suggested, type Draft} from '../flow/mapping.js'
import {recalledFor, recalledIn, toldOf, type RecalledQuestion} from '../flow/recalled.js'
import {watch} from '../flow/step_times.js'
import {decisionOf, isDoubtful} from '../flow/steps.js'
import {Combobox, comboboxStyles, isLong} from '../ui/combobox.js'
import {keepFocus} from '../ui/focus.js'
import {icon} from '../ui/icons.js'
import {button, notice, select, tag, title} from '../ui/pieces.js'
import {candidateText, questionText} from '../ui/question_text.js'
import {wrongFile} from '../ui/wrong_file.js'
import {AskedFields} from './asked_fields.js'
import {customFields} from './custom_fields.js'
import {onward} from './onward.js'
import {RecipeEditor, recipeStyles} from './recipe.js'
import {Screen} from './screen.js'
import {testMark} from './test_mark.js'

const MOST_BUTTONS = 4

export class ColumnsScreen extends Screen {
  static override styles = css`
    ${recipeStyles} ${comboboxStyles}
    .summary { display: flex; gap: 10px; align-items: center; padding: 16px 20px 14px; flex-wrap: wrap; }
    .summary .input { inline-size: 210px; min-block-size: 30px; }
    .matches { display: grid; grid-template-columns: minmax(0, 1fr); }
    .match { display: grid; grid-template-columns: minmax(0, 5fr) 28px minmax(0, 5fr) minmax(0, 6fr); gap: 4px 14px; align-items: center; padding: 9px 20px; border-block-end: 1px solid var(--_line); min-block-size: 58px; }
    .match.head { min-block-size: 34px; padding-block: 0; background: var(--_bg-2); color: var(--_fg-2); font-weight: 600; font-size: 13px; border-block-start: 1px solid var(--_line); }
    .match.asked { background: var(--_warn-soft); }
    .match.asked .tag { background: none; padding-inline-start: 0; }
    .match .arrow { color: var(--_fg-3); display: grid; place-items: center; }
    .match .why { display: flex; gap: 12px; align-items: center; font-size: 12.5px; color: var(--_fg-2); }
    .match .why .tag { min-inline-size: 92px; justify-content: center; }
    .samples { color: var(--_fg-3); display: block; text-align: match-parent; }
    @container service-import (inline-size < 760px) {
      .match.head { display: none; }
      .match { grid-template-columns: minmax(0, 1fr) auto; gap: 8px; margin: 8px 12px; padding: 12px; border: 1px solid var(--_line); border-radius: var(--_radius); }
      .match .arrow { display: none; }
      .match .target, .match .why { grid-column: 1 / -1; }
      .matches { padding-block: 4px; }
      .match.first, .match.check { order: -1; }
      .match.field .target { order: -1; }
      .summary { padding: 14px 16px 6px; }
      .summary > .grow { flex-basis: 100%; }
      .summary .input { inline-size: 100%; }
    }
  `
  override readonly isFlush = true
  #draft: Draft = {mapping: {}, recipe: null}
  #find = ''
  #isChanged = false
  /** Required fields without a column, once the engine named them. */
  #unfed: string[] = []
  #mayLeave = false
  /** The row whose buttons were just replaced by its list. */
  #answered = -1
  /** What earlier imports answered about columns. */
  #recalled: RecalledQuestion[] = []
  readonly #combobox = new Combobox(() => this.update())
  readonly #recipe = new RecipeEditor(this.flow, this.#combobox, draft => this.#become(draft))
  readonly #custom = customFields(this.flow, draft => this.#become(draft))
  readonly #fields = new AskedFields(this.flow, draft => this.#become(draft))

  override async enter(): Promise<void> {
    watch(this.flow)
    if (!this.#proposal) return
    this.#draft = draftOf(this.#proposal)
    // A person's choice stays when an answer made the engine propose again.
    const names = new Set(columnsOf(this.#proposal, this.#draft).map(column => column.column))
    for (const [column, field] of this.flow.chosen) {
      if (names.has(column)) this.#draft = assign(this.#draft, column, field)
      this.#isChanged = true
    }
    this.#fields.ask(this.#questions.filter(question => question.kind === 'required_field'))
    await this.flow.attempt(async () => { this.#recalled = await recalledIn(this.flow.engine, this.flow.recordId) })
  }

  override updated(): void {
    this.#combobox.updated(this.stage.renderRoot)
    if (this.#answered >= 0) this.stage.renderRoot.querySelectorAll<HTMLElement>('.match.column .target')[this.#answered]?.querySelector<HTMLElement>('.select')?.focus()
    this.#answered = -1
    keepFocus(this.stage.renderRoot, this.flow.isBusy)
  }

  get #proposal(): Proposal | null {
    return this.flow.proposal
  }

  get #questions(): Question[] {
    return this.flow.questions.filter(question => decisionOf(question) === 'columns')
  }

  /** The question whose answer is what the column feeds. */
  #questionOf(column: string): Question | undefined {
    return this.#questions.find(({kind, columns}) => (kind === 'column' || kind === 'columns') && columns.includes(column))
  }

  #isOpen(question: Question): boolean {
    return isUnanswered(question, this.flow.chosen)
  }

  get #isUnfit(): boolean {
    return !this.flow.seen.has('fit') && isUnfit(this.#proposal!, this.#questions, this.flow.fields)
  }

  #become(draft: Draft): void {
    this.#draft = draft
    this.#isChanged = true
    this.#unfed = []
    this.update()
  }

  override render(): TemplateResult {
    const proposal = this.#proposal
    if (!proposal) return html``
    const wrong = wrongFile(this.flow, this.#isUnfit)
    if (wrong) return wrong
    const columns = columnsOf(proposal, this.#draft)
    const wanted = this.#find.toLowerCase()
    const shown = columns.filter(column => column.column.toLowerCase().includes(wanted) && !this.#fields.owns(column.column, this.#draft))
    const others = this.#questions.filter(({kind}) => OF_SEVERAL.has(kind))
    return html`${testMark(this.flow)}
      <div class="summary">
        ${title(this.say('columns_title'), this.#summary(columns))}
        ${isLong(columns.length) ? html`<input class="input" type="search" placeholder=${this.say('find_column')} aria-label=${this.say('find_column')} @input=${(event: Event) => { this.#find = (event.target as HTMLInputElement).value; this.update() }}>` : nothing}
        ${this.#recipe.opener()}
        ${button(this.say('reset_suggestions'), () => { this.flow.chosen.clear(); this.#become(suggested(proposal)) }, {small: true})}
      </div>
      ${others.length ? html`<div class="stack asked-above">${others.map(question => this.#asked(question))}</div>` : nothing}
      ${this.#recipe.render(this.#draft, columns, step => this.#fields.owns(String(step['into']), this.#draft), proposal.modelSteps)}
      <div class="matches" role="list" part="table">
        <div class="match head" aria-hidden="true"><span>${this.say('column_in_file')}</span><span></span><span>${this.say('field_in', {catalog: this.flow.catalog?.title ?? ''})}</span><span>${this.say('why')}</span></div>
        ${this.#fields.render(this.#draft, columns)}
        ${shown.map(column => this.#match(column, columns.indexOf(column)))}
      </div>
      ${this.#unfed.length ? html`<div class="asked-above unfed">${notice('warn', this.say('go_on_without', {n: this.#unfed.length, fields: this.format.list(this.#unfed)}), undefined,
        button(this.say('leave_empty_go_on'), () => void this.#settle(true), {small: true, disabled: this.flow.isBusy}))}</div>` : nothing}`
  }

  override footer(): TemplateResult | null {
    if (!this.#proposal || wrongFile(this.flow, this.#isUnfit)) return null
    return onward(this.flow, 'table', 'columns', 'remember_mapping', () => void this.#settle())
  }

  #summary(columns: ProposedColumn[]): string {
    const mapped = columns.filter(({column}) => fedOf(this.#draft, column)).length
    const open = this.#questions.filter(question => OF_SEVERAL.has(question.kind) || (question.kind !== 'required_field' && this.#isOpen(question))).length + this.#fields.open(this.#draft)
    const missing = this.#missing()
    return [
      this.say('matched_of', {n: mapped, total: columns.length}),
      open ? this.say('questions_open', {n: open}) : '',
      missing.length ? this.say('required_missing', {fields: this.format.list(missing)}) : this.say('required_complete'),
    ].filter(Boolean).join(' ')
  }

  #missing(): string[] {
    const fed = new Set(Object.values(this.#draft.mapping))
    return this.flow.fields.filter(field => field.required && !field.hidden && !fed.has(field.path)).map(field => field.label)
  }

  #match(column: ProposedColumn, at: number): TemplateResult {
    const question = this.#questionOf(column.column)
    const isAsked = question !== undefined && !this.flow.chosen.has(column.column) && this.#isOpen(question)
    const isCheck = !isAsked && isDoubtful(column) && this.#draft.mapping[column.column] === column.field
    return html`<div class="match column ${question ? 'first' : ''} ${isAsked ? 'asked' : ''} ${isCheck ? 'check' : ''}" role="listitem">
      <div class="clip"><bdi class="strong">${column.column}</bdi><bdi class="samples mono clip">${column.samples.slice(0, 3).join(' · ')}</bdi></div>
      <span class="arrow">${icon('arrow')}</span>
      <div class="target">${isAsked ? this.#buttons(question, column.column, at) : html`${this.#select(column, at)}${this.#custom.render(this.#draft, column.column)}`}</div>
      ${this.#why(column, isAsked)}
    </div>`
  }

  #why(column: ProposedColumn, isAsked: boolean): TemplateResult {
    const now = fedOf(this.#draft, column.column)
    const isOurs = now === column.field
    const status = isAsked
      ? tag(this.say('question'), 'warn', 'question')
      : now === null ? tag(this.say('skipped'))
        : !isOurs ? tag(this.say('by_you'), 'accent', 'check')
          : isDoubtful(column) ? tag(this.say('check'), 'warn') : tag(this.say('matched'), 'ok')
    const recalled = isOurs ? recalledFor(column.column, this.#recalled) : undefined
    const reason = recalled ? toldOf(recalled.recalled, this.page) : isOurs ? column.reason : now === null ? '' : this.say('chosen_by_you')
    return html`<div class="why">${status}<span>${reason}</span></div>`
  }

  #buttons(question: Question, column: string, at: number): TemplateResult {
    const fields = new Map<string, string>()
    const wide: Candidate[] = []
    for (const candidate of question.candidates) {
      const field = fieldIn(candidate.value, column)
      if (field) fields.set(field, candidate.label)
      else if (field === null && column === question.columns[0]) wide.push(candidate)
    }
    return html`<div class="row wrap" role="group" aria-label=${this.say('ask_column', {column})}>
      ${wide.map(({value, label, effect}) => button(label, () => void this.#answer(question, value), {small: true, label: effect}))}
      ${[...fields].slice(0, MOST_BUTTONS).map(([field, label]) => button(this.flow.fieldAt(field)?.label ?? label, () => this.#choose(column, field, at), {small: true}))}
      ${button(this.say('neither'), () => this.#choose(column, null, at), {small: true, kind: 'quiet'})}
    </div>`
  }

  /** Feed a field, or none; the ledger hears of it when the step is left. */
  #choose(column: string, field: string | null, at = -1): void {
    this.#answered = at
    this.flow.chosen.set(column, field)
    this.#become(assign(this.#draft, column, field))
  }

  #select(column: ProposedColumn, at: number): TemplateResult {
    const now = fedOf(this.#draft, column.column) ?? ''
    const taken = new Set(Object.values(this.#draft.mapping))
    const fields = this.flow.fields.filter(field => !field.hidden || field.path === now)
    const entries = [...new Set(fields.map(field => field.entry))]
    const choices = fields.map(field => ({
      value: field.path,
      text: `${field.label}${field.required ? ' *' : ''}${taken.has(field.path) && field.path !== now ? ` (${this.say('taken')})` : ''}`,
      ...(entries.length > 1 ? {group: field.entry} : {}),
    }))
    const none = [{value: '', text: this.say('do_not_import')}, ...this.#custom.choices()]
    const label = this.say('field_for', {column: column.column})
    const change = (value: string): void => value === NEW ? this.#custom.add(this.#draft, column.column) : this.#choose(column.column, value || null)
    if (isLong(fields.length)) return this.#combobox.render(`field-${at}`, [...none, ...choices], now, change, label, this.say('nothing_found'))
    const grouped = entries.map(entry => ({group: entry, choices: choices.filter(choice => choice.group === entry)}))
    return select([...none, ...(entries.length > 1 ? grouped : choices)], now, change, label)
  }

  #asked(question: Question): TemplateResult {
    return notice('warn', html`<strong>${questionText(question, this.flow)}</strong>
      ${question.evidence.length ? html`<p class="small muted"><bdi>${question.evidence.slice(0, 3).join(' · ')}</bdi></p>` : nothing}
      <div class="row wrap trouble-actions">${question.candidates.map(candidate => button(
        candidateText(question, candidate.value, candidate.label, this.flow),
        () => void this.#answer(question, candidate.value),
        {small: true, ...(candidate.effect ? {label: `${candidate.label}: ${candidate.effect}`} : {})}))}
      ${question.candidates.some(candidate => candidate.value === null) ? nothing : button(this.say('keep_as_is'), () => void this.flow.dismiss(question).then(() => this.enter()), {small: true, kind: 'quiet'})}</div>`, 'question')
  }

  async #answer(question: Question, value: Json): Promise<void> {
    if (await this.flow.answer(question, value, !this.flow.unkept.has('columns'))) this.enter()
  }

  /** Tell the ledger what was answered, settle what was changed, and go on. */
  async #settle(allowMissing = false): Promise<void> {
    const {engine, recordId, record} = this.flow
    this.flow.seen.add('columns')
    const answers = answersIn(this.#questions, this.flow.chosen, this.#draft)
    const mustSettle = this.#isChanged || record?.state === 'mapping' || this.flow.unkept.has('columns')
    if (!mustSettle) {
      const isSaid = await this.flow.attempt(async () => {
        for (const {id} of this.#questions) await engine.dismiss(id, recordId)
      })
      if (isSaid) await this.flow.confirm('columns')
      return
    }
    let isTaken = false
    await this.flow.attempt(async () => {
      for (const [id, value] of answers) {
        await engine.answer(id, recordId, value, !this.flow.unkept.has('columns'))
        await this.#settled()
      }
      isTaken = await engine.settle(recordId, this.#draft, !this.flow.unkept.has('columns'), allowMissing).then(() => true, (error: unknown) => this.#ask(error))
    })
    if (!isTaken) return this.#unfed.length ? this.#showUnfed(allowMissing) : undefined
    this.#unfed = []
    this.flow.chosen.clear()
    await this.flow.change(async () => {})
  }

  /** Required fields without a column are asked about in one line; what else goes wrong is told. */
  #ask(error: unknown): false {
    const {code, body} = error as EngineProblem
    if (code !== 'required_unmapped') throw error
    this.flow.seen.delete('columns')
    const missing = this.flow.fields.filter(({path, label}) => body.missing?.some(each => each.label === label && path.startsWith(each.entity) && path.endsWith(each.field)))
    this.#unfed = (body.missing ?? []).map(field => field.label)
    this.#mayLeave = this.#fields.areLeft(missing.map(({path}) => path))
    if (this.#mayLeave) return false
    this.#fields.missing(missing)
    this.stage.announce(this.say('go_on_without', {n: this.#unfed.length, fields: this.format.list(this.#unfed)}))
    return false
  }

  /** What the person said stays empty needs no second word. */
  async #showUnfed(isAllowed: boolean): Promise<void> {
    if (this.#mayLeave && !isAllowed) return this.#settle(true)
    this.stage.renderRoot.querySelector('.unfed')?.scrollIntoView({block: 'nearest'})
  }

  /** An answer makes the engine work again; what follows waits for that. */
  async #settled(): Promise<void> {
    const {engine, recordId} = this.flow
    while (['reading', 'transforming'].includes((await engine.record(recordId, 10)).state));
  }
}
