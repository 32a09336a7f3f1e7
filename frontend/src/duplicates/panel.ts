/** The panel of duplicates: what is compared, the groups with their differing cells, and what becomes of them. */

import {css, html, nothing, type TemplateResult} from 'lit'

import type {BulkChange} from '../api/outcomes.js'
import type {Changed} from '../api/shapes.js'
import type {Field} from '../flow/fields.js'
import type {Flow} from '../flow/flow.js'
import {mayMove} from '../flow/moves.js'
import {Shown} from '../review/shown.js'
import {button, select, title} from '../ui/pieces.js'
import {firstChoices, groupsOf, isComplete, resolve, shownFields, type By, type Group, type Groups, type Search, type Wish} from './groups.js'
import {filled, wordsOf, type DuplicateWords} from './words.js'

const styles = css`
  dialog.duplicates { inline-size: min(760px, 100vw); }
  .duplicates .asked { display: flex; gap: 10px; align-items: end; flex-wrap: wrap; padding: 12px 20px; border-block-end: 1px solid var(--_line); }
  .duplicates fieldset { border: 0; margin: 0; padding: 0; flex: 1 0 100%; display: flex; gap: 4px 14px; flex-wrap: wrap; max-block-size: 120px; overflow: auto; font-size: 13px; }
  .duplicates .list { flex: 1; overflow: auto; }
  .duplicates section { padding: 12px 20px; border-block-end: 1px solid var(--_line); font-size: 13px; }
  .duplicates h3 { margin: 0 0 6px; font-size: 13px; }
  .duplicates .cells { overflow-x: auto; margin-block-end: 8px; }
  .duplicates table { border-collapse: collapse; }
  .duplicates :is(th, td) { text-align: start; padding: 3px 10px 3px 0; font-weight: 400; white-space: nowrap; max-inline-size: 260px; overflow: hidden; text-overflow: ellipsis; }
  .duplicates thead th { color: var(--_fg-3); }
  .duplicates td.differs { background: var(--_accent-soft); font-weight: 600; padding-inline: 6px; }
  .duplicates .acts { display: flex; gap: 8px; flex-wrap: wrap; align-items: center; }
`
const LEVELS = [['0.95', 'strict'], ['0.9', 'usual'], ['0.8', 'loose']] as const

export interface PanelActs {
  /** Change rows, and go on after it. */
  make(work: (id: string, revision: number) => Promise<Changed | BulkChange>, done: string, after: () => Promise<void>): Promise<void>
  undo(): Promise<void>
}

export class DuplicatesPanel {
  readonly #flow: Flow
  readonly #acts: PanelActs
  readonly #words: DuplicateWords
  #isOpen = false
  #search: Search = {by: 'unique', fields: [], threshold: 0.9}
  #groups: Groups | null = null
  #newestBy: string
  /** The group that is merged, and the row whose cell each differing field takes. */
  #merged: Group | null = null
  #choices: Record<string, number> = {}
  #told = ''

  constructor(flow: Flow, acts: PanelActs) {
    this.#flow = flow
    this.#acts = acts
    this.#words = wordsOf(flow.page.language)
    this.#newestBy = this.#dates[0]?.path ?? ''
  }

  get #fields(): Field[] { return this.#flow.fields.filter(({hidden}) => !hidden) }
  get #dates(): Field[] { return this.#fields.filter(({columnType}) => columnType.startsWith('date')) }

  async open(): Promise<void> {
    this.#isOpen = true
    this.#told = ''
    await this.look()
  }

  close(): void {
    this.#isOpen = false
    this.#flow.page.requestUpdate()
  }

