/** "Answered before": earlier answers that apply here again, next to what is open. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {Question} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {answerLabel, otherAnswers, recalledIn, toldOf, type RecalledQuestion} from '../flow/recalled.js'
import {button, tag} from '../ui/pieces.js'
import {candidateText, questionText} from '../ui/question_text.js'

export const recalledStyles = css`
  .recalled-title { font-size: 13px; color: var(--_fg-2); padding-block-start: 4px; }
`
const FIRST = 5

export class RecalledList {
  readonly #flow: Flow
  /** Show a question with the answers to choose from. */
  readonly #ask: (question: Question, keep: () => void) => TemplateResult
  questions: readonly RecalledQuestion[] = []
  #showsAll = false
  /** The question that is answered otherwise now. */
  #changing = ''

  constructor(flow: Flow, ask: (question: Question, keep: () => void) => TemplateResult) {
    this.#flow = flow
    this.#ask = ask
  }

  /** Read what was recalled; it may have been answered otherwise meanwhile. */
  async look(): Promise<void> {
    await this.#flow.attempt(async () => {
      this.questions = await recalledIn(this.#flow.engine, this.#flow.recordId)
      this.#changing = ''
    })
  }

  render(): TemplateResult | typeof nothing {
    if (!this.questions.length) return nothing
    const {say} = this.#flow.page
    const shown = this.#showsAll ? this.questions : this.questions.slice(0, FIRST)
    return html`<h4 class="recalled-title">${say('recalled_title')}</h4>
      ${shown.map(question => this.#entry(question))}
      ${shown.length < this.questions.length ? button(say('more'), () => { this.#showsAll = true; this.#flow.page.requestUpdate() }, {small: true}) : nothing}`
  }

  #entry(question: RecalledQuestion): TemplateResult {
    const {page} = this.#flow
    const field = this.#flow.fieldAt(question.field)
    const may = {fix: this.#flow.may('fix'), exclude: this.#flow.may('exclude')}
    const candidates = otherAnswers(question, field, may)
    const asked = {...question, candidates}
    const change = (id: string): void => {
      this.#changing = id
      page.requestUpdate()
    }
    if (this.#changing === question.id) return this.#ask(asked, () => change(''))
    const options = question.candidates.length ? question.candidates : otherAnswers(question, field, {fix: true, exclude: true})
    return html`<section class="card entry" aria-label=${page.say('recalled_title')}>
      <div class="line">${tag(field?.label ?? page.say('question'), 'ok')}</div>
      <div>${questionText(question, this.#flow)}</div>
      <bdi class="strong">${candidateText(question, question.answer, answerLabel(question, options), this.#flow)}</bdi>
      <div class="line wrap"><span class="small muted">${toldOf(question.recalled, page)}</span>
        ${candidates.length ? button(page.say('recalled_change'), () => change(question.id), {small: true, kind: 'quiet', disabled: this.#flow.isBusy}) : nothing}</div>
    </section>`
  }
}
