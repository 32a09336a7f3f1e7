/** How many values of a sample a detector recognises, asked for while it is written. */

import {html, nothing, type TemplateResult} from 'lit'

import {list, text, type JsonObject} from '../model/catalog.js'
import {sign} from '../ui/icons.js'
import type {FieldForm} from './field_form.js'
import {attempt} from './troubled.js'

const ASK_AFTER_MS = 400

interface Rate {
  column: string
  rate: number
  matched: number
  of: number
}

const asked = new Map<string, Rate[] | null>()
let timer: ReturnType<typeof setTimeout> | undefined

export function hitRate(form: FieldForm, detector: JsonObject): TemplateResult | typeof nothing {
  const {desk, field} = form
  if (!desk.sampleId) return nothing
  const {minRatio, weight, ...looked} = detector
  const what = `${desk.sampleId} ${JSON.stringify(looked)}`
  const rates = asked.get(what)
  if (rates === undefined) ask(form, what, looked)
  const names = [field['label'], field.key, ...list(field['alternativeMatches'])].map(item => text(item).toLowerCase())
  const best = rates?.find(rate => names.includes(rate.column.toLowerCase()))
    ?? rates?.reduce<Rate | null>((so, rate) => (so === null || rate.rate > so.rate ? rate : so), null)
  if (!best) return nothing
  const enough = best.rate >= (typeof minRatio === 'number' ? minRatio : 0.8)
  return html`<span class="hit ${enough ? 'ok' : 'warn'}" role="status">${sign(enough ? 'check' : 'warn')}
    ${desk.say('hit_rate', {rate: desk.format.percent(best.rate), column: best.column, matched: best.matched, of: best.of})}</span>`
}

function ask(form: FieldForm, what: string, detector: JsonObject): void {
  const {desk} = form
  clearTimeout(timer)
  timer = setTimeout(() => {
    asked.set(what, null)
    void desk.engine.detect(desk.sampleId, detector).then(rates => {
      asked.set(what, rates)
      desk.requestUpdate()
    }).catch(() => undefined) // the pattern is not readable yet: its finding says so
  }, ASK_AFTER_MS)
}

let trouble = ''

/** A file to try detectors on; only its columns are looked at, and nothing of it is kept. */
export function sampleChooser(form: FieldForm): TemplateResult | typeof nothing {
  const {desk} = form
  if (!desk.mayEdit) return nothing
  const choose = async (event: Event): Promise<void> => {
    const file = (event.target as HTMLInputElement).files?.[0]
    if (!file) return
    const wrong = await attempt(async () => {
      const {recordId} = await desk.engine.infer(file)
      const read = await desk.engine.inferred(recordId, 10)
      if (read.problem) trouble = read.problem.detail ?? ''
      else desk.sampleId = recordId
    })
    trouble = wrong?.message ?? trouble
    desk.requestUpdate()
  }
  return html`<p class="small muted"><label class="button small" tabindex="-1">${sign('up')}${desk.say(desk.sampleId ? 'other_sample' : 'sample_for_rates')}
    <input type="file" class="hidden-text" @change=${(event: Event) => { trouble = ''; void choose(event) }}></label> ${trouble || desk.say('nothing_kept')}</p>`
}
