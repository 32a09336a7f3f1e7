/** Contracts of a catalog: sign one, see what a counterparty sees, fetch those that were issued. */

import {html, nothing, type TemplateResult} from 'lit'

import type {Trouble} from '../../api/problem.js'
import {save} from '../../ui/download.js'
import type {ContractWish, IssuedContract, Profile} from '../api/shapes.js'
import type {Desk} from '../desk.js'
import {countFields, fieldsOf, isRequired, isShapely, nameOf, objects, text, type Catalog} from '../model/catalog.js'
import type {Draft} from '../model/draft.js'
import {button, notice, select, tag} from '../ui/pieces.js'
import type {Part} from './catalog.js'
import {who} from './list.js'
import {attempt, troubled} from './troubled.js'

const ENCODINGS = ['utf-8', 'cp1252', 'utf-16'] as const
const ENCODING_NAMES: Record<string, string> = {'utf-8': 'UTF-8', cp1252: 'Windows-1252', 'utf-16': 'UTF-16'}

export class ContractTab implements Part {
  readonly #desk: Desk
  readonly #draft: Draft
  #issued: IssuedContract[] = []
  #profiles: Profile[] = []
  #document: Catalog | null = null
  #trouble: Trouble | null = null
  #isBusy = false
  #title = ''
  #version = 0
  #profile = ''
  #columns = ''
  #most = ''
  #until = ''
  #encodings = new Set<(typeof ENCODINGS)[number]>()

  constructor(desk: Desk, draft: Draft) {
    this.#desk = desk
    this.#draft = draft
    this.#version = draft.base?.version ?? 0
    this.#title = text(draft.baseDocument?.['title'])
  }

  enter(): void {
    void this.#load()
  }

