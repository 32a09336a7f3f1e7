/** One catalog: its fields, details and JSON, what of it is saved, and the way to its next version. */

import {html, nothing, type TemplateResult} from 'lit'

import {EngineProblem, type Trouble} from '../../api/problem.js'
import {save} from '../../ui/download.js'
import type {Read} from '../api/engine.js'
import type {Changes} from '../api/shapes.js'
import type {Desk, View} from '../desk.js'
import {blank, countFields, fieldsOf, free, isShapely, separatorOf, text, type Catalog} from '../model/catalog.js'
import {Draft} from '../model/draft.js'
import {addField, type Place} from '../model/reorder.js'
import {stepsOf} from '../model/tree.js'
import {idOf} from '../ui/form.js'
import {sign} from '../ui/icons.js'
import {button, loading, notice, tag} from '../ui/pieces.js'
import type {WordKey} from '../words/words.js'
import {conflict} from './conflict.js'
import {details} from './details.js'
import {fieldForm} from './field_form.js'
import {FieldsList} from './fields_list.js'
import {JsonTab} from './json.js'
import {attempt, troubled} from './troubled.js'

const TABS = ['fields', 'details', 'contract', 'test', 'json'] as const
type Tab = (typeof TABS)[number]

/** A part that is loaded when it is opened. */
export interface Part {
  enter(): void
  render(): TemplateResult
}

export class CatalogView implements View {
  readonly #desk: Desk
  readonly #key: string
  readonly #begun: Catalog | undefined
  #draft: Draft | null = null
  #trouble: Trouble | null = null
  #tab: Tab | 'review' = 'fields'
  #selected: Place | null = null
  #lock: {place: string; isLocked: boolean} = {place: '', isLocked: false}
  #list!: FieldsList
  #json!: JsonTab
  #parts = new Map<string, Part>()
  #changes: Changes | null = null
  #counted = -1

  constructor(desk: Desk, key: string, begun?: Catalog) {
    this.#desk = desk
    this.#key = key
    this.#begun = begun
  }

  get isUnsaved(): boolean {
    return this.#draft?.isUnsaved ?? false
  }

  async enter(): Promise<void> {
    this.#trouble = await attempt(() => this.#begin())
    this.#desk.requestUpdate()
  }

  leave(): void {
    void this.#draft?.save()
    this.#draft?.stop()
  }

