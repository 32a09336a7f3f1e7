/** What a draft affects: rows that were imported, contracts, remembered mappings, open imports. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Impact} from '../api/shapes.js'
import type {Desk} from '../desk.js'

const SHOWN = 5

export function impactText(desk: Desk, impact: Impact): TemplateResult {
  const {say} = desk
  const {rows, profiles = [], openImportCount = 0, contracts} = impact
  const lines = [
    ...(rows && rows.looked === null && !['failed', 'cancelled'].includes(rows.state) ? [say('looking_at_rows')] : []),
    ...(rows?.looked ? [html`<strong>${rows.wouldFail ? say('rows_would_fail', {n: rows.wouldFail, looked: rows.looked}) : say('no_row_fails', {n: rows.looked})}</strong>
      ${(rows.rules ?? []).slice(0, SHOWN).map(rule => html`<br><span class="small muted"><bdi>${rule.field}</bdi>: ${say('rows', {n: rule.rows})}${rule.example ? html`, <code>${rule.example.value ?? ''}</code> ${rule.example.message}` : nothing}</span>`)}`] : []),
    ...(rows?.missing?.length ? [say('missing_required', {fields: desk.format.list(rows.missing)})] : []),
    ...profiles.slice(0, SHOWN).map(profile => say('profile_loses', {name: profile.scope, columns: desk.format.list(Object.keys(profile.columns))})),
    ...(openImportCount ? [say('open_imports_n', {n: openImportCount})] : []),
    ...contracts.filter(contract => contract.breaking).slice(0, SHOWN).map(contract => say('contract_differs', {title: contract.title || contract.contractId.slice(0, 15)})),
  ]
  return lines.length ? html`<section class="part"><h3>${say('impact')}</h3><ul class="impact">${lines.map(line => html`<li>${line}</li>`)}</ul></section>` : html``
}
