/** What the rows would change of what is known: counts, each changed cell with its value before, and what the import does. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {Plan, PlanItem} from '../api/outcomes.js'
import {loaded} from '../api/problem.js'
import type {Json} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {whenKnown} from '../flow/looking_up.js'
import {wordsIn, type ChangesWords} from '../screens/words/words.js'
import type {Format} from '../ui/format.js'
import {button, tag} from '../ui/pieces.js'
import type {Deleting} from './deleting.js'
import {Shown} from './shown.js'

type Status = PlanItem['status']

const STATUSES: readonly Status[] = ['changed', 'new', 'unchanged', 'unclear', 'missing']
const MOST_NAMES = 2 // values that tell which row or entity it is

const styles = css`
  .known { flex: 1; display: flex; flex-direction: column; min-block-size: 0; }
  .known > .by { display: flex; gap: 8px 12px; flex-wrap: wrap; align-items: center; padding: 10px 16px; }
  .known > .list { flex: 1; overflow: auto; border-block-start: 1px solid var(--_line); }
  .known ul { margin: 0; padding: 0; list-style: none; }
  .known .list > ul > li { display: grid; grid-template-columns: 56px minmax(0, 1fr); gap: 4px 12px; padding: 10px 16px; border-block-end: 1px solid var(--_line); font-size: 13px; overflow-wrap: anywhere; }
  .known .delete { padding-block-start: 0; font-size: 13px; flex-wrap: nowrap; cursor: pointer; }
  .known del { color: var(--_fg-3); }
  .known ins { text-decoration: none; font-weight: 600; }
`

/** What the import does, in as few words as a button holds; empty where the counts do not say it. */
export function deedOf({changed = 0, new: added = 0, unclear = 0}: Plan['counts'], words: ChangesWords, format: Format): string {
  if (unclear) return ''
  const n = format.number(changed || added)
  if (changed && added) return words.both.replace('{changed}', n).replace('{new}', format.number(added))
  if (!changed && !added) return ''
  return (changed ? words.update : words.add).replace('{n}', n)
}

/** How many rows have a status; what is missing has no row, and is counted by entity. */
function countOf(plan: Plan | null, status: Status): number {
  if (status !== 'missing') return plan?.counts[status] ?? 0
  return (plan?.entities ?? []).reduce((sum, {missing}) => sum + missing, 0)
}

export class KnownChanges {
  readonly #flow: Flow
  readonly #words: ChangesWords
  #plan: Plan | null = null
  #items: PlanItem[] = []
  #status: Status = 'changed'
  /** The revision that was asked about last: a refusal is not asked about again. */
  #asked: number | undefined
  #calls = 0
  isOpen = false
  deleting: Deleting | null = null

  constructor(flow: Flow, words: ChangesWords) {
    this.#flow = flow
    this.#words = words
  }

  static async of(flow: Flow): Promise<KnownChanges> {
    return new KnownChanges(flow, (await wordsIn(flow.page.language)).changes)
  }

