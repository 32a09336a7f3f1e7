/** The toolbar of the review: which rows are shown, the next error, searches, and the way back. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Filter, View} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {icon} from '../ui/icons.js'
import {button} from '../ui/pieces.js'
import type {Trial} from './trying.js'

export interface ToolbarState {
  view: View
  /** Whether the rows of one group of issues are shown. */
  isGrouped: boolean
  /** The view of changes: what it is called, empty where there is none, and whether it is shown. */
  changes: {title: string; isOpen: boolean}
  decisions: number
  isClear: boolean
  isRailOpen: boolean
  isFinding: boolean
  canUndo: boolean
  canRedo: boolean
}

export interface ToolbarActs {
  filter(filter: Filter): void
  changes(): void
  nextError(): void
  rail(): void
  search(event: Event): void
  find(): void
  duplicates(): void
  undo(): void
  redo(): void
}

/** Every filter has its place at all times: nothing moves when a count changes. */
export function toolbar(flow: Flow, state: ToolbarState, acts: ToolbarActs): TemplateResult {
  const {say} = flow.page
  const {rows = 0, error = 0, warning = 0, excluded = 0} = flow.record?.counts ?? {}
  const canEdit = flow.may('fix')
  const {isBusy} = flow
  const {canUndo, canRedo} = state
  const segment = (filter: Filter, text: string): TemplateResult =>
    html`<button type="button" aria-pressed=${state.view.filter === filter && !state.isGrouped && !state.changes.isOpen} @click=${() => acts.filter(filter)}>${text}</button>`
  const open = flow.questions.length
  return html`<div class="toolbar">
    <div class="segments" role="group" aria-label=${say('rows_shown')}>
      ${segment('all', say('all_n', {n: rows}))}
      ${segment('error', say('errors_n', {n: error}))}
      ${segment('warning', say('warnings_n', {n: warning}))}
      ${segment('excluded', say('excluded_n', {n: excluded}))}
      ${segment('edited', say('edited'))}
      ${state.changes.title ? html`<button type="button" aria-pressed=${state.changes.isOpen} @click=${acts.changes}>${state.changes.title}</button>` : nothing}
    </div>
    ${button(say('grid_nextError'), acts.nextError, {icon: 'next', small: true, disabled: !error, key: html`<span class="kbd">F8</span>`})}
    <span class="rail-opener">${button(say('to_resolve_n', {n: state.decisions}), acts.rail, {icon: open ? 'question' : 'warn', small: true, pressed: state.isRailOpen, disabled: state.isClear})}</span>
    <span class="grow"></span>
    <label class="find">${icon('search')}<span class="hidden-text">${say('search_rows')}</span><input class="input" type="search" placeholder=${say('search_rows')} .value=${state.view.search ?? ''} @input=${acts.search}></label>
    ${canEdit ? button(say('find_replace'), acts.find, {small: true, pressed: state.isFinding}) : nothing}
    ${flow.may('exclude') ? button(say('duplicates'), acts.duplicates, {small: true}) : nothing}
    ${canEdit || canUndo ? button(say('undo'), acts.undo, {icon: 'undo', small: true, kind: 'quiet', disabled: isBusy || !canUndo}) : nothing}
    ${canEdit || canRedo ? button('', acts.redo, {icon: 'redo', small: true, kind: 'quiet', label: say('redo'), disabled: isBusy || !canRedo}) : nothing}
  </div>`
}

/** A line whose place is there at all times, so that nothing below it moves: facts of the whole file, or which rows are shown. */
export function toldLine(
  {page: {say}}: Flow, {view, total, trial}: {view: View; total: number; trial: Trial | null}, facts: TemplateResult,
  acts: {all(): void; putBack: (() => void) | null},
): TemplateResult {
  const {filter, search, code, sort} = view
  const tried = trial?.counts ? trial : null
  const isAll = filter === 'all' && !search && !code && !sort && !tried
  const said = tried ? say('rows_of_answer', {n: tried.rows, answer: tried.label}) : say('rows_match', {n: total})
  return html`<div class="told">
    <div class="facts" ?inert=${!isAll}>${facts}</div>
    <div class="viewed" role="status" ?inert=${isAll}><span class="grow">${isAll ? '' : said}</span>
      ${acts.putBack ? button(say('put_back'), acts.putBack, {small: true}) : nothing}
      ${button(say('show_all'), acts.all, {small: true})}</div></div>`
}
