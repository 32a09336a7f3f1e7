/** What a mapping can say beyond "this column feeds that field": the steps before it. */

import {css, html, nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {ModelSteps, ProposedColumn, RecipeStep} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {made, openSteps, read, withoutStep, withStep, type Draft} from '../flow/mapping.js'
import type {MessageKey} from '../messages/catalogue.js'
import {sayOr} from '../messages/words.js'
import type {Combobox} from '../ui/combobox.js'
import {button} from '../ui/pieces.js'
import type {ChangedRows} from './changed_rows.js'
import type {RecipeForm} from './recipe_form.js'

export const recipeStyles = css`
  .recipe { display: grid; gap: 10px; padding: 14px 20px; border-block-start: 1px solid var(--_line); background: var(--_bg-2); }
  .recipe form { display: flex; flex-wrap: wrap; gap: 10px; align-items: end; }
  .recipe form > label { inline-size: 190px; }
  .recipe .several { inline-size: 100%; display: flex; flex-wrap: wrap; gap: 6px 14px; border: 0; margin: 0; padding: 0; }
  .recipe li { display: flex; gap: 10px; align-items: center; font-size: 13px; }
  .recipe del { color: var(--_fg-3); }
  .recipe ins { text-decoration: none; }
  .asked-above { padding: 0 20px 14px; }
`

export type Kind = 'split' | 'join' | 'copy' | 'constant' | 'fill_down' | 'drop_rows' | 'unpivot'
const KINDS: Kind[] = ['split', 'join', 'copy', 'constant', 'fill_down', 'drop_rows', 'unpivot']

export class RecipeEditor {
  readonly #flow: Flow
  readonly #combobox: Combobox
  readonly #change: (draft: Draft) => void
  #isOpen = false
  #form?: RecipeForm
  #changed?: ChangedRows
  /** The step whose changed rows are shown. */
  #compared = -1

  constructor(flow: Flow, combobox: Combobox, change: (draft: Draft) => void) {
    this.#flow = flow
    this.#combobox = combobox
    this.#change = change
  }

  /** The steps that may be added: those that drop rows leave rows out, all others change them. */
  get #kinds(): Kind[] {
    return KINDS.filter(kind => this.#flow.may(kind === 'drop_rows' ? 'exclude' : 'fix'))
  }

  opener(): TemplateResult | typeof nothing {
    if (!this.#kinds.length) return nothing
    return button(this.#say('more_steps'), () => void this.#toggle(), {small: true, pressed: this.#isOpen})
  }

  /** isTold: whether a step is shown elsewhere. advised: what a model proposes; a person adds it, or does not. */
  render(draft: Draft, columns: readonly ProposedColumn[], isTold: (step: RecipeStep) => boolean, advised: readonly ModelSteps[] = []): TemplateResult | typeof nothing {
    const steps = draft.recipe?.steps ?? []
    const offered = this.#flow.may('fix') ? openSteps(advised, draft) : []
    if (!this.#isOpen && steps.every(isTold) && !offered.length) return nothing
    return html`<section class="recipe" aria-label=${this.#say('more_steps')}>
      ${steps.length ? html`<ul>${steps.map((step, at) => isTold(step) ? nothing : html`<li><span class="grow">${this.#told(step)}</span>
        ${button(this.#say('show_changed'), () => void this.#compare(draft, at), {kind: 'quiet', small: true, pressed: this.#isCompared(draft, at)})}
        ${button('', () => this.#change(withoutStep(draft, at)), {icon: 'close', kind: 'quiet', small: true, label: this.#say('remove_step')})}</li>
        ${this.#isCompared(draft, at) ? html`<li>${this.#changed!.render(at)}</li>` : nothing}`)}</ul>` : nothing}
      ${offered.length ? html`<ul>${offered.map(each => this.#offered(each, draft))}</ul>` : nothing}
      ${this.#isOpen ? this.#form?.render(draft, columns, this.#kinds) : nothing}
    </section>`
  }

  #say(key: MessageKey, params?: Record<string, string | number>): string {
    return this.#flow.page.say(key, params)
  }

  #offered({steps, effect, reason}: ModelSteps, draft: Draft): TemplateResult {
    const told = steps.map(step => [this.#told(step as RecipeStep), ...membersOf(step as RecipeStep)].join(', ')).join(' · ')
    const add = (): void => this.#change(steps.reduce((now, step) => withStep(now, step as RecipeStep), draft))
    return html`<li><span class="grow">${told}<br><span class="small muted">${effect} · ${reason}</span></span>
      ${button(this.#say('add_step'), add, {small: true, label: `${this.#say('add_step')}: ${told}`})}</li>`
  }

  #isCompared(draft: Draft, at: number): boolean {
    return at === this.#compared && this.#changed!.isOf(draft)
  }

  async #compare(draft: Draft, at: number): Promise<void> {
    const flow = this.#flow
    const wasCompared = this.#isCompared(draft, at)
    this.#compared = -1
    if (!wasCompared) {
      await flow.attempt(async () => {
        this.#changed ??= new (await loaded(import('./changed_rows.js'))).ChangedRows(flow)
        await this.#changed.compare(draft)
        this.#compared = at
      })
    }
    flow.page.requestUpdate()
  }

  async #toggle(): Promise<void> {
    this.#isOpen = !this.#isOpen
    const flow = this.#flow
    await flow.attempt(async () => { this.#form ??= new (await loaded(import('./recipe_form.js'))).RecipeForm(flow, this.#combobox, this.#change) })
    flow.page.requestUpdate()
  }

  #told(step: RecipeStep): string {
    return sayOr(this.#flow.page.say, `told_${step.do}`, `${step.do}: ${read(step).join(', ')}`, {
      columns: this.#flow.page.format.list(read(step)), into: this.#flow.page.format.list(made(step)), value: String(step['value'] ?? ''),
    })
  }
}

/** What a step says beyond the columns that it changes: its pattern, a text to find. */
const membersOf = (step: RecipeStep): string[] =>
  Object.entries(step).flatMap(([name, value]) => name === 'do' || name === 'columns' ? [] : [`${name} ${JSON.stringify(value)}`])
