/** "To resolve": questions first, then the issues in groups with what mends a whole group. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {Fix} from '../api/engine.js'
import type {Candidate, IssueGroup, Json, LeftOut, Question, View} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {isNear, nearest} from '../grid/options.js'
import type {GridEdit} from '../grid/types.js'
import {mayEdit, mayReadAgain} from '../flow/moves.js'
import type {MessageKey} from '../messages/catalogue.js'
import {Combobox, comboboxStyles} from '../ui/combobox.js'
import {button, tag} from '../ui/pieces.js'
import {candidateText, questionText, readingOf} from '../ui/question_text.js'
import {optionsSaid} from './grid_setup.js'
import {Shown} from './shown.js'
import type {RecalledQuestion} from '../flow/recalled.js'
import {RecalledList, recalledStyles} from './recalled_list.js'
import type {Trial} from './trying.js'

export const railStyles = css`
  ${recalledStyles} ${comboboxStyles}
  .rail { display: flex; flex-direction: column; gap: 10px; padding: 14px; overflow: auto; border-inline-start: 1px solid var(--_line); background: var(--_bg-2); min-inline-size: 0; }
  .rail .head { display: flex; align-items: center; gap: 8px; }
  .rail h3 { font-size: 13.5px; flex: 1; }
  .entry { padding: 11px 12px; display: flex; flex-direction: column; gap: 8px; font-size: 13px; text-align: start; flex: none; }
  .entry.question { border-color: var(--_warn); }
  .entry.current { border-color: var(--_accent); background: var(--_accent-soft); }
  .entry .line { display: flex; gap: 8px; align-items: center; }
  .entry .count { margin-inline-start: auto; color: var(--_fg-3); }
  .entry .pick { font: inherit; color: inherit; text-align: start; background: none; border: 0; padding: 0; cursor: pointer; display: flex; flex-direction: column; gap: 7px; }
  .entry .button { white-space: normal; line-height: 1.25; text-align: start; }
  .entry .set-value .button { white-space: nowrap; } /* Japanese would break after each sign */
  .answers { display: grid; gap: 6px; }
  .answer { font: inherit; text-align: start; color: inherit; background: var(--_bg); border: 1px solid var(--_line-strong); border-radius: var(--_radius-s); padding: 8px 10px; display: grid; gap: 2px; cursor: pointer; }
  .answer:hover { border-color: var(--_accent); background: var(--_accent-soft); }
  .answer[aria-pressed='true'] { border-color: var(--_accent); background: var(--_accent-soft); }
  .answer .line { justify-content: start; }
  /* What is below the first question stays where it is when an answer is tried. */
  .outcome { display: grid; gap: 8px; justify-items: start; align-content: start; }
  .head + .question .outcome { min-block-size: 76px; }
  .does { display: flex; gap: 2px 12px; flex-wrap: wrap; font-size: 12.5px; }
  .does .ok { color: var(--_ok); }
  .does .err { color: var(--_err); }
  .set-value { display: flex; gap: 6px; }
  .set-value .picker { flex: 1; }
  .set-value :is(.input, .select) { min-block-size: 28px; padding: 2px 8px; }
