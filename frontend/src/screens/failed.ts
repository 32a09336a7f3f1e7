/** An import that cannot go on: what the engine said of the file, and what to do. */

import {html, type TemplateResult} from 'lit'

import {button, notice} from '../ui/pieces.js'
import * as events from '../widget/events.js'
import {Screen} from './screen.js'

export class FailedScreen extends Screen {
  /** The page hears of a file that cannot be used, or that somebody gave up, as of every other trouble. */
  override enter(): void {
    const {state = 'failed', problem} = this.flow.record ?? {}
    const {code = state, status = 0, detail = ''} = problem ?? {}
    this.page.dispatchEvent(events.importError({code, status, message: detail, retryable: state === 'failed'}))
  }

  override render(): TemplateResult {
    const problem = this.flow.record?.problem
    const isCancelled = this.flow.record?.state === 'cancelled'
    const heading = isCancelled ? this.say('cancelled_title') : (problem?.title ?? this.say('failed_title'))
    const detail = isCancelled ? this.say('cancelled_detail') : (problem?.detail ?? this.say('failed_detail'))
    return notice(isCancelled ? 'warn' : 'err', html`
      <h2 class="step-title" tabindex="-1">${heading}</h2>
      <p>${detail}</p>
      <div class="row wrap trouble-actions">
        ${button(this.say('other_file'), () => this.flow.startOver(), {kind: 'primary', small: true})}
        ${isCancelled ? '' : button(this.say('try_again'), () => void this.flow.change(() => this.flow.engine.retry(this.flow.recordId)), {small: true})}
        ${problem?.code ? html`<span class="small muted">${this.say('code')} <span class="mono">${problem.code}</span></span>` : ''}
      </div>`)
  }
}
