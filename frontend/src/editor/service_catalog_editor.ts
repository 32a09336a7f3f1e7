/** `<service-catalog-editor>`: catalogs from their list to their published versions, on any page. */

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit'

import {FETCH_KEY, Keys} from '../api/keys.js'
import {Transport} from '../api/transport.js'
import {directionOf, regional, speaker} from '../messages/saying.js'
import {controls} from '../ui/controls.js'
import {EditorFormat} from './ui/moments.js'
import {theme} from '../ui/theme.js'
import {UpgradedElement} from '../ui/upgraded.js'
import {Engine} from './api/engine.js'
import {SessionTransport} from './api/session.js'
import type {Desk, NewKind, View} from './desk.js'
import type {Catalog} from './model/catalog.js'
import {formStyles} from './ui/form_styles.js'
import {frameStyles} from './ui/frame_styles.js'
import {CatalogView} from './views/catalog.js'
import {ListView} from './views/list.js'
import {en} from './words/en.js'
import {languageOf, load, type Say} from './words/words.js'

/** The engine that this script was loaded from. */
const OWN_ADDRESS = import.meta.url.split('/elements/')[0] ?? ''
const BEGINS_WITH = ['apiBaseUrl', 'licenseKey', 'fetchKey', 'transport', 'tenant'] as const

export class ServiceCatalogEditor extends UpgradedElement implements Desk {
  static override properties = {
    apiBaseUrl: {attribute: 'api-base-url'},
    licenseKey: {attribute: 'license-key'},
    catalogKey: {attribute: 'catalog-key'},
    transport: {},
    tenant: {},
    readOnly: {attribute: 'read-only', type: Boolean},
    theme: {reflect: true},
    locale: {},
    fetchKey: FETCH_KEY,
  }

  static override styles = [theme, controls, frameStyles, formStyles]

  declare apiBaseUrl: string
  declare licenseKey: string
  declare catalogKey: string
  declare transport: 'license' | 'session'
  declare tenant: string
  declare readOnly: boolean
  declare theme: 'light' | 'dark' | 'auto'
  declare locale: string
  declare fetchKey: (() => Promise<string>) | null

  engine!: Engine
  say: Say = speaker(key => en[key], 'en', String)
  format = new EditorFormat('en')
  mayEdit = false
  sampleId = ''
  #view: View | null = null
  #shownKey: string | null = null
  #announced = ''
  #pageDir: string | undefined
  readonly #keys = new Keys(this)
  #focus = ''
  #ready = Promise.resolve()

  constructor() {
    super()
    this.apiBaseUrl = OWN_ADDRESS
    this.licenseKey = this.catalogKey = this.tenant = this.locale = ''
    this.transport = 'license'
    this.theme = 'light'
    this.readOnly = false
    this.fetchKey = null
    this.constructed()
  }

  get root(): ShadowRoot | HTMLElement {
    return this.renderRoot as ShadowRoot | HTMLElement
  }

  /** The key is removed from the markup at once, so that it cannot be read or copied from there. */
  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    if (name !== 'license-key') return super.attributeChangedCallback(name, old, value)
    if (value === null) return
    this.licenseKey = value
    this.removeAttribute(name)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('beforeunload', this.#onUnload)
    this.addEventListener('keydown', this.#onKey)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('beforeunload', this.#onUnload)
    this.removeEventListener('keydown', this.#onKey)
    this.#view?.leave?.()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed)
    if (changed.has('locale')) this.#ready = this.#speak()
    if (BEGINS_WITH.some(name => changed.has(name))) void this.#begin()
    else if (changed.has('catalogKey') && this.catalogKey !== this.#shownKey) this.#open()
  }

  async #speak(): Promise<void> {
    const locale = this.locale || document.documentElement.lang || navigator.language || 'en'
    const language = languageOf(locale)
    this.format = new EditorFormat(regional(locale))
    const words = await load(language).catch(() => en) // else English is spoken
    this.say = speaker(key => words[key] ?? en[key], language, value => this.format.number(value))
    this.#pageDir ??= this.dir
    this.dir = this.#pageDir || directionOf(locale)
    this.lang = language
    this.requestUpdate()
  }

  async #begin(): Promise<void> {
    if (this.transport === 'session' ? !this.tenant : !this.licenseKey && !this.fetchKey) return
    const isSession = this.transport === 'session'
    const base = new URL(this.apiBaseUrl || '/', location.href).href
    const language = (): string => this.lang
    this.engine = new Engine(isSession
      ? new SessionTransport(base, this.tenant, language)
      : new Transport(base, {key: again => this.#keys.key(again), token: () => undefined, language}))
    this.mayEdit = !this.readOnly
    await this.#ready
    if (!isSession) {
      const verified = await this.engine.entitlements().catch(() => null) // the first view says what is wrong
      this.mayEdit &&= verified?.entitlements['catalogEditor'] === true
    }
    this.#open()
  }

  // What the views ask for

  announce(text: string): void {
    this.#announced = text
    this.requestUpdate()
  }

  override focus(selector?: unknown): void {
    if (typeof selector !== 'string') return super.focus(selector as FocusOptions)
    this.#focus = selector
    this.requestUpdate()
  }

  openList(): void {
    this.#goTo('')
  }

  openCatalog(key: string, begun?: Catalog): void {
    this.#goTo(key, begun)
  }

  openNew(kind: NewKind): void {
    void import('./views/new.js').then(({NewView}) => this.#show(new NewView(this, kind)))
  }

  published(key: string, version: number): void {
    this.dispatchEvent(new CustomEvent('catalog-published', {detail: {key, version}, bubbles: true, composed: true}))
  }

  #goTo(key: string, begun?: Catalog): void {
    this.#shownKey = this.catalogKey = key
    this.#open(begun)
    this.dispatchEvent(new CustomEvent('catalog-opened', {detail: {key: key || null}, bubbles: true, composed: true}))
  }

  #open(begun?: Catalog): void {
    if (!this.engine) return
    this.#shownKey = this.catalogKey
    this.#show(this.catalogKey ? new CatalogView(this, this.catalogKey, begun) : new ListView(this))
  }

  #show(view: View): void {
    const isFirst = this.#view === null
    this.#view?.leave?.()
    this.#view = view
    void view.enter?.()
    if (!isFirst) this.focus('h1')
    this.requestUpdate()
  }

  readonly #onKey = (event: KeyboardEvent): void => this.#view?.keydown?.(event)

  readonly #onUnload = (event: BeforeUnloadEvent): void => {
    if (this.#view?.isUnsaved) event.preventDefault()
  }

  // What is shown

  protected override render(): TemplateResult {
    return html`<section class="frame" part="container">
      ${this.#view?.render() ?? html`<div class="body"><p class="muted">${this.say(this.licenseKey || this.fetchKey || this.tenant ? 'loading' : 'no_key')}</p></div>`}
      <p class="hidden-text" role="status">${this.#announced || nothing}</p>
    </section>`
  }

  protected override updated(): void {
    const found = this.#focus && this.root.querySelector<HTMLElement>(this.#focus)
    if (!found) return
    this.#focus = ''
    found.focus()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'service-catalog-editor': ServiceCatalogEditor
  }
}
