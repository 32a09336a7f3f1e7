/** `<service-import>`: the import of one file, on any page. State in, events out. */

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit'

import {Keys} from '../api/keys.js'
import {loaded} from '../api/problem.js'
import type {Json} from '../api/shapes.js'
import {Flow} from '../flow/flow.js'
import type {Page} from '../flow/page.js'
import {Sheets} from '../flow/sheets.js'
import type {Phase, Step} from '../flow/steps.js'
import {directionOf, isolated, languageOf, load, loadSteps, regional, sayer, type Say} from '../messages/catalogue.js'
import {prepare, readyScreen, screenFor, type ScreenClass} from '../screens/registry.js'
import type {Screen, Stage} from '../screens/screen.js'
import {troubled} from '../screens/troubled.js'
import {UploadScreen} from '../screens/upload.js'
import {controls} from '../ui/controls.js'
import {Format} from '../ui/format.js'
import {theme} from '../ui/theme.js'
import {ImportAttributes} from './attributes.js'
import * as events from './events.js'
import {header} from './frame.js'
import {frameStyles} from './frame_styles.js'

const BEGINS_WITH = ['apiBaseUrl', 'licenseKey', 'fetchKey', 'catalogKey', 'recordId'] as const

export class ServiceImport extends ImportAttributes implements Page, Stage {
  static override styles = [theme, controls, frameStyles]
  say: Say = sayer({}, [], 'en', String)
  language = 'en'
  format = new Format('en')
  #flow: Flow | null = null
  #screen: Screen | null = null
  #shown: Phase | null = null
  #adopted = new Set<ScreenClass>()
  #isOpen = false
  /** The step that was opened has not had the focus yet. */
  #mustFocus = false
  #asks: typeof import('./leaving.js').leaving | null = null
  #announced = ''
  /** The direction that the page set on the element; without it, that of the language. */
  #pageDir: string | undefined
  readonly #keys = new Keys(this)
  #waiting: ((flow: Flow) => unknown)[] = []
  #ready = Promise.resolve()
  readonly #sheets = new Sheets()

  // What the page may call

  /** Show the widget: the dialog of `display="modal"`, or the element in its place. */
  open(): void {
    this.#isOpen = true
    this.hidden = false
    this.requestUpdate()
  }

  /** Hide the widget; asks first when an import is under way. */
  close(): void {
    this.askToClose()
  }

  /** Start again, with nothing chosen. */
  reset(): void {
    this.#sheets.clear()
    this.#flow?.startOver(true)
  }

  /** Import a file that the page already has. */
  setFile(file: File | Blob | ArrayBuffer, name = file instanceof File ? file.name : 'file'): void {
    const whole = file instanceof File && file.name === name ? file : new File([file], name)
    this.#whenReady(flow => flow.send(whole))
  }

  /** Import rows that the page already has: objects by column, or arrays of cells. */
  setRows(rows: Json[]): void {
    this.#whenReady(flow => flow.sendRows(rows))
  }

  /** Open a step that was passed: `table`, `columns` or `review`; `upload` starts again. */
  goTo(step: Step): void {
    this.#flow?.goTo(step)
  }

  // What the flow asks of its page

  key(again: boolean): Promise<string> {
    return this.#keys.key(again)
  }

  announce(text: string): void {
    this.#announced = text
    this.requestUpdate()
  }

  finish(): void {
    this.#flow?.startOver()
    if (this.display === 'modal') this.#leave()
    else this.dispatchEvent(events.importClosed())
  }

  askToClose(): void {
    if (!this.#flow?.isUnderWay) return this.#leave()
    void this.#flow.load(async () => {
      [{leaving: this.#asks}] = await Promise.all([loaded(import('./leaving.js')), loadSteps()])
      this.requestUpdate()
    })
  }

  #leave(): void {
    this.#asks = null
    this.#isOpen = false
    if (this.display === 'inline') this.hidden = true
    this.requestUpdate()
    this.dispatchEvent(events.importClosed())
  }

  #whenReady(act: (flow: Flow) => unknown): void {
    if (this.#flow?.catalog) void act(this.#flow)
    else this.#waiting.push(act)
  }

