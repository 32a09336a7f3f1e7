/** What went wrong: above a step that stays usable, or alone where there is no step to show. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Flow} from '../flow/flow.js'
import {tell} from '../flow/trouble.js'
import {icon} from '../ui/icons.js'
import {button} from '../ui/pieces.js'

export function troubled(flow: Flow): TemplateResult | typeof nothing {
  if (!flow.trouble) return nothing
  const {say} = flow.page
  const told = tell(flow.trouble, say)
  return html`<div class="notice err" part="notice" role="alert">
    ${icon(told.sign)}
    <div class="grow">
      <strong>${told.title}</strong><br>${told.detail}
      <div class="row wrap trouble-actions">
        ${told.action === 'retry' ? button(say('try_again'), () => void flow.retry(), {small: true}) : nothing}
        ${told.action === 'start_over' ? button(say('start_over'), () => flow.startOver(), {small: true}) : nothing}
        ${told.action === 'other_file' ? button(say('other_file'), () => flow.startOver(), {small: true}) : nothing}
        ${flow.retryIn > 0 ? html`<span class="small muted">${say('retry_in', {n: flow.retryIn})}</span>` : nothing}
        <span class="small muted">${say('code')} <span class="mono">${told.code}</span></span>
      </div>
    </div>
    ${flow.phase === 'verifying' ? nothing : button('', () => flow.clearTrouble(), {icon: 'close', kind: 'quiet', small: true, label: say('hide')})}
  </div>`
}
