/** A change of rows that a worker makes: how far it is, how it ended, and the way back. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {BulkChange} from '../api/outcomes.js'
import {Stopped} from '../api/problem.js'
import type {Changed} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {mayMove, mayStop} from '../flow/moves.js'
import type {MessageKey} from '../messages/catalogue.js'
import {sayOr} from '../messages/words.js'
import {button} from '../ui/pieces.js'

export const changingStyles = css`
  .changing { display: flex; gap: 10px; align-items: center; padding: 8px 16px; min-block-size: 51px; background: var(--_bg-2); flex-wrap: wrap; }
  .changing progress { inline-size: 180px; accent-color: var(--_accent); }
`

const PAUSE_MS = 300 // the engine holds an answer back only while it has a place for it
const STAGES: Record<string, MessageKey> = {'': 'change_waiting', finding: 'change_finding', changing: 'change_changing'}

/** Return whether a worker makes the change. */
export const isBulk = (changed: Changed | BulkChange): changed is BulkChange => 'changeId' in changed

export class Changing {
  readonly #flow: Flow
  readonly #ended: () => Promise<void>
  readonly #undo: () => void
  #change: BulkChange | null = null
  #round = 0
  /** The changes that were asked for here. */
  readonly #own = new Set<string>()

  constructor(flow: Flow, ended: () => Promise<void>, undo: () => void) {
    this.#flow = flow
    this.#ended = ended
    this.#undo = undo
  }

  get isRunning(): boolean { return this.#change?.state === 'running' }

  /** Follow a change that was asked for here. */
  async followOwn(change: BulkChange): Promise<void> {
    this.#own.add(change.changeId)
    await this.follow(change)
  }

  /** Show how far a change is until it is over. */
  async follow(change: BulkChange): Promise<void> {
    const round = ++this.#round
    this.#change = change
    await this.#flow.attempt(async () => {
      while (this.#change?.state === 'running') {
        const now = await this.#ask(change, '?wait=1')
        if (round !== this.#round) throw new Stopped()
        this.#change = now
        this.#flow.page.requestUpdate()
        if (now.state === 'running') await new Promise(done => setTimeout(done, PAUSE_MS))
      }
      await this.#ended()
    })
  }

  /** Nothing follows a change on a screen that was left. */
  leave(): void {
    this.#round += 1
    this.#change = null
  }

  /** What is said of a change belongs to the rows as it left them. */
  clear(): void {
    if (!this.isRunning) this.#change = null
  }

  #ask({recordId, changeId}: BulkChange, more: string, method: 'GET' | 'POST' = 'GET'): Promise<BulkChange> {
    return this.#flow.engine.transport.json(`imports/${recordId}/rows/changes/${changeId}${more}`, {method})
  }

  /** Cancel the change; its followers are told of that, or of its end. */
  async #cancel(change: BulkChange): Promise<void> {
    await this.#ask(change, '/cancel', 'POST').catch(() => undefined)
  }

  render(): TemplateResult | typeof nothing {
    const change = this.#change
    if (!change) return nothing
    const {say} = this.#flow.page
    const {state, stage, done, total, cells, problem} = change
    if (state === 'running') {
      const part = total ? (stage === 'changing' ? total + done : done) / (2 * total) : 0
      const said = say(STAGES[stage] ?? 'change_changing', {done, total})
      return html`<div class="changing"><progress aria-label=${say('find_replace')} .value=${part}></progress>
        <span class="small grow">${said}</span>${mayStop(change, this.#own, this.#flow.verified) ? button(say('cancel'), () => void this.#cancel(change), {small: true}) : nothing}</div>`
    }
    const said = state === 'done' ? say('change_done', {n: cells}) : state === 'failed' ? problem?.detail : sayOr(say, `change_${state}`, state)
    return html`<div class="changing" role="status"><span class="small grow">${said}</span>
      ${state === 'done' && mayMove(this.#flow.record, 'undo') ? button(say('undo'), this.#undo, {icon: 'undo', small: true, disabled: this.#flow.isBusy}) : nothing}
      ${button('', () => { this.clear(); this.#flow.page.requestUpdate() }, {icon: 'close', kind: 'quiet', label: say('close')})}</div>`
  }
}
