/** What is known and missing from the file: a person may choose to delete it, and confirms how much that is. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Wishes} from '../api/engine.js'
import type {Plan} from '../api/outcomes.js'
import type {EngineProblem} from '../api/problem.js'
import type {Flow} from '../flow/flow.js'
import {whenKnown} from '../flow/looking_up.js'
import {wordsIn, type DeletionWords} from '../screens/words/words.js'
import {button, notice} from '../ui/pieces.js'

/** How many of an entry are missing, of how many known. */
export interface Missing {
  entity: string
  missing: number
  known: number
}

type Again = (wishes: Wishes) => void

/** Reasons that only the owner of the page can do something about. */
const OF_OWNER = ['catalog', 'webhook', 'browser']

const total = (missing: readonly Missing[]): number => missing.reduce((sum, {missing: n}) => sum + n, 0)

/** The digits of what was typed: “１,200” is 1200. */
const typedNumber = (text: string): string => text.normalize('NFKC').replace(/\D/g, '')

/** What is deleted, and how many of how many: it goes on once the number was typed. */
export class Confirmation {
  readonly #flow: Flow
  readonly #words: DeletionWords
  readonly #missing: readonly Missing[]
  readonly #close: (isConfirmed: boolean) => void
  #isTyped = false

  constructor(flow: Flow, words: DeletionWords, missing: readonly Missing[], close: (isConfirmed: boolean) => void) {
    this.#flow = flow
    this.#words = words
    this.#missing = missing.filter(item => item.missing)
    this.#close = close
  }

  static async of(flow: Flow, missing: readonly Missing[], close: (isConfirmed: boolean) => void): Promise<Confirmation> {
    return new Confirmation(flow, (await wordsIn(flow.page.language)).deletion, missing, close)
  }

