/** Two people saved at once: both versions, and the choice between them. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Desk} from '../desk.js'
import type {Json} from '../model/catalog.js'
import {differences} from '../model/differences.js'
import type {Draft} from '../model/draft.js'
import {sign} from '../ui/icons.js'
import {button} from '../ui/pieces.js'

const SHOWN = 20

export const short = (value: Json | undefined): string => {
  const written = value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
  return written.length > 160 ? `${written.slice(0, 160)}…` : written
}

export function conflict(desk: Desk, draft: Draft): TemplateResult {
  const {say} = desk
  const found = draft.theirs ? differences(draft.theirs, draft.document).filter(difference => difference.place !== 'version') : []
  return html`<div class="conflict" role="alert">
    <div class="row wrap">${sign('warn')}<div class="grow"><strong>${say('conflict')}</strong> ${say('conflict_detail')}</div>
      ${button(say('reload'), () => void draft.reload())}${button(say('keep_mine'), () => void draft.keepMine(), {kind: 'primary'})}</div>
    ${found.length ? html`<div class="scroll"><table><thead><tr><th scope="col">${say('place')}</th><th scope="col">${say('theirs')}</th><th scope="col">${say('mine')}</th></tr></thead>
      <tbody>${found.slice(0, SHOWN).map(item => html`<tr><th scope="row"><code>${item.place}</code></th><td><bdi>${short(item.a)}</bdi></td><td><bdi>${short(item.b)}</bdi></td></tr>`)}</tbody></table></div>
      ${found.length > SHOWN ? html`<p class="small muted">${say('and_more', {n: found.length - SHOWN})}</p>` : nothing}` : nothing}
  </div>`
}