`

const DATES = /^date|^datetime/
const MOST_PAIRED = 100 // rows that are read to name what was guessed
const NUMBERS = /^(int|float|percentage|currency_)/

export interface OfferedFix {
  fix: Fix
  cells: number
  of: number
}

export interface RailActs {
  pick(group: IssueGroup | null): void
  fix(fix: Fix): void
  /** Take a guess of the engine as the text of these rows. */
  accept(edits: GridEdit[]): void
  /** Show what an answer would do, or no longer. */
  try(question: Question, value: Json): void
  answered(): void
}

/** How the texts of a group may be read otherwise. */
export function readings(type: string): string[] {
  if (DATES.test(type)) return ['dmy', 'mdy', 'ymd']
  return NUMBERS.test(type) ? ['eu', 'us'] : []
}

export class Rail {
  groups: IssueGroup[] = []
  current: IssueGroup | null = null
  offers: OfferedFix[] = []
  /** Texts that were taken for other values, and how often. */
  #pairs = new Map<string, {label: string; rows: number[]}>()
  /** The answer whose rows the grid shows. */
  trial: Trial | null = null
  readonly #flow: Flow
  readonly #acts: RailActs
  #value = ''
  /** What a cell of the group reads now: options near to it come first. */
  #text = ''
  readonly #combobox = new Combobox(() => this.#flow.page.requestUpdate())
  readonly #recalled: RecalledList
  /** What was left out and restored, where an answer could leave it out again. */
  #left: LeftOut | null = null

  constructor(flow: Flow, acts: RailActs) {
    this.#flow = flow
    this.#acts = acts
    this.#recalled = new RecalledList(flow, (question, keep) => this.#question(question, '', keep))
  }

  get questions(): Question[] { return this.#flow.questions }

  updated(root: ParentNode): void { this.#combobox.updated(root) }

  /** Read what earlier imports answered, and what an answer may not leave out again. */
  async recall(): Promise<void> {
    await this.#recalled.look()
    if (this.#flow.may('exclude') || !this.questions.some(({kind}) => kind === 'joined_lines')) return
    await this.#flow.attempt(async () => { this.#left = await this.#flow.engine.leftOut(this.#flow.recordId) })
  }

  /** Ask what a group's fixes would do, before any is offered. */
  async look(group: IssueGroup, view: View): Promise<void> {
    this.current = group
    this.#value = ''
    this.offers = []
    this.#pairs.clear()
    if (!group.field || !mayEdit(this.#flow, group.field)) return
    const {engine, recordId, record} = this.#flow
    if (group.severity === 'warning') return this.#pair(group, view)
    const [first] = (await engine.rows(recordId, view, 0, 1)).rows
    this.#text = first?.issues.find(({field, code}) => field === group.field && code === group.code)?.value ?? ''
    const kinds = readings(this.#flow.fieldAt(group.field)?.columnType ?? '')
    const looked = await Promise.all(kinds.map(async readAs => {
      const fix = {field: group.field!, code: group.code, readAs}
      const {cells, of} = await engine.previewFix(recordId, record!.revision, fix)
      return {fix, cells, of}
    }))
    this.offers = looked.filter(offer => offer.cells > 0)
  }

  /** Read which texts were taken for which values. */
  async #pair({field, code}: IssueGroup, view: View): Promise<void> {
    const {engine, recordId, page: {format, say}} = this.#flow
    const look = new Shown(this.#flow.fields, format.locale, say)
    for (const {row, values, issues} of (await engine.rows(recordId, view, 0, MOST_PAIRED)).rows) {
      const text = issues.find(issue => issue.field === field && issue.code === code)?.value
      const {text: label} = look.value(field, values[field] ?? null)
      if (!text || !label || text === label) continue
      this.#pairs.set(text, {label, rows: [...this.#pairs.get(text)?.rows ?? [], row]})
    }
  }

  /** Groups that no open question decides, errors first, what has most rows before the rest. */
  get #open(): IssueGroup[] {
    const asked = new Set(this.questions.map(({field}) => field))
    const weight = ({severity, count}: IssueGroup): number => severity === 'error' ? count + 1e9 : count
    return this.groups.filter(({field}) => !asked.has(field)).sort((one, other) => weight(other) - weight(one))
  }

  /** The group after the one that is open; null where that is the only one. */
  get next(): IssueGroup | null {
    const open = this.#open
    const at = open.findIndex(({code, field}) => this.current?.code === code && this.current.field === field)
    const after = open[(at + 1) % open.length]
    return after && after !== open[at] ? after : null
  }

  /** How much is left to decide. */
  get decisions(): number { return this.questions.length + this.#open.length }

  /** Whether there is nothing to show. */
  get isClear(): boolean { return !this.decisions && !this.recalled.length }

  get recalled(): readonly RecalledQuestion[] { return this.#recalled.questions }

  /** byFile: how errors are corrected elsewhere. */
  render(byFile: TemplateResult | typeof nothing): TemplateResult {
    const say = this.#flow.page.say
    const {rows = 0, error = 0, excluded = 0} = this.#flow.record?.counts ?? {}
    return html`<aside class="rail" aria-label=${say('to_resolve')}>
      <div class="head"><h3>${this.decisions ? say('decisions_left', {n: this.decisions, rows: rows - error - excluded}) : say('all_clear')}</h3></div>
      ${this.questions.map((question, at) => this.#question(question, say('place_of', {at: at + 1, n: this.questions.length})))}
      ${this.questions.length > 1 ? button(say('take_suggestions'), () => void this.#takeAll(), {small: true}) : nothing}
      ${this.#open.map(group => this.#group(group))}
      ${this.#recalled.render()}
      ${byFile}
    </aside>`
  }

  /** place: which of the open ones it is. keep: it is answered, and may stay so. */
  #question(question: Question, place: string, keep: (() => void) | null = null): TemplateResult {
    const {say} = this.#flow.page
    const field = this.#flow.fieldAt(question.field)?.label
    const isLet = question.kind !== 'joined_lines' || mayReadAgain(this.#left, this.#flow.may('exclude'))
    const candidates = isLet ? question.candidates : []
    const title = questionText(question, this.#flow)
    const evidence = question.evidence.filter(line => line !== title).slice(0, 3)
    const {trial} = this
    return html`<section class="card entry question" aria-label="${say('question')} ${place}" @keydown=${(event: KeyboardEvent) => this.#key(event, question, candidates)}>
      <div class="line">${tag(field ?? say('question'), 'warn', 'question')}<span class="count small">${place}</span></div>
      <div><strong>${title}</strong></div>
      ${evidence.length ? html`<p class="small muted"><bdi>${evidence.join(' · ')}</bdi></p>` : nothing}
      <div class="answers">${candidates.map((candidate, at) => {
        const isTried = trial?.is(question, candidate.value) ?? false
        return html`<button type="button" class="answer" part="button" aria-pressed=${isTried} ?disabled=${this.#flow.isBusy} @click=${() => this.#acts.try(question, candidate.value)}>
        <span class="line"><span class="kbd" aria-hidden="true">${at + 1}</span><bdi class="strong grow">${candidateText(question, candidate.value, candidate.label, this.#flow)}</bdi>${JSON.stringify(candidate.value) === JSON.stringify(question.default) ? tag(say('suggested'), 'accent') : nothing}</span>
        ${readingOf(question, candidate.value, this.#flow)} ${[candidate.effect, candidate.reason].map(line => line ? html`<span class="small muted">${line}</span>` : nothing)}
      </button>`
      })}</div>
      <div class="line">${keep
        ? button(say('cancel'), keep, {small: true, kind: 'quiet'})
        : question.kind === 'drift' ? nothing : button(say('keep_as_is'), () => void this.#keep(question), {small: true, kind: 'quiet', disabled: this.#flow.isBusy})}</div>
      <div class="outcome">${trial?.question.id === question.id ? html`${trial.counts ? this.#does(trial) : nothing}
        ${button(say('use_answer', {answer: trial.label}), () => void this.#answer(question, trial.value), {small: true, kind: 'primary', disabled: this.#flow.isBusy})}` : nothing}</div>
    </section>`
  }

  /** What mends, what breaks, and what would change in silence. */
  #does(trial: Trial): TemplateResult {
    const {say} = this.#flow.page
    const {fixed, broken, changed} = trial.counts!
    return html`<span class="does" role="status">
      ${fixed ? html`<span class="ok">${say('rows_fixed', {n: fixed})}</span>` : nothing}
      ${broken ? html`<span class="err">${say('rows_broken', {n: broken})}</span>` : nothing}
      <span>${fixed + broken + changed ? say('rows_changed', {n: changed}) : say('changes_nothing')}</span>
    </span>`
  }

  /** A digit shows what an answer does; once more, and it is taken. */
  #key(event: KeyboardEvent, question: Question, candidates: readonly Candidate[]): void {
    const found = candidates[Number(event.key) - 1]
    if (!found || this.#flow.isBusy || (event.target as Element).matches('input')) return
    event.preventDefault()
    if (this.trial?.is(question, found.value)) void this.#answer(question, found.value)
    else this.#acts.try(question, found.value)
  }

  async #answer(question: Question, value: Question['default']): Promise<void> {
    const name = this.#flow.fieldAt(question.field)?.label
    this.#flow.told = [name, this.trial?.label].filter(Boolean).join(': ')
    this.#flow.isResolving = true
    if (await this.#flow.answer(question, value)) this.#acts.answered()
  }

  async #keep(question: Question): Promise<void> {
    this.#flow.isResolving = true
    if (await this.#flow.dismiss(question)) this.#acts.answered()
  }

  async #takeAll(): Promise<void> {
    const {engine, recordId} = this.#flow
    this.#flow.isResolving = true
    if (await this.#flow.change(() => engine.acceptAll(recordId))) this.#acts.answered()
  }

  #group(group: IssueGroup): TemplateResult {
    const {say} = this.#flow.page
    const isCurrent = this.current?.code === group.code && this.current.field === group.field
    const tone = group.severity === 'error' ? 'err' : 'warn'
    const field = this.#flow.fieldAt(group.field)?.label ?? group.field ?? say('row')
    return html`<section class="card entry ${isCurrent ? 'current' : ''}" part="issue">
      <button type="button" class="pick" aria-pressed=${isCurrent} @click=${() => this.#acts.pick(isCurrent ? null : group)}>
        <span class="line">${tag(html`<bdi>${field}</bdi>`, tone)}<span class="count number">${say('rows', {n: group.count})}</span></span>
        <span>${isCurrent && this.#pairs.size ? nothing : group.message}${group.code === 'unknown_option' ? ` ${optionsSaid(this.#flow, group.field)}` : ''}</span>
      </button>
      ${isCurrent && group.field ? this.#fixes(group) : nothing}
    </section>`
  }

  /** What all cells of a group shall read: one of the options, where the field takes no other text. */
  #valueInput(path: string, disabled: boolean): TemplateResult {
    const label = this.#flow.page.say('set_all_to')
    const {dropdownOptions: options, allowCustomOptions, isMultiSelect} = this.#flow.fieldAt(path) ?? {}
    const set = (value: string): void => { this.#value = value }
    if (options?.length && !allowCustomOptions && !isMultiSelect) {
      const choice = (text: string) => ({value: text, text})
      const labels = options.map(option => option.label)
      return this.#combobox.render('set-all', labels.map(choice), this.#value, set, label, this.#flow.page.say('nothing_found'),
        (_, search) => nearest(labels, search || this.#text).filter(text => !search || isNear(search, text)).map(choice))
    }
    return html`<input class="input" aria-label=${label} placeholder=${label} ?disabled=${disabled} @input=${(event: Event) => set((event.target as HTMLInputElement).value)}>`
  }

  #fixes(group: IssueGroup): TemplateResult {
    const {say} = this.#flow.page
    const {field, code} = group as {field: string; code: string}
    const disabled = this.#flow.isBusy
    const canFix = mayEdit(this.#flow, field)
    const pairs = [...this.#pairs]
    return html`${pairs.map(([text, {label, rows}]) => html`<div class="line wrap"><span class="grow"><bdi class="strong">${text}</bdi> → <bdi class="strong">${label}</bdi>, ${say('rows', {n: pairs.length > 1 ? rows.length : group.count})}</span>
      ${button(say('accept'), () => pairs.length > 1 ? this.#acts.accept(rows.map(row => ({row, field, text: label}))) : this.#acts.fix({field, code, text: label}), {small: true, disabled})}</div>`)}
      ${canFix ? html`
      ${this.offers.map(offer => html`<div class="line wrap">${button(say(`read_${offer.fix.readAs}` as MessageKey), () => this.#acts.fix(offer.fix), {small: true, disabled})}
        <span class="small muted">${say('fixes_of', {n: offer.cells, of: offer.of})}</span></div>`)}
      <form class="set-value" @submit=${(event: Event) => { event.preventDefault(); if (this.#value) this.#acts.fix({field, code, text: this.#value}) }}>
        ${this.#valueInput(field, disabled)}
        <button class="button small" part="button" ?disabled=${disabled}>${say('set')}</button>
      </form>` : nothing}
      <div class="line wrap">
        ${!canFix || this.#flow.fieldAt(field)?.required ? nothing : button(say('clear_all'), () => this.#acts.fix({field, code, text: null}), {small: true, disabled})}
        ${this.#flow.may('exclude') ? button(say('leave_out_all', {n: group.count}), () => this.#acts.fix({field, code, exclude: true}), {small: true, disabled}) : nothing}
      </div>`
  }
}
