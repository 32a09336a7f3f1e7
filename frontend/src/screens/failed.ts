/** An import that cannot go on: what the engine said of the file, and what to do. */

import {html, type TemplateResult} from 'lit'

import {button, notice} from '../ui/pieces.js'
import * as events from '../widget/events.js'
import {Screen} from './screen.js'

export class FailedScreen extends Screen {
  /** The page hears of a file that cannot be used, or of an import that was cancelled, as of every other problem. */
  override enter(): void {
    if (!this.#isUnknown) this.flow.finished()
    const {state = 'failed', problem} = this.flow.record ?? {}
    const {code = this.#isUnknown ? 'unknown_state' : state, status = 0, detail = ''} = problem ?? {}
    this.page.dispatchEvent(events.importError({code, status, message: detail, retryable: state !== 'cancelled'}))
  }

  /** Whether a later engine says what this page has no step for. */
  get #isUnknown(): boolean {
    return !['failed', 'cancelled'].includes(this.flow.record?.state ?? 'failed')
  }

  override render(): TemplateResult {
    if (this.#isUnknown) return this.#unknown(this.flow.record!.state)
    const problem = this.flow.record?.problem
    const isCancelled = this.flow.record?.state === 'cancelled'
    const heading = isCancelled ? this.say('cancelled_title') : (problem?.title ?? this.say('failed_title'))
    const detail = isCancelled ? this.say('cancelled_detail') : (problem?.detail ?? this.say('failed_detail'))
    return notice(isCancelled ? 'warn' : 'err', html`
      <h2 class="step-title" tabindex="-1">${heading}</h2>
      <p>${detail}</p>
      ${/^(password_|wrong_p)/.test(problem?.code ?? '') ? this.#locked() : ''}
      <div class="row wrap trouble-actions">
        ${button(this.say('other_file'), () => this.flow.startOver(), {kind: 'primary', small: true})}
        ${problem?.code !== 'internal_error' ? '' : button(this.say('try_again'), () => void this.flow.change(() => this.flow.engine.retry(this.flow.recordId)), {small: true})}
        ${problem?.code ? html`<span class="small muted">${this.say('code')} <span class="mono">${problem.code}</span></span>` : ''}
      </div>`)
  }

  /** The engine uses the password once; here it is forgotten with its field. */
  #locked(): TemplateResult {
    const open = (event: Event): void => {
      event.preventDefault()
      const form = event.target as HTMLFormElement
      const {value} = form.elements[0] as HTMLInputElement
      form.reset()
      void this.flow.change(() => this.flow.engine.unlock(this.flow.recordId, value))
    }
    return html`<form class="row wrap" @submit=${open}>
      <label>${this.say('password')} <input class="input" type="password" required maxlength="255" autocomplete="off"></label>
      <button class="button small">${this.say('imports_open')}</button>
    </form>`
  }

  #unknown(state: string): TemplateResult {
    return notice('warn', html`
      <h2 class="step-title" tabindex="-1">${this.say('unknown_title')}</h2>
      <p>${this.say('unknown_detail', {state})}</p>
      <div class="row wrap trouble-actions">
        ${button(this.say('try_again'), () => void this.flow.change(async () => {}), {kind: 'primary', small: true})}
        ${button(this.say('start_over'), () => this.flow.startOver(), {small: true})}
      </div>`)
  }
}
