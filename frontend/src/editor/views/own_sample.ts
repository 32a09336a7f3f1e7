/** The file that people download to fill in, instead of the template that the engine makes. */

import {html, nothing, type TemplateResult} from 'lit'

import {isTrouble} from '../../api/problem.js'
import {save} from '../../ui/download.js'
import type {Form} from '../ui/form.js'
import {sign} from '../ui/icons.js'
import {button} from '../ui/pieces.js'
import {attempt, troubled} from './troubled.js'

interface Kept {
  key: string
  /** undefined: not asked yet. */
  file: Blob | null | undefined
  trouble: Parameters<typeof troubled>[1]
  isBusy: boolean
}

let kept: Kept = {key: '', file: undefined, trouble: null, isBusy: false}

export function ownSample({desk, draft}: Form): TemplateResult {
  const {say} = desk
  if (kept.key !== draft.key) {
    kept = {key: draft.key, file: undefined, trouble: null, isBusy: false}
    void look({desk, draft})
  }
  const {file, trouble, isBusy} = kept
  const name = `${draft.key}.${file?.type.startsWith('text/csv') ? 'csv' : 'xlsx'}`
  return html`<div class="control"><span class="label">${say('own_sample')}</span>
    <p class="row wrap">${file ? button(name, () => { save(file, name) }, {sign: 'download', kind: 'quiet', small: true}) : nothing}
      ${desk.mayEdit ? html`<label class="button small" tabindex="-1">${sign('up')}${say(file ? 'other_own_sample' : 'choose_own_sample')}
        <input type="file" class="hidden-text" accept=".xlsx,.csv" ?disabled=${isBusy} @change=${(event: Event) => {
          const input = event.target as HTMLInputElement
          const chosen = input.files?.[0]
          input.value = ''
          if (chosen) void act({desk, draft}, () => desk.engine.saveSample(draft.key, chosen))
        }}></label>
        ${file ? button(say('remove_own_sample'), () => void act({desk, draft}, () => desk.engine.deleteSample(draft.key)), {sign: 'bin', kind: 'quiet', small: true, disabled: isBusy}) : nothing}` : nothing}</p>
    <p class="hint">${say('own_sample_hint')}</p>${troubled(desk, trouble)}</div>`
}

async function act(form: Form, change: () => Promise<unknown>): Promise<void> {
  kept = {...kept, isBusy: true, trouble: null}
  form.desk.requestUpdate()
  const trouble = await attempt(change)
  kept = {...kept, isBusy: false, trouble}
  if (trouble) form.desk.requestUpdate()
  else await look(form)
}

async function look({desk, draft}: Form): Promise<void> {
  try {
    const file = await desk.engine.sample(draft.key)
    if (kept.key === draft.key) kept = {...kept, file}
  } catch (error) {
    if (!isTrouble(error)) throw error
    kept = {...kept, trouble: error}
  }
  desk.requestUpdate()
}