  async #load(): Promise<void> {
    const {engine} = this.#desk
    const {key} = this.#draft
    this.#trouble = await attempt(async () => {
      const [issued, profiles] = await Promise.all([engine.contracts(), engine.profiles()])
      this.#issued = issued.filter(contract => contract.catalogKey === key)
      this.#profiles = profiles.filter(profile => profile.catalogKey === key)
      if (this.#version) this.#document = (await engine.version(key, this.#version)).document
    })
    this.#desk.requestUpdate()
  }

  render(): TemplateResult {
    const {say} = this.#desk
    return html`${this.#version
      ? html`<div class="contract"><div class="body">${troubled(this.#desk, this.#trouble, () => void this.#load())}
          <div><h2>${say('export_contract')}</h2><p class="small muted">${say('export_contract_about')}</p></div>${this.#form()}</div>${this.#seen()}</div>`
      : html`<div class="body">${notice('accent', say('contract_needs_version'))}</div>`}
      ${this.#list()}`
  }

  #input(id: string, label: string, value: string, change: (value: string) => void, about: {type?: string; hint?: string; placeholder?: string} = {}): TemplateResult {
    return html`<div class="control"><label class="label" for=${id}>${label}</label><input class="input" id=${id} type=${about.type ?? 'text'} placeholder=${about.placeholder ?? nothing}
      min=${about.type === 'number' ? 1 : nothing} .value=${value} @input=${(event: Event) => { change((event.target as HTMLInputElement).value); this.#desk.requestUpdate() }}>${about.hint ? html`<p class="hint">${about.hint}</p>` : nothing}</div>`
  }

  #form(): TemplateResult {
    const {say, format, mayEdit} = this.#desk
    const versions = this.#draft.versions.filter(version => version.state !== 'draft')
    const pick = (id: string, label: string, choices: {value: string; text: string}[], value: string, change: (value: string) => void): TemplateResult =>
      html`<div class="control"><label class="label" for=${id}>${label}</label>${select(choices, value, change, {id})}</div>`
    return html`
      <div class="two">
        ${this.#input('contract-title', say('title'), this.#title, value => { this.#title = value })}
        ${pick('contract-version', say('made_from'), versions.map(version => ({value: String(version.version), text: `${say('version_n', {version: version.version})} · ${format.moment(version.publishedAt ?? version.savedAt)}`})), String(this.#version), value => { this.#version = Number(value); void this.#load() })}
      </div>
      ${pick('contract-profile', say('column_names'), [{value: '', text: say('any_names')}, ...this.#profiles.map(profile => ({value: profile.id, text: say('profile_of', {who: who(say, profile.savedBy), time: format.moment(profile.savedAt)})}))], this.#profile, value => { this.#profile = value; this.#desk.requestUpdate() })}
      ${this.#input('contract-columns', say('required_columns'), this.#columns, value => { this.#columns = value }, {hint: say('required_columns_hint'), placeholder: 'Kd-Nr; Firma'})}
      <div class="two">
        ${this.#input('contract-most', say('most_rows'), this.#most, value => { this.#most = value }, {type: 'number', hint: say('no_limit')})}
        ${this.#input('contract-until', say('valid_until'), this.#until, value => { this.#until = value }, {type: 'date', hint: say('no_end')})}
      </div>
      <fieldset><legend class="label">${say('encodings')}</legend><div class="row wrap">${ENCODINGS.map(item => html`<label class="check"><input type="checkbox" .checked=${this.#encodings.has(item)}
        @change=${(event: Event) => { this.#encodings[(event.target as HTMLInputElement).checked ? 'add' : 'delete'](item); this.#desk.requestUpdate() }}>${ENCODING_NAMES[item]}</label>`)}</div><p class="hint">${say('any_encoding')}</p></fieldset>
      ${this.#draft.exists ? notice('accent', say('draft_not_part')) : nothing}
      ${mayEdit ? html`<div class="row"><span class="grow"></span>${button(say('sign_export'), () => void this.#export(), {kind: 'primary', sign: 'lock', disabled: this.#isBusy})}</div>` : nothing}`
  }

  get #required(): string[] {
    return this.#columns.split(/\s*;\s*/).filter(Boolean)
  }

  get #wish(): ContractWish {
    const policy = {
      ...(this.#required.length ? {requiredColumns: this.#required} : {}),
      ...(this.#most ? {maxRows: Number(this.#most)} : {}),
      ...(this.#encodings.size ? {encodings: [...this.#encodings]} : {}),
    }
    return {
      catalogKey: this.#draft.key, catalogVersion: this.#version, title: this.#title, policy,
      ...(this.#profile ? {profileId: this.#profile} : {}),
      ...(this.#until ? {expiresAt: new Date(`${this.#until}T23:59:59`).toISOString()} : {}),
    }
  }

  async #export(): Promise<void> {
    this.#isBusy = true
    this.#desk.requestUpdate()
    let made: IssuedContract | null = null
    this.#trouble = await attempt(async () => {
      made = await this.#desk.engine.signContract(this.#wish)
      await this.#download(made)
    })
    this.#isBusy = false
    if (made) {
      this.#desk.announce(this.#desk.say('contract_signed', {title: this.#title}))
      await this.#load()
    }
    this.#desk.requestUpdate()
  }

  async #download(contract: IssuedContract): Promise<void> {
    save(await this.#desk.engine.bundle(contract.contractId), `${this.#draft.key}-v${contract.catalogVersion}.contract.json`)
  }

  /** What the bundle will say, before it is signed. */
  #seen(): TemplateResult {
    const {say, format} = this.#desk
    const shown = isShapely(this.#document) ? this.#document : null
    const all = shown?.entries.flatMap(fieldsOf) ?? []
    const rules = all.reduce((sum, field) => sum + objects(field['validations']).length, 0)
    const must = this.#required.length ? this.#required : all.filter(isRequired).map(nameOf)
    const lines: [string, unknown][] = [
      [say('accepts'), shown ? `${text(shown['title'])}, ${say('version_n', {version: this.#version})}, ${say('fields_n', {n: countFields(shown)})}, ${say('rules_n', {n: rules})}` : ''],
      [say('must_have'), must.length ? format.list(must) : say('nothing')],
      [say('most_rows'), this.#most ? say('rows', {n: Number(this.#most)}) : say('no_limit_short')],
      [say('encodings'), this.#encodings.size ? format.list([...this.#encodings].map(item => ENCODING_NAMES[item]!)) : say('any')],
      [say('valid_until'), this.#until ? format.moment(`${this.#until}T12:00:00`) : say('no_end_short')],
    ]
    return html`<aside class="seen"><h3>${say('counterparty_sees')}</h3><p class="small muted">${say('counterparty_about')}</p>
      <div class="card pad"><div class="row"><strong class="grow"><bdi>${this.#title}</bdi></strong>${tag(say('not_signed'))}</div>
        <dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl></div>
      <h3>${say('check_command')}</h3>
      <pre class="shown" tabindex="0">python -m contracts check FILE \\
  --contract ${this.#draft.key}-v${this.#version}.contract.json \\
  --keys keys.jwks.json</pre><p class="small muted">${say('check_exits')}</p></aside>`
  }

  #list(): TemplateResult {
    const {say, format} = this.#desk
    const now = new Date().toISOString()
    return html`<div class="body"><h2>${say('issued_contracts')} <span class="muted small number">${format.number(this.#issued.length)}</span></h2>
      ${this.#issued.length ? html`<div class="scroll" tabindex="0" role="group" aria-label=${say('issued_contracts')}><table class="catalogs"><thead><tr><th scope="col">${say('title')}</th><th scope="col">Id</th><th scope="col">${say('version')}</th><th scope="col">${say('issued')}</th><th scope="col">${say('valid_until')}</th><th scope="col">${say('state')}</th><th scope="col"><span class="hidden-text">${say('download')}</span></th></tr></thead>
        <tbody>${this.#issued.map(contract => html`<tr><th scope="row"><strong><bdi>${contract.title || say('unnamed')}</bdi></strong></th><td><code>${contract.contractId.slice(0, 11)}…${contract.contractId.slice(-4)}</code></td>
          <td class="number">${contract.catalogVersion}</td><td>${format.moment(contract.createdAt)}</td><td>${contract.expiresAt ? format.moment(contract.expiresAt) : say('no_end_short')}</td>
          <td>${contract.keyRevoked ? tag(say('revoked'), 'err', 'close') : contract.expiresAt !== null && contract.expiresAt < now ? tag(say('expired'), 'warn', 'warn') : tag(say('valid'), 'ok', 'check')}</td>
          <td class="end">${button(say('download'), () => void attempt(() => this.#download(contract)).then(trouble => { this.#trouble = trouble; this.#desk.requestUpdate() }), {kind: 'quiet', small: true, sign: 'download', label: `${say('download')}: ${contract.title}`})}</td></tr>`)}</tbody></table></div>` : html`<p class="muted small">${say('none_issued')}</p>`}</div>`
  }
}

