/** What went wrong with a call, as a notice. */

import {html, nothing, type TemplateResult} from 'lit'

import {EngineProblem, isTrouble, type Trouble} from '../../api/problem.js'
import type {Desk} from '../desk.js'
import {button, notice} from '../ui/pieces.js'

export function troubled(desk: Desk, trouble: Trouble | null, again: (() => void) | null = null): TemplateResult | typeof nothing {
  if (!trouble) return nothing
  return notice('err', troubleText(desk, trouble), again ? button(desk.say('try_again'), again, {small: true}) : nothing)
}

export function troubleText(desk: Desk, trouble: Trouble): TemplateResult {
  if (!(trouble instanceof EngineProblem)) return html`<strong>${desk.say(trouble.code === 'offline' ? 'offline' : 'unreachable')}</strong>`
  const errors = trouble.body.errors ?? []
  return html`<strong>${trouble.kind === 'key' || trouble.kind === 'expired' ? desk.say('session_expired') : trouble.message}</strong>
    ${errors.slice(0, 5).map(error => html`<br><span class="small">${error.pointer ? html`<code>${error.pointer}</code> ` : nothing}${'test' in error ? html`<bdi>${error.test}</bdi>: ` : nothing}${error.detail}</span>`)}`
}

/** Run a call; give what went wrong, so that a view can show it. */
export async function attempt(act: () => Promise<unknown>): Promise<Trouble | null> {
  try {
    await act()
    return null
  } catch (error) {
    if (!isTrouble(error)) throw error
    return error
  }
}
