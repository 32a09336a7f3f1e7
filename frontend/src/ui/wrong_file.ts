/** A file that the rest of the steps would only be a detour for: what is wrong with it, and what to do. */

import {html, type TemplateResult} from 'lit'

import {leaveCatalog} from '../flow/catalogs.js'
import type {Flow} from '../flow/flow.js'
import {few} from './few.js'
import {button, notice} from './pieces.js'

const MOST_NAMED = 6

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
    <p>${isEmpty ? say('no_rows_detail') : say('unfit_detail', {columns: few(columns.map(({column}) => column), MOST_NAMED, flow.page), catalog})}</p>
    <div class="row wrap trouble-actions">
      ${button(say('other_file'), () => flow.startOver(), {kind: 'primary', small: true})}
      ${button(say('ask_header_row'), () => flow.goTo('table'), {small: true})}
      ${flow.catalogs.length > 1 && !isEmpty ? button(say('other_catalog'), () => leaveCatalog(flow), {small: true}) : ''}
      ${isEmpty ? '' : button(say('match_anyway'), matchAnyway, {small: true})}
    </div>`)}</div>`
}
