/** Review and publish: what changed, what it affects, and the earlier versions. */

import {html, nothing, type TemplateResult} from 'lit'

import {EngineProblem, type Trouble} from '../../api/problem.js'
import type {Change, Changes, Impact, Version} from '../api/shapes.js'
import type {Desk} from '../desk.js'
import {text, type Json} from '../model/catalog.js'
import type {Draft} from '../model/draft.js'
import {sign} from '../ui/icons.js'
import {button, loading, notice, segments, tag, type Tone} from '../ui/pieces.js'
import type {Part} from './catalog.js'
import {impactText} from './impact.js'
import {who} from './list.js'
import {memberName, told} from './telling.js'
import {attempt, troubled} from './troubled.js'

const TONES: Record<Change['class'], Tone> = {compatible: '', stricter: 'warn', breaking: 'err'}
const KINDS: Record<Change['kind'], Tone> = {added: 'ok', removed: 'err', changed: 'accent', moved: ''}

const WAIT_S = 10
const MOST_WAITS = 30

const isLookedAt = ({rows}: Impact): boolean => rows?.looked != null || ['failed', 'cancelled'].includes(rows?.state ?? '')

export class Review implements Part {
  readonly #desk: Desk
  readonly #draft: Draft
  readonly #leave: () => void
  readonly #goTo: (pointer: string) => void
  #versions: Version[] = []
  #from: number | 'published' = 'published'
  #to: number | 'draft' = 'draft'
  #changes: Changes | null = null
  #impact: Impact | null = null
  #trouble: Trouble | null = null
  #shows: 'changes' | 'json' = 'changes'
  #json: {before: string; after: string} | null = null
  #isComparing = false
  #isBusy = true
  #hasRead = false
  #ignoresTests = false
  #note = ''
  /** The version that was published here and is still shown. */
  #published: number | null = null

  constructor(desk: Desk, draft: Draft, leave: () => void, goTo: (pointer: string) => void) {
    this.#desk = desk
    this.#draft = draft
    this.#leave = leave
    this.#goTo = goTo
  }

  enter(): void {
    this.#published = null
    this.#showCurrent()
  }

  #showCurrent(): void {
    this.#to = this.#draft.exists ? 'draft' : this.#draft.base?.version ?? 'draft'
    if (!this.#draft.exists && this.#draft.base) this.#from = this.#to as number
    void this.#load()
  }

