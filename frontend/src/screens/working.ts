/** While a file is sent or the engine works: numbers, and a way out. */

import {css, html, nothing, type TemplateResult} from 'lit'

import {mayMove} from '../flow/moves.js'
import {watch} from '../flow/step_times.js'
import {button, notice} from '../ui/pieces.js'
import type {MessageKey} from '../messages/catalogue.js'
import {Screen} from './screen.js'

const TITLES: Partial<Record<string, MessageKey>> = {
  received: 'reading_title', reading: 'reading_title', transforming: 'transforming_title', applying: 'applying_title',
}

export class WorkingScreen extends Screen {
  static override styles = css`
    .working { padding: 20px; display: grid; gap: 12px; max-inline-size: 620px; margin: 6vh auto; inline-size: 100%; }
    .working h2 { font-size: 15px; }
  `

  override enter(): void {
    watch(this.flow)
    for (const name of ['online', 'offline']) addEventListener(name, this.#changed)
  }

  override leave(): void {
    for (const name of ['online', 'offline']) removeEventListener(name, this.#changed)
  }

  readonly #changed = (): void => this.update()

  override render(): TemplateResult {
    return html`<div class="card working">${this.flow.upload ? this.#sending() : this.#working()}</div>`
  }

  #sending(): TemplateResult {
    const upload = this.flow.upload!
    const {sent, total, rate} = upload.progress
    const isInParts = sent > 0 || upload.isPaused
    const heading = this.say('uploading_title', {name: this.flow.filename})
    return html`
      <h2 class="step-title" tabindex="-1">${heading}</h2>
      ${navigator.onLine ? nothing : notice('warn', html`<strong>${this.say('offline_title')}</strong> ${this.say('offline_detail')}`, 'link')}
      <progress class="progress" aria-label=${heading} max=${total} value=${isInParts ? sent : nothing}></progress>
      <div class="row small muted">
        <span class="number grow">${this.#sent(sent, total, rate, upload.isPaused)}</span>
        ${isInParts ? button(this.say(upload.isPaused ? 'go_on' : 'pause'), () => {
          if (upload.isPaused) upload.resume()
          else upload.pause()
          this.update()
        }, {small: true}) : nothing}
        ${button(this.say('cancel'), () => { upload.cancel(); this.flow.startOver() }, {small: true, kind: 'quiet'})}
      </div>`
  }

  #sent(sent: number, total: number, rate: number | null, isPaused: boolean): string {
    const of = {done: this.format.bytes(sent), total: this.format.bytes(total)}
    if (isPaused) return this.say('sent_paused', of)
    if (!rate || !sent) return this.format.bytes(total)
    return this.say('sent_of', {...of, rate: this.format.bytes(rate), n: Math.max(1, Math.round((total - sent) / rate))})
  }

  #working(): TemplateResult {
    const record = this.flow.record
    const {done, total} = record?.progress ?? {done: 0, total: null}
    const heading = this.say(TITLES[record?.state ?? 'reading'] ?? 'reading_title')
    const isApplying = record?.state === 'applying'
    return html`
      <h2 class="step-title" tabindex="-1">${heading}</h2>
      <progress class="progress" aria-label=${heading} max=${total || 1} value=${total && done ? done : nothing}></progress>
      <div class="row small muted">
        <span class="number grow">${done ? total ? this.say('rows_of', {done, total, n: total}) : this.say('rows_so_far', {n: done}) : this.say('starting')}</span>
        ${isApplying || !mayMove(record, 'cancel') ? nothing : button(this.say('cancel'), () => void this.flow.discard(), {small: true, kind: 'quiet'})}
      </div>
      <p class="small muted">${this.say(this.flow.back.isKept ? 'may_leave' : 'may_close')}</p>`
  }
}