  // The life of the element

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('paste', this.#onPaste)
    addEventListener('beforeunload', this.#onUnload)
    this.addEventListener('import-ready', this.#onReady)
    this.addEventListener('import-file', prepare)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('paste', this.#onPaste)
    removeEventListener('beforeunload', this.#onUnload)
    this.removeEventListener('import-ready', this.#onReady)
    this.removeEventListener('import-file', prepare)
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed)
    if (changed.has('locale') || changed.has('messages')) this.#ready = this.#speak()
    const isMended = changed.has('applyMode') && this.#flow?.phase === 'verifying'
    if (isMended || BEGINS_WITH.some(name => changed.has(name))) this.#begin()
    const phase = this.#flow?.phase
    if (phase && phase !== this.#shown) this.#show(phase)
  }

  /** Load the language of the page; English is there at once. */
  async #speak(): Promise<void> {
    const locale = this.locale || document.documentElement.lang || navigator.language || 'en'
    const language = languageOf(locale)
    this.format = new Format(regional(locale))
    this.language = language
    const number = (value: number): string => this.format.number(value)
    const sentences = await load(language).catch(() => []) // else English is spoken
    const say = sayer(this.messages, sentences, language, number)
    this.#pageDir ??= this.dir
    this.dir = this.#pageDir || directionOf(locale)
    this.say = [this.dir, directionOf(language)].includes('rtl') ? isolated(say, language) : say
    this.requestUpdate()
  }

  #begin(): void {
    if (!this.licenseKey && !this.fetchKey) return
    this.#screen?.leave()
    this.#shown = this.#screen = null
    const flow = new Flow(this, this.#sheets)
    this.#flow = flow
    void this.#ready.then(() => flow.begin())
  }

  readonly #onReady = (): void => {
    // A catalog may come for a flow that another replaced: what waits then waits for that one's.
    for (const act of this.#waiting.splice(0)) queueMicrotask(() => this.#whenReady(act))
  }

  #show(phase: Phase): void {
    const ready = readyScreen(phase)
    if (ready) return this.#open(phase, ready)
    this.#shown = phase
    void this.#flow!.load(async () => {
      const screen = await screenFor(phase)
      if (this.#flow?.phase === phase) this.#open(phase, screen)
    })
  }

  #open(phase: Phase, screen: ScreenClass): void {
    const flow = this.#flow!
    const isFirst = this.#screen === null || this.#screen instanceof readyScreen('verifying')! // a page that loads keeps its focus
    this.#shown = phase
    if (this.#screen instanceof screen && phase !== 'review') return
    this.#screen?.leave()
    this.#screen = new screen(flow, this)
    const sheet = screen.styles?.styleSheet
    if (sheet && !this.#adopted.has(screen)) {
      const root = this.renderRoot as ShadowRoot
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
      this.#adopted.add(screen)
    }
    void this.#screen.enter()
    this.#mustFocus = !isFirst
    this.requestUpdate()
  }

  readonly #onPaste = (event: ClipboardEvent): void => {
    const isElsewhere = event.target instanceof Element && event.target !== this && event.target.matches('input, textarea, [contenteditable]')
    if (isElsewhere || (this.display === 'modal' && !this.#isOpen)) return
    if (this.#screen instanceof UploadScreen) this.#screen.pasted(event)
  }

  readonly #onUnload = (event: BeforeUnloadEvent): void => {
    if (this.#flow?.hasUnsent) event.preventDefault()
  }

  // What is shown

  protected override render(): TemplateResult {
    const content = html`${this.#content()}<p class="hidden-text" role="status">${this.#announced}</p>${this.#asking()}`
    if (this.display !== 'modal') return html`<section class="frame" part="container" aria-label=${this.#name}>${content}</section>`
    return html`<dialog class="modal" part="dialog" aria-label=${this.#name} @cancel=${this.#cancelled}>
      <section class="frame" part="container">${content}</section>
    </dialog>`
  }

  get #name(): string {
    const catalog = this.#flow?.catalog?.title
    return catalog ? this.say('title', {catalog}) : this.say('title_bare')
  }

  #content(): TemplateResult {
    const flow = this.#flow
    if (!flow) return html`<div class="body"><p class="muted">${this.say('no_key')}</p></div>`
    const screen = this.#screen
    const footer = screen?.footer() ?? null
    return html`
      ${header(flow, this.display === 'modal' ? () => this.askToClose() : null)}
      <div class="body ${screen?.isFlush ? 'flush' : ''} ${flow.isBusy ? 'busy' : ''}" part="body">${troubled(flow)}${screen?.render() ?? nothing}</div>
      ${footer ? html`<footer class="footer" part="footer">${footer}</footer>` : nothing}`
  }

  #asking(): TemplateResult | typeof nothing {
    if (!this.#asks || !this.#flow) return nothing
    const done = (): void => {
      this.#asks = null
      this.requestUpdate()
    }
    return this.#asks(this.#flow, {
      stay: done,
      later: () => this.#leave(),
      discard: () => { void this.#flow?.discard(); this.#leave() },
    })
  }

  readonly #cancelled = (event: Event): void => {
    event.preventDefault()
    this.askToClose()
  }

  /** Give the focus to the heading of a step that was opened, once it is there. */
  #focusStep(): void {
    const heading = this.#mustFocus && this.renderRoot.querySelector<HTMLElement>('.step-title')
    if (!heading) return
    this.#mustFocus = false
    heading.focus()
  }

  protected override updated(): void {
    this.#focusStep()
    this.#screen?.updated() // which may lead on from the heading
    const ask = this.renderRoot.querySelector<HTMLDialogElement>('dialog.ask')
    if (ask && !ask.open) ask.showModal()
    const modal = this.renderRoot.querySelector<HTMLDialogElement>('dialog.modal')
    if (!modal || modal.open === this.#isOpen) return
    if (this.#isOpen) modal.showModal()
    else modal.close()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'service-import': ServiceImport
  }
  interface HTMLElementEventMap extends events.ImportEventMap {}
}