  /** What the draft is compared with: the version in use, or the last there was. */
  get #base(): Version | null {
    return this.#draft.base
  }

  async #load(): Promise<void> {
    const {engine} = this.#desk
    const {key} = this.#draft
    this.#isBusy = true
    this.#changes = this.#impact = this.#json = null
    this.#desk.requestUpdate()
    this.#trouble = await attempt(async () => {
      this.#versions = this.#draft.versions = await engine.versions(key)
      if (this.#base && this.#from !== this.#to) {
        const from = this.#from === 'published' && this.#base.state === 'retired' ? this.#base.version : this.#from
        this.#changes = await engine.changes(key, from, this.#to)
      }
    })
    this.#isBusy = false
    this.#desk.requestUpdate()
    if (this.#to === 'draft' && this.#base && !this.#trouble && !this.#draft.findings.blocks) {
      await attempt(() => this.#lookAtRows()) // the changes are shown without it
      this.#desk.requestUpdate()
    }
  }

  /** Show what the draft affects, then its effect on the newest rows, once a worker has checked them. */
  async #lookAtRows(): Promise<void> {
    const {engine, mayEdit} = this.#desk
    const {key, etag} = this.#draft
    this.#impact = await engine.impact(key)
    this.#desk.requestUpdate()
    if (!mayEdit || this.#impact.rows === undefined) return
    if (this.#impact.rows === null) await engine.lookAtRows(key)
    for (let tries = 0; tries < MOST_WAITS && this.#draft.etag === etag && !isLookedAt(this.#impact); tries++) {
      this.#impact = await engine.impact(key, WAIT_S)
    }
  }

  render(): TemplateResult {
    return html`<div class="review"><div class="review-main">${this.#isBusy ? loading(this.#desk.say('loading')) : this.#main()}</div>${this.#aside()}</div>`
  }

  #main(): TemplateResult {
    const {say} = this.#desk
    const isDraft = this.#to === 'draft' && !this.#isComparing
    const changes = this.#changes?.changes ?? []
    return html`
      <div class="row wrap"><div class="grow"><h2>${this.#heading(changes.length, isDraft)}</h2>${isDraft && this.#base?.state === 'published' ? html`<p class="small muted">${say('open_imports_finish', {version: this.#base.version, next: this.#next})}</p>` : nothing}</div>
        ${changes.length ? segments([{value: 'changes', text: say('changes')}, {value: 'json', text: 'JSON'}], this.#shows, value => void this.#show(value), say('views')) : nothing}</div>
      ${troubled(this.#desk, this.#trouble, () => void this.#load())}
      ${this.#isComparing ? this.#pickers() : nothing}
      ${isDraft ? this.#verdict(changes) : nothing}
      ${this.#shows === 'json' ? this.#asJson() : html`<ul class="changes">${changes.map(change => this.#change(change))}</ul>`}
      ${isDraft && this.#impact ? impactText(this.#desk, this.#impact) : nothing}
      ${isDraft && this.#draft.exists && this.#desk.mayEdit ? this.#publishing(changes) : nothing}`
  }

  #heading(n: number, isDraft: boolean): string {
    const {say} = this.#desk
    if (!this.#base) return say('first_version')
    if (this.#from === this.#to) return this.#published === this.#to ? say('published_now', {version: this.#to}) : say('nothing_to_publish')
    if (isDraft) return say('changes_since', {n, version: this.#base.version})
    return say('changes_between', {n, from: this.#nameOf(this.#from), to: this.#nameOf(this.#to)})
  }

  get #next(): number {
    return this.#versions.find(version => version.state === 'draft')?.version ?? (this.#versions[0]?.version ?? 0) + 1
  }

  #nameOf(version: number | string): string {
    return version === 'draft' ? this.#desk.say('draft') : this.#desk.say('version_n', {version: version === 'published' ? this.#base?.version ?? '' : version})
  }

  #verdict(changes: Change[]): TemplateResult {
    const {say} = this.#desk
    const {findings} = this.#draft
    const breaking = changes.filter(change => change.class === 'breaking')
    return html`
      ${findings.all.length ? notice(findings.blocks ? 'err' : 'warn', html`<strong>${say(findings.blocks ? 'must_settle' : 'without_effect', {n: findings.all.length})}</strong>
        <ul class="small">${findings.all.slice(0, 8).map(finding => html`<li>${finding.detail} ${button(say('go_there'), () => this.#goTo(finding.pointer), {kind: 'link', small: true, label: `${say('go_there')}: ${finding.pointer}`})}</li>`)}</ul>`) : nothing}
      ${breaking.length ? notice('warn', html`<strong>${say('can_break', {n: breaking.length})}</strong> <bdi>${breaking[0]!.subject.label}</bdi>: ${breaking[0]!.sentence}`) : nothing}`
  }

  #change(change: Change): TemplateResult {
    const {say} = this.#desk
    const label = change.subject.label || change.subject.field || change.subject.entity || text(this.#draft.document['title'])
    const failing = (this.#impact?.rows?.rules ?? []).filter(rule => rule.pointer === change.pointer || rule.pointer.startsWith(`${change.pointer}/`)).reduce((sum, rule) => sum + rule.rows, 0)
    return html`<li class="card change">${tag(say(`kind_${change.kind}`), KINDS[change.kind])}
      <div class="grow"><p><strong><bdi>${label}</bdi></strong> ${change.property ? memberName(this.#desk, change.property) : html`<code>${[change.subject.entity, change.subject.field].filter(Boolean).join('.')}</code>`}</p>
        <p class="muted">${change.kind === 'moved' ? html`${say('moved_from', {from: text(change.before), to: text(change.after)})} · ` : nothing}${change.kind === 'changed' ? html`<del>${told(this.#desk, change.property, change.before as Json)}</del> <ins>${told(this.#desk, change.property, change.after as Json)}</ins> · ` : nothing}${change.sentence}
          ${failing ? html` · ${say('rows_would_fail', {n: failing, looked: this.#impact?.rows?.looked ?? 0})}` : nothing}</p></div>
      ${tag(say(`class_${change.class}`), TONES[change.class])}</li>`
  }

  async #show(what: 'changes' | 'json'): Promise<void> {
    this.#shows = what
    this.#desk.requestUpdate()
    if (what !== 'json' || this.#json) return
    const read = async (version: number | string): Promise<string> => JSON.stringify(
      version === 'draft' ? this.#draft.document : (await this.#desk.engine.version(this.#draft.key, version === 'published' ? this.#base!.version : Number(version))).document, null, 2)
    this.#trouble = await attempt(async () => { this.#json = {before: await read(this.#from), after: await read(this.#to)} })
    this.#desk.requestUpdate()
  }

  #asJson(): TemplateResult {
    if (!this.#json) return loading(this.#desk.say('loading'))
    const {before, after} = this.#json
    return html`<div class="two">${[[this.#from, before], [this.#to, after]].map(([version, text]) => html`<div><p class="label">${this.#nameOf(version as number)}</p><pre class="shown" tabindex="0">${text}</pre></div>`)}</div>`
  }

  #publishing(changes: Change[]): TemplateResult {
    const {say} = this.#desk
    const breaks = changes.some(change => change.class === 'breaking')
    const failing = this.#trouble instanceof EngineProblem && this.#trouble.code === 'failing_tests'
    const isReady = !this.#draft.findings.blocks && (!breaks || this.#hasRead) && (changes.length > 0 || this.#base?.state !== 'published')
    return html`<div class="control"><label class="label" for="note">${say('note')}</label>
        <input class="input" id="note" maxlength="500" placeholder=${say('note_hint')} .value=${this.#note} @input=${(event: Event) => { this.#note = (event.target as HTMLInputElement).value }}></div>
      ${failing ? html`<label class="check"><input type="checkbox" .checked=${this.#ignoresTests} @change=${(event: Event) => { this.#ignoresTests = (event.target as HTMLInputElement).checked; this.#desk.requestUpdate() }}>${say('publish_despite_tests')}</label>` : nothing}
      <div class="row wrap">${breaks ? html`<label class="check"><input type="checkbox" .checked=${this.#hasRead} @change=${(event: Event) => { this.#hasRead = (event.target as HTMLInputElement).checked; this.#desk.requestUpdate() }}>${say('have_read')}</label>` : nothing}
        <span class="grow"></span>
        ${this.#base?.state === 'published' ? button(say('discard', {version: this.#base.version}), () => void this.#restore(this.#base!.version), {kind: 'quiet'}) : nothing}
        ${button(say('publish_n', {version: this.#next}), () => void this.#publish(breaks), {kind: 'primary', disabled: !isReady || this.#isBusy})}</div>`
  }

  async #publish(breaks: boolean): Promise<void> {
    const {engine, say} = this.#desk
    const draft = this.#draft
    this.#isBusy = true
    this.#desk.requestUpdate()
    await draft.save()
    const confirm = [...(breaks ? ['breaking'] : []), ...(this.#ignoresTests ? ['tests'] : [])]
    let version: Version | null = null
    const publish = async (): Promise<void> => { version = await engine.publish(draft.key, this.#note, draft.etag, confirm) }
    let trouble = await attempt(publish)
    if (trouble instanceof EngineProblem && trouble.code === 'tests_not_run') {
      this.#desk.announce(say('running_tests'))
      trouble = await attempt(() => this.#runTests()) ?? await attempt(publish)
    }
    this.#isBusy = false
    if (!version) {
      this.#trouble = trouble
      return this.#desk.requestUpdate()
    }
    const {version: number} = version as Version
    this.#note = ''
    this.#hasRead = this.#ignoresTests = false
    draft.published(version)
    this.#desk.published(draft.key, number)
    this.#desk.announce(say('published_now', {version: number}))
    this.#published = number
    this.#showCurrent()
  }

  /** The kept test files run before each publish; those that ran with this very draft need not. */
  async #runTests(): Promise<void> {
    const {engine} = this.#desk
    await engine.runTests(this.#draft.key)
    while ((await engine.keptTests(this.#draft.key, 10)).some(test => test.running));
  }

  // Versions

  #aside(): TemplateResult {
    const {say, format} = this.#desk
    return html`<aside class="versions" aria-label=${say('versions')}><h3>${say('versions')}</h3>
      <ul>${this.#versions.map(version => {
        const is = version.state === 'draft' ? 'draft' : version.version
        const by = version.state === 'draft' ? version.savedBy : version.publishedBy ?? version.savedBy
        return html`<li class=${this.#to === is ? 'selected' : ''}>
          <button type="button" class="as-link" aria-current=${this.#to === is ? 'true' : nothing} @click=${() => this.#look(is)}>${version.state === 'draft' ? say('draft') : say('version_n', {version: version.version})}</button>
          ${version.state === 'published' ? tag(say('published'), 'ok') : nothing}
          <p class="small muted">${who(say, by)}, ${format.moment(version.state === 'draft' ? version.savedAt : version.publishedAt ?? version.savedAt)}${version.note ? html`, “<bdi>${version.note}</bdi>”` : nothing}</p>
          ${this.#to === is && version.state !== 'draft' && this.#desk.mayEdit ? button(say('restore'), () => void this.#restore(version.version), {small: true, sign: 'undo'}) : nothing}</li>`
      })}</ul>
      ${this.#versions.length > 1 ? button(say('compare'), () => { this.#isComparing = !this.#isComparing; this.#desk.requestUpdate() }, {small: true, pressed: this.#isComparing}) : nothing}
      ${button(say('back_to_fields'), this.#leave, {small: true, kind: 'quiet'})}
    </aside>`
  }

  /** Compare a version with the one before it, or the draft with the published version. */
  #look(version: number | 'draft'): void {
    const older = this.#versions.find(item => item.state !== 'draft' && item.version < Number(version))
    this.#to = version
    this.#from = version === 'draft' ? 'published' : older?.version ?? version
    this.#isComparing = version !== 'draft'
    this.#shows = 'changes'
    void this.#load()
  }

  #pickers(): TemplateResult {
    const {say} = this.#desk
    const picker = (label: string, value: number | string, change: (value: number | 'draft') => void, takesDraft: boolean): TemplateResult => html`<label class="check">${label}
      <span class="picker"><select class="select" @change=${(event: Event) => {
        const chosen = (event.target as HTMLSelectElement).value
        change(chosen === 'draft' ? 'draft' : Number(chosen))
        void this.#load()
      }}>${this.#versions.filter(version => takesDraft || version.state !== 'draft').map(version => {
        const is = version.state === 'draft' ? 'draft' : version.version
        return html`<option value=${is} ?selected=${String(is) === String(value)}>${this.#nameOf(is)}</option>`
      })}</select></span></label>`
    const from = this.#from === 'published' ? this.#base?.version ?? 0 : this.#from
    return html`<div class="row wrap">${picker(say('compare_from'), from, value => { this.#from = value as number }, false)}${sign('arrow')}${picker(say('compare_to'), this.#to, value => { this.#to = value }, true)}</div>`
  }

  async #restore(version: number): Promise<void> {
    const {engine, say} = this.#desk
    this.#trouble = await attempt(async () => {
      await engine.restore(this.#draft.key, version, this.#draft.etag)
      await this.#draft.adopt()
    })
    if (this.#trouble) return this.#desk.requestUpdate()
    this.#desk.announce(say('restored', {version}))
    this.#isComparing = false
    this.#from = 'published'
    this.#to = 'draft'
    await this.#load()
  }
}
