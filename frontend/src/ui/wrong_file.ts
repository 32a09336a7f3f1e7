/** A file that the rest of the steps would only be a detour for: what is wrong with it, and what to do. */

import {html, type TemplateResult} from 'lit'

import type {Flow} from '../flow/flow.js'
import {button, notice} from './pieces.js'

/** Return what is shown instead of a step; null where the file has rows and looks like one of this catalog. */
export function wrongFile(flow: Flow, isUnfit: boolean): TemplateResult | null {
  const {say} = flow.page
  const {sourceRows, rows = sourceRows, skipped = 0} = flow.record?.counts ?? {}
  const isEmpty = rows === 0 && !skipped
  if (!isEmpty && !isUnfit) return null
  const {columns = []} = flow.proposal ?? {}
  const catalog = flow.catalog?.title ?? ''
  const matchAnyway = (): void => {
    flow.seen.add('fit')
    flow.page.requestUpdate()
  }
  return html`<div class="wrong">${notice('warn', html`
    <h2 class="step-title" tabindex="-1">${isEmpty ? say('no_rows_title') : say('unfit_title', {catalog})}</h2>
    <p>${isEmpty ? say('no_rows_detail') : say('unfit_detail', {columns: flow.page.format.list(columns.slice(0, 6).map(({column}) => column)), catalog})}</p>
    <div class="row wrap trouble-actions">
      ${button(say('other_file'), () => flow.startOver(), {kind: 'primary', small: true})}
      ${button(say('header_title'), () => flow.goTo('table'), {small: true})}
      ${isEmpty ? '' : button(say('match_anyway'), matchAnyway, {small: true})}
    </div>`)}</div>`
}