  /** Fetch the plan of the rows as they are now, unless it is here. */
  async follow(): Promise<void> {
    const revision = this.#flow.record?.revision
    if (!revision || revision === this.#asked || this.#flow.phase !== 'review') return
    this.#asked = revision
    await this.#show(this.#status)
  }

  /** Show it, as it is now: what is known may have changed without any edit. */
  open(): void {
    this.isOpen = true
    void this.#show(this.#status)
  }

  /** What the segment of the toolbar says; empty where nothing is known, so that nothing can change. */
  get title(): string { return this.#plan?.entities.length ? this.#words.title : '' }

  /** What the button says; empty until the plan is that of the rows as they are now. */
  get deed(): string {
    const {record, page} = this.#flow
    if (!this.title || this.#plan!.revision !== record?.revision) return ''
    return deedOf(this.#plan!.counts, this.#words, page.format)
  }

  /** Called after each update: the styles come with this view, and the page's policy lets no inline style in. */
  updated(root: ParentNode): void {
    this.deleting?.updated(root)
    const sheet = styles.styleSheet
    if (root instanceof ShadowRoot && sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }

  async #show(status: Status): Promise<void> {
    this.#calls += 1
    const call = this.#calls
    await this.#flow.load(async () => {
      const plan = await whenKnown(() => this.#flow.engine.plan(this.#flow.recordId, status))
      await this.#offer(plan)
      if (call !== this.#calls) return // a later call has another answer
      this.deleting?.follow(plan)
      this.#plan = plan
      this.#items = plan.items
      this.#status = status
    })
    this.#flow.page.requestUpdate()
  }

  /** Load the choice to delete what is missing, for those who have it. */
  async #offer({counts}: Plan): Promise<void> {
    const {verified, applyMode, catalog} = this.#flow
    const may = verified?.rights?.includes('deleteKnown') && applyMode === 'webhook' && catalog?.entries.some(entry => entry.fullSync)
    if (!this.deleting && may && counts.missing) this.deleting = await (await loaded(import('./deleting.js'))).Deleting.of(this.#flow)
  }

  async #more(): Promise<void> {
    await this.#flow.load(async () => {
      const plan = await whenKnown(() => this.#flow.engine.plan(this.#flow.recordId, this.#status, this.#plan?.next ?? ''))
      // Another revision has other rows on its pages: begin with its first one.
      if (plan.revision !== this.#plan?.revision) return this.#show(this.#status)
      this.#plan = plan
      this.#items = [...this.#items, ...plan.items]
    })
    this.#flow.page.requestUpdate()
  }

  render(): TemplateResult {
    const {say, format} = this.#flow.page
    const counted = (status: Status): string => this.#words[status].replace('{n}', format.number(countOf(this.#plan, status)))
    const shown = new Shown(this.#flow.fields, format.locale, say)
    return html`<section class="known" aria-label=${this.#words.title}>
      <div class="by"><div class="segments" role="group" aria-label=${this.#words.title}>
        ${STATUSES.map(status => html`<button type="button" aria-pressed=${this.#status === status} @click=${() => void this.#show(status)}>${counted(status)}</button>`)}</div>
        ${this.#status === 'missing' && this.#items.length && !this.deleting?.isChosen ? html`<span class="small muted">${this.#words.missing_hint}</span>` : nothing}</div>
      ${this.deleting?.choice(() => void this.#show('missing')) ?? nothing}
      ${this.#plan?.underWay.length ? html`<p class="small muted by" role="status">${this.#words.under_way}</p>` : nothing}
      <div class="list" tabindex="0" role="region" aria-label=${counted(this.#status)}>
        ${this.#items.length ? nothing : html`<p class="small muted by">${this.#words.none}</p>`}
        <ul>${this.#items.map(item => this.#item(item, shown))}</ul>
        ${this.#plan?.next ? html`<p>${button(say('more'), () => void this.#more(), {small: true})}</p>` : nothing}</div>
    </section>`
  }

  #item({row, refs, changes, values}: PlanItem, shown: Shown): TemplateResult {
    const {say, format} = this.#flow.page
    const text = (path: string, value: Json): string => shown.value(path, value).text || say('empty')
    const named = Object.entries(values ?? {}).slice(0, MOST_NAMES).map(([, value]) => String(value)).join(', ')
    return html`<li><span class="number muted">${row === null ? '' : format.number(row + 1)}</span><div>
      ${Object.values(refs).map(ref => html`${tag(ref)} `)}<bdi>${named}</bdi>
      <ul>${changes.map(({field, before, after}) => html`<li>${this.#flow.fieldAt(field)?.label ?? field}:
        <span class="hidden-text">${this.#words.before}</span> <del><bdi>${text(field, before)}</bdi></del>
        <span aria-hidden="true">→</span> <ins><bdi>${text(field, after)}</bdi></ins></li>`)}</ul></div></li>`
  }
}
