/** The end of a step that later imports may know: the way on, and whether they are to. */

import {html, type TemplateResult} from 'lit'

import type {Flow} from '../flow/flow.js'
import type {Decision, Step} from '../flow/steps.js'
import type {MessageKey} from '../messages/catalogue.js'
import {button} from '../ui/pieces.js'

export function onward(flow: Flow, back: Step, decision: Decision, label: MessageKey, act: () => void): TemplateResult {
  const {unkept, page: {say}} = flow
  const set = ({target}: Event): void => void unkept[(target as HTMLInputElement).checked ? 'delete' : 'add'](decision)
  return html`${button(say('back'), () => flow.goTo(back), {kind: 'quiet'})}<span class="grow"></span>
    <label class="check"><input type="checkbox" .checked=${!unkept.has(decision)} @change=${set}>${say(label)}</label>
    ${button(say('to_review'), act, {kind: 'primary', disabled: flow.isBusy})}`
}
