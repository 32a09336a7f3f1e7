/** Texts that are none of a field's options, each with what it may mean. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {Json, Question, Values} from '../api/shapes.js'
import {decisionOf} from '../flow/steps.js'
import {keepFocus} from '../ui/focus.js'
import {icon} from '../ui/icons.js'
import {button, select, tag, title} from '../ui/pieces.js'
import {onward} from './onward.js'
import {Screen} from './screen.js'

const EMPTY = '\u0000empty'
const OPEN = ''
const LIKELY = 60 // of 100: a less likely one is not suggested

export class ValuesScreen extends Screen {
  static override styles = css`
    .values { padding: 16px 20px 20px; display: flex; flex-direction: column; gap: 14px; }
    .group { overflow: hidden; }
    .group > header { display: flex; gap: 10px; align-items: center; padding: 11px 14px; border-block-end: 1px solid var(--_line); }
    .group h3 { font-size: 14px; }
    .value { display: grid; grid-template-columns: minmax(0, 4fr) 28px minmax(0, 5fr) minmax(0, 5fr); gap: 4px 12px; align-items: center; padding: 8px 14px; border-block-end: 1px solid var(--_line); }
    .value:last-child { border: 0; }
    .value.open { background: var(--_warn-soft); }
    .value .arrow { color: var(--_fg-3); display: grid; place-items: center; }
    @container service-import (inline-size < 640px) { .value { grid-template-columns: minmax(0, 1fr) auto; } .value .arrow { display: none; } .value .target { grid-column: 1 / -1; } }
  `
  override readonly isFlush = true
  #groups: Values[] = []
  #chosen = new Map<string, Map<string, string>>()

  get #questions(): Question[] {
    return this.flow.questions.filter(question => decisionOf(question) === 'values')
  }

  override async enter(): Promise<void> {
    await this.flow.attempt(async () => {
      const fields = [...new Set(this.#questions.map(question => question.field))]
      this.#groups = await Promise.all(fields.map(field => this.flow.engine.values(this.flow.recordId, field)))
    })
  }

  override updated(): void {
    keepFocus(this.stage.renderRoot, this.flow.isBusy)
  }

  override render(): TemplateResult {
    const open = this.#groups.reduce((sum, group) => sum + group.unmatched.length, 0)
    return html`<div class="values">
      <div class="row wrap">${title(this.say('values_title'), this.#groups.length ? this.say('values_hint', {n: open}) : nothing)}
        ${this.#questions.some(question => question.default !== null) ? button(this.say('take_suggestions'), () => this.#takeAll(), {small: true}) : nothing}</div>
      ${this.#groups.map(group => this.#group(group))}
    </div>`
  }

  override footer(): TemplateResult {
    return onward(this.flow, 'columns', 'values', 'remember_values', () => void this.#settle())
  }

  #group(group: Values): TemplateResult {
    const field = this.flow.fieldAt(group.field)
    const options = group.options.map(option => ({value: `=${JSON.stringify(option.value)}`, text: option.label}))
    const open = group.unmatched.filter(({value}) => !this.#chosen.get(group.field)?.has(value)).length
    const rest = field?.allowCustomOptions ? this.say('keep_as_is') : this.say('decide_later')
    return html`<section class="card group" aria-label=${field?.label ?? group.field}>
      <header><h3><bdi>${field?.label ?? group.field}</bdi></h3><span class="small muted grow">${open ? this.say('values_open', {n: open}) : nothing}</span></header>
      ${group.unmatched.map(({value, count}) => {
        const now = this.#chosen.get(group.field)?.get(value) ?? OPEN
        return html`<div class="value ${now === OPEN ? 'open' : ''}">
          <div class="clip"><bdi class="strong">${value}</bdi> <span class="small muted">${this.say('rows', {n: count})}</span></div>
          <span class="arrow">${icon('arrow')}</span>
          <div class="target">${select([{value: OPEN, text: rest}, ...(field?.required ? [] : [{value: EMPTY, text: this.say('leave_empty')}]), ...options], now, choice => this.#choose(group.field, value, choice), this.say('meaning_of', {value}))}</div>
          <div class="small muted">${this.#why(group, value, now)}</div>
        </div>`
      })}</section>`
  }

  #asked(field: string, value: string): Question | undefined {
    return this.#questions.find(question => question.field === field && question.evidence[0] === value)
  }

  #why(group: Values, value: string, now: string): TemplateResult {
    if (now !== OPEN) return tag(this.say('by_you'), 'accent', 'check')
    const question = this.#asked(group.field, value)
    const likely = question?.candidates.find(candidate => candidate.value !== null
      && (candidate.value === question.default || (candidate.score ?? 0) >= LIKELY))
    const best = likely ?? question?.candidates.find(candidate => candidate.reason)
    if (!best) return tag(this.say('question'), 'warn', 'question')
    const take = ({currentTarget}: Event): void => {
      (currentTarget as Element).closest('.value')?.querySelector('select')?.focus() // the button goes
      this.#choose(group.field, value, `=${JSON.stringify(best.value)}`)
    }
    return html`${button(this.say('suggestion', {value: best.label}), take, {small: true})} ${[best.effect, best.reason].filter(Boolean).join(' · ')}`
  }

  #choose(field: string, value: string, choice: string): void {
    const chosen = this.#chosen.get(field) ?? new Map<string, string>()
    if (choice === OPEN) chosen.delete(value)
    else chosen.set(value, choice)
    this.#chosen.set(field, chosen)
    this.update()
  }

  #takeAll(): void {
    for (const question of this.#questions) {
      if (question.default === null) continue
      this.#choose(question.field, question.evidence[0] ?? '', `=${JSON.stringify(question.default)}`)
    }
  }

  /** Settle what was chosen; the rest stays a question of the review. */
  async #settle(): Promise<void> {
    const {engine, recordId} = this.flow
    const chosen = [...this.#chosen].filter(([, values]) => values.size)
    if (!chosen.length) return void (await this.flow.confirm('values'))
    this.flow.seen.add('values')
    await this.flow.change(async () => {
      for (const [field, values] of chosen) {
        const meant = [...values].map(([text, choice]): [string, Json] => [text, choice === EMPTY ? null : (JSON.parse(choice.slice(1)) as Json)])
        await engine.settleValues(recordId, field, Object.fromEntries(meant), !this.flow.unkept.has('values'))
        while (['reading', 'transforming'].includes((await engine.record(recordId, 10)).state));
      }
    })
  }
}
