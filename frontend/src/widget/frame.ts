/** The frame around every step, as templates. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Flow} from '../flow/flow.js'
import {STEPS, reachable, type Step} from '../flow/steps.js'
import type {MessageKey} from '../messages/catalogue.js'
import {icon} from '../ui/icons.js'
import {button} from '../ui/pieces.js'

export function header(flow: Flow, close: (() => void) | null): TemplateResult {
  const {say} = flow.page
  const title = flow.catalog ? say('title', {catalog: flow.catalog.title}) : say('title_bare')
  return html`<header class="header" part="header">
    <div class="grow">
      <h1><slot name="title"><bdi>${title}</bdi></slot></h1>
      <div class="about clip">${about(flow)}</div>
    </div>
    ${steps(flow)}
    ${close ? button('', close, {icon: 'close', kind: 'quiet', small: true, label: say('close')}) : nothing}
  </header>`
}

function about(flow: Flow): TemplateResult | string {
  const {say, format} = flow.page
  if (!flow.filename) return flow.catalog ? say('target', {catalog: flow.catalog.title, n: flow.fields.filter(field => !field.hidden).length}) : ''
  const rows = flow.record?.counts.rows
  const parts = [...(rows === undefined ? [] : [say('rows', {n: rows})]), ...(flow.fileSize ? [format.bytes(flow.fileSize)] : [])]
  return html`<bdi>${flow.filename}</bdi>${parts.map(part => html` · <bdi>${part}</bdi>`)}`
}

function steps(flow: Flow): TemplateResult {
  const {say} = flow.page
  const at = STEPS.indexOf(flow.step)
  const open = new Set<Step>(reachable(flow.phase, flow.record))
  const isDone = flow.phase === 'done'
  return html`
    <div class="compact" aria-hidden="true"><span>${say('step_of', {step: at + 1, n: STEPS.length})}</span><strong>${say(`step_${flow.step}`)}</strong></div>
    <ol class="steps" part="steps" aria-label=${say('steps')}>
      ${STEPS.map((step, place) => {
        const isPassed = place < at || isDone
        const name = say(`step_${step}` satisfies MessageKey)
        const content = html`<span class="mark">${isPassed ? icon('check') : nothing}</span><span class="name">${name}</span>`
        const isCurrent = place === at && !isDone
        return html`<li class="step ${isPassed ? 'done' : ''}" part=${isCurrent ? 'step step-current' : 'step'} aria-current=${isCurrent ? 'step' : nothing}>
          ${open.has(step) && place !== at
            ? html`<button type="button" @click=${() => flow.goTo(step)}>${content}</button>`
            : html`<span>${content}</span>`}
        </li>`
      })}
    </ol>`
}
