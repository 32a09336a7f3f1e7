/** The catalogs of a tenant: what each is, what waits in it, and the way to a new one. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Trouble} from '../../api/problem.js'
import type {Actor, Overview} from '../api/shapes.js'
import type {Desk, NewKind, View} from '../desk.js'
import {sign, type Sign} from '../ui/icons.js'
import {button, loading, segments, tag} from '../ui/pieces.js'
import type {Say} from '../words/words.js'
import {attempt, troubled} from './troubled.js'

type Filter = 'all' | 'published' | 'draft' | 'retired'

const FILTERS: Record<Filter, (catalog: Overview) => boolean> = {
  all: () => true,
  published: catalog => catalog.state === 'published',
  draft: catalog => catalog.draft !== null,
  retired: catalog => catalog.state === 'retired',
}
const NEW: readonly [NewKind, Sign][] = [
  ['empty', 'plus'], ['sample', 'grid'], ['json', 'file'], ['schema', 'file'], ['duplicate', 'copy'], ['contract', 'lock'],
]

export class ListView implements View {
  readonly #desk: Desk
  #catalogs: Overview[] | null = null
  #trouble: Trouble | null = null
  #filter: Filter = 'all'
  #wanted = ''
  #isMenuOpen = false
  #retiring = ''

  constructor(desk: Desk) {
    this.#desk = desk
  }

  async enter(): Promise<void> {
    this.#trouble = await attempt(async () => { this.#catalogs = await this.#desk.engine.overview() })
    this.#desk.requestUpdate()
  }

  keydown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.#isMenuOpen) return
    this.#menu(false)
    this.#desk.focus('.new-menu > .button')
  }

  render(): TemplateResult {
    const {say} = this.#desk
    const all = this.#catalogs
    return html`
      <header class="header" part="header">
        <div class="grow"><h1 tabindex="-1">${say('catalogs')}</h1>
          <p class="small muted">${all ? say('catalogs_about', {n: all.length}) : nothing}</p></div>
        ${this.#desk.mayEdit ? this.#newMenu() : tag(say('only_looks'))}
      </header>
      ${this.#trouble ? html`<div class="body">${troubled(this.#desk, this.#trouble, () => void this.enter())}</div>` : nothing}
      ${all === null ? (this.#trouble ? nothing : html`<div class="body">${loading(say('loading'))}</div>`) : all.length ? this.#table(all) : this.#empty()}`
  }

  #empty(): TemplateResult {
    const {say, mayEdit} = this.#desk
    return html`<div class="body empty"><h2>${say('no_catalogs')}</h2><p class="muted">${say('no_catalogs_detail')}</p>
      ${mayEdit ? html`<div class="row wrap centred">
        ${button(say('new_sample'), () => this.#desk.openNew('sample'), {kind: 'primary', sign: 'grid'})}
        ${button(say('new_empty'), () => this.#desk.openNew('empty'), {sign: 'plus'})}</div>` : nothing}</div>`
  }

  #menu(isOpen: boolean): void {
    this.#isMenuOpen = isOpen
    this.#desk.requestUpdate()
  }

  #newMenu(): TemplateResult {
    const {say} = this.#desk
    const left = (event: FocusEvent): void => {
      const inside = (event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null)
      if (!inside && event.relatedTarget) this.#menu(false)
    }
    return html`<div class="new-menu" @focusout=${left}>
      ${button(html`${say('new')}${sign('down')}`, () => this.#menu(!this.#isMenuOpen), {kind: 'primary', expanded: this.#isMenuOpen})}
      ${this.#isMenuOpen ? html`<ul class="menu">${NEW.map(([kind, drawn]) => html`<li><button type="button" @click=${() => this.#desk.openNew(kind)}>
        ${sign(drawn)}<span><span>${say(`new_${kind}`)}</span><span class="small muted">${say(`new_${kind}_about`)}</span></span></button></li>`)}</ul>` : nothing}
    </div>`
  }

  #table(all: Overview[]): TemplateResult {
    const {say} = this.#desk
    const wanted = this.#wanted.toLowerCase()
    const shown = all.filter(FILTERS[this.#filter]).filter(catalog => `${catalog.title}\n${catalog.key}`.toLowerCase().includes(wanted))
    const filters = (Object.keys(FILTERS) as Filter[]).map(value => ({value, text: html`${say(`filter_${value}`)} <span class="number">${this.#desk.format.number(all.filter(FILTERS[value]).length)}</span>`}))
    return html`
      <div class="toolbar">
        <label class="search">${sign('search')}<input class="input" type="search" placeholder=${say('filter_catalogs')} aria-label=${say('filter_catalogs')}
          @input=${(event: Event) => { this.#wanted = (event.target as HTMLInputElement).value; this.#desk.requestUpdate() }}></label>
        ${segments(filters, this.#filter, value => { this.#filter = value; this.#desk.requestUpdate() }, say('state'))}
      </div>
      <div class="scroll" tabindex="0" role="group" aria-label=${say('catalogs')}><table class="catalogs">
        <thead><tr><th scope="col">${say('catalog')}</th><th scope="col">${say('state')}</th><th scope="col" class="end">${say('fields')}</th>
          <th scope="col">${say('last_import')}</th><th scope="col">${say('questions')}</th><th scope="col">${say('draft')}</th><th scope="col">${say('last_change')}</th>
          ${this.#desk.mayEdit ? html`<th scope="col"><span class="hidden-text">${say('retire')}</span></th>` : nothing}</tr></thead>
        <tbody>${shown.map(catalog => this.#row(catalog))}</tbody>
      </table></div>
      ${shown.length ? nothing : html`<p class="body muted">${say('none_found')}</p>`}`
  }

  #row(catalog: Overview): TemplateResult {
    const {say, format, mayEdit} = this.#desk
    const none = html`<span class="muted">${say('none')}</span>`
    const changed = catalog.draft ? {by: catalog.draft.savedBy, at: catalog.draft.savedAt} : catalog.published ? {by: catalog.published.publishedBy, at: catalog.published.publishedAt} : null
    const row = html`<tr class=${catalog.state === 'retired' ? 'faded' : ''}>
      <th scope="row"><button type="button" class="as-link" @click=${() => this.#desk.openCatalog(catalog.key)}><bdi>${catalog.title}</bdi></button><code>${catalog.key}</code></th>
      <td>${catalog.state === 'published' ? tag(say('published_v', {version: catalog.published?.version ?? ''}), 'ok') : tag(say(catalog.state === 'retired' ? 'retired' : 'not_published'))}</td>
      <td class="end number">${format.number(catalog.fields)}</td>
      <td>${catalog.lastImport ? html`<span>${format.moment(catalog.lastImport.at)}</span>${catalog.lastImport.rows === null ? nothing : html`<span class="below">${say('rows', {n: catalog.lastImport.rows})}</span>`}` : html`<span class="muted">${say('never')}</span>`}</td>
      <td>${catalog.openQuestions ? tag(say('open_n', {n: catalog.openQuestions}), 'warn', 'question') : none}</td>
      <td>${catalog.draft ? html`${tag(!catalog.published ? say('draft_new') : catalog.draft.changes === null ? say('draft') : say('draft_changes', {n: catalog.draft.changes}), 'warn')}<span class="below">${catalog.draft.note || nothing}</span>` : none}</td>
      <td class="muted">${changed ? `${who(say, changed.by)}, ${format.moment(changed.at)}` : nothing}</td>
      ${mayEdit ? html`<td class="end">${catalog.state === 'published' ? button(say('retire'), () => { this.#retiring = catalog.key; this.#desk.requestUpdate(); this.#desk.focus('.retiring .button') }, {kind: 'quiet', small: true, label: say('retire_x', {title: catalog.title})}) : nothing}</td>` : nothing}
    </tr>`
    return html`${row}${this.#retiring === catalog.key ? this.#asks(catalog) : nothing}`
  }

  #asks(catalog: Overview): TemplateResult {
    const {say} = this.#desk
    const done = (): void => { this.#retiring = ''; this.#desk.requestUpdate() }
    const retire = async (): Promise<void> => {
      this.#trouble = await attempt(() => this.#desk.engine.retire(catalog.key))
      done()
      if (this.#trouble) return
      this.#desk.announce(say('retired_x', {title: catalog.title}))
      await this.enter()
    }
    return html`<tr class="retiring"><td colspan="8"><div class="row wrap"><div class="grow">
      <strong>${say('retire_ask', {title: catalog.title})}</strong> ${say('retire_consequence')}
      <br><span class="small muted">${catalog.openImports ? say('retire_open', {n: catalog.openImports, version: catalog.published?.version ?? ''}) : say('retire_none_open')} ${say('retire_kept')}</span></div>
      ${button(say('cancel'), done, {kind: 'quiet'})}${button(say('retire'), () => void retire(), {kind: 'danger'})}</div></td></tr>`
  }
}

/** What people call who did it; a key without a label is told by its last characters. */
export const who = (say: Say, {id, label}: Actor): string => label || (/^(lic|ses)_/.test(id) ? say('key_ending', {end: id.slice(-4)}) : id)