  /** Find the groups of the rows as they are now. */
  async look(): Promise<void> {
    this.#merged = null
    this.#groups = null
    if (isComplete(this.#search)) {
      await this.#flow.attempt(async () => { this.#groups = await groupsOf(this.#flow.engine.transport, this.#flow.recordId, this.#search) })
    }
    this.#flow.page.requestUpdate()
  }

  async #more(): Promise<void> {
    const {items, next} = this.#groups!
    await this.#flow.attempt(async () => {
      const more = await groupsOf(this.#flow.engine.transport, this.#flow.recordId, this.#search, next!)
      this.#groups = {...more, items: [...items, ...more.items]}
    })
  }

  /** Resolve one group, or all; then what is left is looked for again. */
  async act(wish: Wish, group?: Group): Promise<void> {
    const {excluded: before = 0} = this.#flow.record?.counts ?? {}
    const search = this.#search
    await this.#acts.make((id, revision) => resolve(this.#flow.engine.transport, id, revision, search, wish, group), '', async () => {
      const n = (this.#flow.record?.counts.excluded ?? 0) - before
      this.#told = wish.keep === 'all' ? this.#words.kept : filled(this.#words.done, {n: this.#flow.page.format.number(n)})
      await this.look()
    })
  }

  async #undo(): Promise<void> {
    await this.#acts.undo()
    this.#told = ''
    await this.look()
  }

  #set(change: Partial<Search>): void {
    this.#search = {...this.#search, ...change}
    this.#groups = null
    this.#flow.page.requestUpdate()
  }

  /** Called after each update: the styles come with this panel, and a dialog is opened by a call. */
  updated(root: ParentNode): void {
    const sheet = styles.styleSheet
    if (root instanceof ShadowRoot && sheet && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    const dialog = root.querySelector<HTMLDialogElement>('dialog.duplicates')
    if (dialog && !dialog.open) dialog.showModal()
  }

  render(): TemplateResult | typeof nothing {
    if (!this.#isOpen) return nothing
    const {say} = this.#flow.page
    const words = this.#words
    return html`<dialog class="drawer duplicates" part="dialog" aria-label=${words.title} @cancel=${(event: Event) => { event.preventDefault(); this.close() }}>
      <header>${title(words.title)}${button('', () => this.close(), {icon: 'close', kind: 'quiet', label: say('close')})}</header>
      ${this.#asked()}
      <div class="list">${this.#groups?.items.map((group, at) => this.#group(group, at)) ?? nothing}
        ${this.#groups?.next ? html`<section>${button(words.more, () => void this.#more(), {small: true, disabled: this.#flow.isBusy})}</section>` : nothing}</div>
      ${this.#foot()}
    </dialog>`
  }

  #asked(): TemplateResult {
    const words = this.#words
    const ways = (['unique', 'fields', 'near'] as const).map(by => ({value: by, text: words[by]}))
    const {by, fields, threshold} = this.#search
    const pick = (path: string, isPicked: boolean): void => this.#set({fields: isPicked ? [...fields, path] : fields.filter(field => field !== path)})
    return html`<form class="asked" @submit=${(event: Event) => { event.preventDefault(); void this.look() }}>
      <label><span class="label">${words.compare}</span>${select(ways, by, value => this.#set({by: value as By}), words.compare)}</label>
      ${by === 'near' ? html`<label><span class="label">${words.threshold}</span>${select(LEVELS.map(([value, level]) => ({value, text: words[level]})), String(threshold), value => this.#set({threshold: Number(value)}), words.threshold)}</label>` : nothing}
      ${by === 'unique' ? nothing : html`<fieldset><legend class="label">${words.columns}</legend>${this.#fields.map(({path, label}) => html`<label><input type="checkbox" value=${path} .checked=${fields.includes(path)}
        @change=${(event: Event) => pick(path, (event.target as HTMLInputElement).checked)}> <bdi>${label}</bdi></label>`)}</fieldset>`}
      <button class="button" part="button" ?disabled=${this.#flow.isBusy || !isComplete(this.#search)}>${words.find}</button>
    </form>`
  }

  #group(group: Group, at: number): TemplateResult {
    const {page: {format}, isBusy} = this.#flow
    const words = this.#words
    const look = {small: true, disabled: isBusy}
    const said = filled(words.group, {number: format.number(at + 1), n: format.number(group.count)})
    const newest = this.#newestBy ? button(words.newest, () => void this.act({keep: 'newest', newestBy: this.#newestBy}, group), look) : nothing
    const acts = group.tooLarge ? html`<span class="muted">${words.large}</span>` : html`
      ${button(words.first, () => void this.act({keep: 'first'}, group), look)}${newest}
      ${this.#flow.may('fix') ? button(words.merge, () => this.#merge(group), {...look, pressed: group === this.#merged}) : nothing}`
    return html`<section aria-label=${said}><h3>${said}</h3>${this.#cells(group)}
      <div class="acts">${acts}${button(words.all, () => void this.act({keep: 'all'}, group), look)}</div></section>`
  }

  /** Choose field by field first; once more: merge. */
  #merge(group: Group): void {
    if (group === this.#merged) return void this.act({keep: 'merge', merge: this.#choices}, group)
    this.#merged = group
    this.#choices = firstChoices(group)
    this.#flow.page.requestUpdate()
  }

  #cells(group: Group): TemplateResult {
    const words = this.#words
    const fields = shownFields(group).map(path => ({path, label: this.#flow.fieldAt(path)?.label ?? path, differs: group.differs.includes(path)}))
    const shown = new Shown(this.#flow.fields, this.#flow.page.format.locale, this.#flow.page.say)
    const cell = (row: number, path: string, label: string, text: string): TemplateResult => {
      if (group !== this.#merged) return html`<bdi>${text || words.empty}</bdi>`
      const said = filled(words.use, {field: label, value: text || words.empty})
      return html`<label><input type="radio" name=${path} aria-label=${said} .checked=${this.#choices[path] === row} @change=${() => { this.#choices[path] = row }}> <bdi>${text || words.empty}</bdi></label>`
    }
    return html`<div class="cells" tabindex="0" role="group" aria-label=${words.compare}><table>
      <thead><tr><td></td>${fields.map(({label, differs}) => html`<th scope="col"><bdi>${label}</bdi>${differs ? html`<span class="hidden-text"> (${words.differs})</span>` : nothing}</th>`)}</tr></thead>
      <tbody>${group.samples.map(({row, values}) => html`<tr><th scope="row">${filled(words.row, {row: row + 1})}</th>
        ${fields.map(({path, label, differs}) => {
          const {text} = shown.value(path, values[path] ?? null)
          return html`<td class=${differs ? 'differs' : ''}>${differs ? cell(row, path, label, text) : html`<bdi>${text}</bdi>`}</td>`
        })}</tr>`)}</tbody></table></div>`
  }

  #foot(): TemplateResult {
    const {page: {say, format}, isBusy, record} = this.#flow
    const words = this.#words
    const n = this.#groups?.groups
    const found = n === undefined ? '' : n ? filled(words.count, {n: format.number(n)}) : words.none
    const look = {small: true, disabled: isBusy}
    const dates = this.#dates.map(({path, label}) => ({value: path, text: label}))
    return html`<footer class="wrap"><span class="grow small" role="status">${this.#told} ${found}</span>
      ${dates.length > 1 ? html`<label class="small">${words.newest_by} ${select(dates, this.#newestBy, path => { this.#newestBy = path }, words.newest_by)}</label>` : nothing}
      ${n ? html`<span class="small muted">${words.every}</span>${button(words.first, () => void this.act({keep: 'first'}), look)}
        ${this.#newestBy ? button(words.newest, () => void this.act({keep: 'newest', newestBy: this.#newestBy}), look) : nothing}` : nothing}
      ${this.#told && mayMove(record, 'undo') ? button(say('undo'), () => void this.#undo(), {...look, icon: 'undo'}) : nothing}</footer>`
  }
}
