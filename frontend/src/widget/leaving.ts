/** Closing with something unfinished: what stays, and what goes. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Flow} from '../flow/flow.js'
import {mayMove} from '../flow/moves.js'
import {button} from '../ui/pieces.js'

export function leaving(flow: Flow, act: {stay(): void; later(): void; discard(): void}): TemplateResult {
  const {say} = flow.page
  const mayDiscard = mayMove(flow.record, 'cancel')
  return html`<dialog class="ask" part="dialog" aria-labelledby="ask-title" @cancel=${act.stay}>
    <h2 id="ask-title">${say('leave_title')}</h2>
    <p class="muted">${flow.upload ? say('leave_upload') : say(flow.hasTyped ? 'leave_typed' : mayDiscard ? 'leave_detail' : 'leave_kept')}</p>
    <div class="row">
      ${mayDiscard ? button(say('discard'), act.discard, {kind: 'danger'}) : nothing}
      ${flow.upload ? nothing : button(say('leave_later'), act.later)}
      ${button(say('stay'), act.stay, {kind: 'primary', autofocus: true})}
    </div>
  </dialog>`
}