  /** How many are deleted, for the line next to the button. */
  get told(): string { return this.#words.deletes.replace('{n}', this.#flow.page.format.number(total(this.#missing))) }

  type(text: string): void {
    this.#isTyped = typedNumber(text) === String(total(this.#missing))
    this.#flow.page.requestUpdate()
  }

  go(): void {
    if (this.#isTyped) this.#end(true)
  }

  #end(isConfirmed: boolean): void {
    this.#isTyped = false
    this.#close(isConfirmed)
  }

  render(go = this.#words.go): TemplateResult {
    const {catalog, isBusy, page: {say, format}} = this.#flow
    const label = this.#words.type.replace('{n}', format.number(total(this.#missing)))
    const named = (id: string): string => catalog?.entries.find(entry => entry.id === id)?.label ?? id
    return html`<dialog class="ask" part="dialog" aria-labelledby="delete-title" @cancel=${() => this.#end(false)}>
      <h2 id="delete-title">${this.#words.title}</h2>
      <div>${this.#missing.map(({entity, missing, known}) => html`<p><bdi class="strong">${named(entity)}</bdi>
        ${this.#words.of.replace('{n}', format.number(missing)).replace('{known}', format.number(known))}</p>`)}</div>
      <p class="muted">${this.#words.detail}</p>
      <label class="small" for="delete-number">${label}</label>
      <input class="input" id="delete-number" inputmode="numeric" autocomplete="off" autofocus
        @input=${(event: Event) => this.type((event.target as HTMLInputElement).value)} @keydown=${(event: KeyboardEvent) => { if (event.key === 'Enter') this.go() }}>
      <div class="row">${button(say('cancel'), () => this.#end(false))}
        ${button(go, () => this.go(), {kind: 'danger', disabled: isBusy || !this.#isTyped})}</div>
    </dialog>`
  }
}

export class Deleting {
  readonly #flow: Flow
  readonly #words: DeletionWords
  #missing: Missing[] = []
  #isChosen = false
  /** How many the person saw: another number is confirmed. */
  #seen = 0
  #refusal = ''
  /** The refusal was not scrolled to yet. */
  #isNew = false
  #confirmation: Confirmation | null = null

  constructor(flow: Flow, words: DeletionWords) {
    this.#flow = flow
    this.#words = words
  }

  static async of(flow: Flow): Promise<Deleting> {
    return new Deleting(flow, (await wordsIn(flow.page.language)).deletion)
  }

  /** Keep what is missing by the latest plan, of the entries that may be deleted. */
  follow({entities}: Plan): void {
    const entries = this.#flow.catalog?.entries ?? []
    this.#missing = entities.filter(({entity}) => entries.some(entry => entry.id === entity && entry.fullSync))
  }

  get #count(): number { return total(this.#missing) }
  get isChosen(): boolean { return this.#isChosen && this.#count > 0 }

  choose(isChosen: boolean): void {
    this.#isChosen = isChosen
    this.#seen = this.#count
    this.#refusal = ''
    this.#flow.page.requestUpdate()
  }

  /** What the apply says. */
  get wishes(): Wishes { return this.isChosen ? {mode: 'full'} : {} }

  /** What the button says, and how many it deletes. */
  label(deed: string): string {
    const n = this.#flow.page.format.number(this.#count)
    return this.isChosen ? this.#words.also.replace('{deed}', deed).replace('{n}', n) : deed
  }

  /** Whether as many are missing as the person saw; if not, the number is confirmed first. */
  async isCurrent(again: Again): Promise<boolean> {
    this.#refusal = ''
    if (!this.isChosen) return true
    const {engine, recordId} = this.#flow
    if (!await this.#flow.attempt(async () => this.follow(await whenKnown(() => engine.plan(recordId, 'missing'))))) return false
    if (!this.isChosen || this.#count === this.#seen) return true
    this.#ask(this.#missing, again)
    return false
  }

  /** Show why the engine deletes nothing, or what it wants confirmed; undefined for other problems. */
  refused({code, body, message}: EngineProblem, again: Again): Promise<void> | undefined {
    if (code === 'missing_not_confirmed') this.#ask(body['entities'] as Missing[], again)
    else if (code === 'full_sync_refused') this.#refusal = OF_OWNER.includes(String(body['reason'])) ? this.#words.not_here : message
    else return undefined
    this.#isNew = this.#refusal !== ''
    return Promise.resolve()
  }

  #ask(missing: Missing[], again: Again): void {
    this.#confirmation = new Confirmation(this.#flow, this.#words, missing, isConfirmed => {
      this.#confirmation = null
      this.#flow.page.requestUpdate()
      if (isConfirmed) again({confirmMissing: total(missing)})
    })
    this.#flow.page.requestUpdate()
  }

  /** The choice; `chosen` shows what it deletes. */
  choice(chosen: () => void): TemplateResult | typeof nothing {
    const {record, isBusy, page: {format}} = this.#flow
    if (!this.#count || record?.state !== 'review') return nothing
    const choose = ({target}: Event): void => {
      const {checked} = target as HTMLInputElement
      this.choose(checked)
      if (checked) chosen()
    }
    return html`<label class="by delete"><input type="checkbox" .checked=${this.isChosen} ?disabled=${isBusy} @change=${choose}><span>${this.#words.choose.replace('{n}', format.number(this.#count))}</span></label>`
  }

  /** Called after each update: on a small screen the refusal may be below what is shown. */
  updated(root: ParentNode): void {
    const refusal = this.#isNew && root.querySelector('[role=alert].refusal')
    if (!refusal) return
    this.#isNew = false
    refusal.scrollIntoView({block: 'center'})
  }

  /** What a person confirms, or why nothing was deleted. */
  render(): TemplateResult | typeof nothing {
    if (this.#confirmation) return this.#confirmation.render()
    return this.#refusal ? notice('warn', html`<span class="refusal" role="alert"><strong>${this.#words.refused}</strong><br>${this.#refusal}</span>`, undefined,
      button(this.#words.keep, () => this.choose(false), {small: true})) : nothing
  }
}