  async #begin(): Promise<void> {
    const {engine} = this.#desk
    const versions = this.#begun ? [] : await engine.versions(this.#key)
    const hasDraft = versions.some(version => version.state === 'draft')
    const base = versions.find(version => version.state === 'published') ?? versions.find(version => version.state === 'retired') ?? null
    const [read, baseRead]: [Read | null, Read | null] = await Promise.all([
      hasDraft ? engine.draft(this.#key) : null, base ? engine.version(this.#key, base.version) : null,
    ])
    const start = read?.document ?? baseRead?.document ?? blank(this.#key, this.#key)
    const draft = new Draft(engine, this.#key, read, start, () => this.#changed())
    draft.base = base
    draft.baseDocument = baseRead?.document ?? null
    draft.versions = versions
    const own = versions.find(version => version.state === 'draft')
    if (own) draft.savedAt = new Date(own.savedAt)
    const form = {desk: this.#desk, draft}
    this.#list = new FieldsList(form, place => this.#choose(place), entry => this.#add(entry))
    this.#json = new JsonTab(form)
    this.#draft = draft
    if (!isShapely(start)) this.#tab = 'json'
    else if (countFields(start)) this.#choose({entry: start.entries.findIndex(entry => fieldsOf(entry).length), field: 0})
    if (this.#begun) draft.change(this.#begun)
    if (this.#begun && fieldsOf(this.#begun.entries[0]).length) this.#choose({entry: 0, field: 0})
    if (hasDraft) void this.#count()
  }

  #changed(): void {
    this.#desk.requestUpdate()
    if (this.#draft && this.#draft.saves !== this.#counted) void this.#count()
  }

  /** Ask how many changes the draft has, and what the engine finds in it, after each save. */
  async #count(): Promise<void> {
    const draft = this.#draft!
    const isFirst = this.#counted < 0 && draft.saves === 0
    this.#counted = draft.saves
    if (isFirst && this.#desk.mayEdit) await draft.check()
    if (draft.base?.state === 'published') {
      await attempt(async () => { this.#changes = await this.#desk.engine.changes(this.#key, 'published', 'draft') })
    }
    this.#desk.requestUpdate()
  }

  #choose(place: Place | null): void {
    const draft = this.#draft!
    this.#selected = place
    const entry = place && draft.document.entries[place.entry]
    const path = entry ? `${text(entry.id)}${separatorOf(draft.document)}${text(fieldsOf(entry)[place.field]?.key)}` : ''
    this.#lock = {place: JSON.stringify(place), isLocked: draft.lockedPaths.has(path)}
    this.#desk.requestUpdate()
  }

  #add(entry: number): void {
    const draft = this.#draft!
    const fields = fieldsOf(draft.document.entries[entry])
    const key = free('field', new Set(fields.map(field => text(field.key))))
    const isHere = this.#selected?.entry === entry
    const place = {entry, field: isHere ? this.#selected!.field + 1 : fields.length}
    draft.change(addField(draft.document, place, {key, columnType: 'string'}))
    this.#choose(place)
    this.#desk.announce(this.#desk.say('field_added', {place: place.field + 1}))
    this.#desk.focus(`#${idOf(['entries', entry, 'fields', place.field, 'label'])}`)
  }

  keydown(event: KeyboardEvent): void {
    const draft = this.#draft
    if (!draft || !(event.ctrlKey || event.metaKey) || event.altKey || !this.#desk.mayEdit) return
    const key = event.key.toLowerCase()
    if (key === 's') void draft.save()
    else if (key === 'z' && !event.shiftKey && draft.canUndo) this.#undo()
    else if ((key === 'y' || (key === 'z' && event.shiftKey)) && draft.canRedo) this.#redo()
    else return
    event.preventDefault()
  }

  #undo(): void {
    this.#draft!.undo()
    this.#settle('undone')
  }

  #redo(): void {
    this.#draft!.redo()
    this.#settle('redone')
  }

  #settle(said: 'undone' | 'redone'): void {
    const fields = isShapely(this.#draft!.document) && this.#selected ? fieldsOf(this.#draft!.document.entries[this.#selected.entry]) : []
    if (this.#selected && !fields[this.#selected.field]) this.#choose(fields.length ? {...this.#selected, field: fields.length - 1} : null)
    this.#desk.announce(this.#desk.say(said))
  }

  #open(tab: Tab | 'review'): void {
    this.#tab = tab
    this.#parts.delete(tab)
    if (tab === 'fields' && this.#selected) this.#choose(this.#selected) // a key may be locked by now
    if (tab === 'review' || tab === 'contract' || tab === 'test') void this.#load(tab)
    this.#desk.requestUpdate()
  }

  async #load(tab: 'review' | 'contract' | 'test'): Promise<void> {
    const draft = this.#draft!
    await draft.save()
    const part: Part = tab === 'review' ? new (await import('./review.js')).Review(this.#desk, draft, () => this.#open('fields'), pointer => this.#goTo(pointer))
      : tab === 'contract' ? new (await import('./contract.js')).ContractTab(this.#desk, draft)
      : new (await import('./test.js')).TestTab(this.#desk, draft)
    this.#parts.set(tab, part)
    part.enter()
    this.#desk.requestUpdate()
  }

  /** Open the very field and control that a pointer names. */
  #goTo(pointed: string): void {
    const [where, entry, what, field] = stepsOf(pointed)
    if (where !== 'entries' || !isShapely(this.#draft!.document)) return this.#open(isShapely(this.#draft!.document) ? 'details' : 'json')
    if (what !== 'fields' || field === undefined) return this.#open('details')
    this.#open('fields')
    this.#choose({entry: Number(entry), field: Number(field)})
    const control = idOf(stepsOf(pointed))
    this.#desk.focus(`#${control}, .detail input`)
  }

  render(): TemplateResult {
    const {say} = this.#desk
    const draft = this.#draft
    if (!draft) {
      const isGone = this.#trouble instanceof EngineProblem && this.#trouble.status === 404
      return html`<header class="header" part="header">${this.#back()}<h1 class="grow" tabindex="-1"><bdi>${this.#key}</bdi></h1></header>
        <div class="body">${this.#trouble ? isGone ? notice('warn', say('no_catalog', {key: this.#key})) : troubled(this.#desk, this.#trouble, () => void this.enter()) : loading(say('loading'))}</div>`
    }
    return html`${this.#header(draft)}
      ${draft.saving === 'conflict' ? conflict(this.#desk, draft) : nothing}
      ${draft.saving === 'refused' || draft.saving === 'unreachable' ? html`<div class="strip">${troubled(this.#desk, draft.trouble, () => void draft.save())}</div>` : nothing}
      ${this.#tab === 'review' ? nothing : this.#tabs(draft)}${this.#content(draft)}`
  }

  #back(): TemplateResult {
    return button('', () => this.#desk.openList(), {sign: 'back', kind: 'quiet', small: true, label: this.#desk.say('all_catalogs')})
  }

  #header(draft: Draft): TemplateResult {
    const {say, mayEdit} = this.#desk
    const {base} = draft
    const changes = this.#changes?.changes.length
    return html`<header class="header" part="header">${this.#back()}
      <div class="titles"><h1 tabindex="-1"><bdi>${text(draft.document['title']) || this.#key}</bdi></h1><code>${this.#key}</code></div>
      ${base ? tag(say(base.state === 'published' ? 'published_v' : 'retired_v', {version: base.version}), base.state === 'published' ? 'ok' : '') : tag(say('not_published'))}
      ${draft.exists || draft.isUnsaved ? tag(base?.state === 'published' && changes !== undefined ? say('draft_changes', {n: changes}) : say('draft'), 'warn') : nothing}
      <span class="grow"></span><span class="small muted saving" role="status">${this.#saving(draft)}</span>
      ${mayEdit ? html`<span class="row tight">${button('', () => this.#undo(), {sign: 'undo', kind: 'quiet', small: true, label: say('undo'), disabled: !draft.canUndo})}
        ${button('', () => this.#redo(), {sign: 'redo', kind: 'quiet', small: true, label: say('redo'), disabled: !draft.canRedo})}</span>` : tag(say('only_looks'))}
      ${button(say('versions'), () => this.#open('review'), {sign: 'history', kind: 'quiet'})}
      ${button(say('export_json'), () => save(new Blob([`${JSON.stringify(draft.document, null, 2)}\n`], {type: 'application/json'}), `${this.#key}.json`), {sign: 'download'})}
      ${mayEdit ? this.#tab === 'review' ? button(say('back_to_fields'), () => this.#open('fields')) : button(say('review'), () => this.#open('review'), {kind: 'primary'}) : nothing}
    </header>`
  }

  #saving(draft: Draft): string {
    const {say, format} = this.#desk
    if (draft.saving === 'saving' || draft.saving === 'waiting') return say('saving')
    if (draft.saving === 'conflict' || draft.saving === 'refused' || draft.saving === 'unreachable') return say('not_saved')
    return draft.savedAt ? say('saved_at', {time: format.moment(draft.savedAt)}) : ''
  }

  #tabs(draft: Draft): TemplateResult {
    const {say} = this.#desk
    const shown = isShapely(draft.document) ? TABS : (['json'] as const)
    const step = (event: KeyboardEvent): void => {
      const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      if (!way) return
      const next = shown[(shown.indexOf(this.#tab as never) + (this.#isMirrored() ? -way : way) + shown.length) % shown.length]!
      this.#open(next)
      this.#desk.focus(`#tab-${next}`)
    }
    return html`<div class="tabs" role="tablist" aria-label=${say('views')} @keydown=${step}>${shown.map(tab => html`<button type="button" role="tab" id="tab-${tab}"
      aria-selected=${String(this.#tab === tab)} aria-controls="panel" tabindex=${this.#tab === tab ? 0 : -1} @click=${() => this.#open(tab)}>${say(`tab_${tab}` as WordKey)}
      ${tab === 'fields' ? html`<span class="number">${this.#desk.format.number(countFields(draft.document))}</span>` : nothing}
      ${tab === 'json' && draft.findings.all.length ? sign(draft.findings.blocks ? 'err' : 'warn') : nothing}</button>`)}</div>`
  }

  #isMirrored(): boolean {
    return ((this.#desk.root as ShadowRoot).host as HTMLElement | undefined)?.dir === 'rtl'
  }

  #content(draft: Draft): TemplateResult {
    const tab = isShapely(draft.document) || this.#tab === 'review' ? this.#tab : 'json'
    const part = tab === 'fields' ? this.#fields(draft) : tab === 'details' ? details({desk: this.#desk, draft})
      : tab === 'json' ? this.#json.render() : this.#parts.get(tab)?.render() ?? html`<div class="body">${loading(this.#desk.say('loading'))}</div>`
    return tab === 'review' ? part : html`<div role="tabpanel" id="panel" class="panel" aria-labelledby="tab-${tab}">${part}</div>`
  }

  #fields(draft: Draft): TemplateResult {
    const place = this.#selected
    const entry = place ? draft.document.entries[place.entry] : undefined
    const field = place ? fieldsOf(entry)[place.field] : undefined
    return html`<div class="columns ${field ? 'has-selection' : ''}">${this.#list.render(field ? place : null)}
      ${field ? fieldForm({desk: this.#desk, draft, place: place!, entry: entry!, field, path: ['entries', place!.entry, 'fields', place!.field],
        isLocked: this.#lock.place === JSON.stringify(place) && this.#lock.isLocked}, next => this.#choose(next))
        : html`<div class="detail empty"><h2>${this.#desk.say('no_field_chosen')}</h2><p class="muted">${this.#desk.say('no_field_chosen_detail')}</p></div>`}
    </div>`
  }
}
