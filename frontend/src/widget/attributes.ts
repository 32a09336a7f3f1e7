/** The attributes and properties of `<service-import>`, with what they are when a page says nothing. */

import {FETCH_KEY} from '../api/keys.js'
import type {ApplyMode, JsonObject} from '../api/shapes.js'
import type {OnResults, OnResultsChunk, OnRows} from '../flow/page.js'
import type {Messages} from '../messages/catalogue.js'
import {UpgradedElement} from '../ui/upgraded.js'

/** The engine that this script was loaded from. */
const OWN_ADDRESS = import.meta.url.split('/elements/')[0] ?? ''

export class ImportAttributes extends UpgradedElement {
  static override properties = {
    apiBaseUrl: {attribute: 'api-base-url'},
    licenseKey: {attribute: 'license-key'},
    catalogKey: {attribute: 'catalog-key'},
    applyMode: {attribute: 'apply-mode'},
    recordId: {attribute: 'record-id'},
    display: {reflect: true},
    theme: {reflect: true},
    locale: {},
    maxFileSize: {attribute: 'max-file-size', type: Number},
    showAllSteps: {attribute: 'show-all-steps', type: Boolean},
    showImports: {attribute: 'show-imports', type: Boolean},
    noStepTimes: {attribute: 'no-step-times', type: Boolean},
    accept: {},
    messages: {attribute: false},
    context: {attribute: false},
    fetchKey: FETCH_KEY,
    onResults: {attribute: false},
    onResultsChunk: {attribute: false},
    onRows: FETCH_KEY, // another function in its place restarts nothing here, either
  }

  declare apiBaseUrl: string
  declare licenseKey: string
  declare catalogKey: string
  declare applyMode: ApplyMode
  declare recordId: string
  declare display: 'inline' | 'modal'
  declare theme: 'light' | 'dark' | 'auto'
  declare locale: string
  declare maxFileSize: number
  declare showAllSteps: boolean
  declare showImports: boolean
  declare noStepTimes: boolean
  declare accept: string
  declare messages: Partial<Messages>
  declare context: JsonObject | null
  declare fetchKey: (() => Promise<string>) | null
  declare onResults: OnResults | null
  declare onResultsChunk: OnResultsChunk | null
  declare onRows: OnRows | null

  constructor() {
    super()
    this.apiBaseUrl = OWN_ADDRESS
    this.licenseKey = this.catalogKey = this.recordId = this.locale = this.accept = ''
    this.applyMode = 'webhook'
    this.display = 'inline'
    this.theme = 'light'
    this.maxFileSize = 0
    this.showAllSteps = this.showImports = this.noStepTimes = false
    this.messages = {}
    this.context = this.fetchKey = this.onResults = this.onResultsChunk = this.onRows = null
    this.constructed()
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    if (name === 'license-key') {
      if (value === null) return
      this.licenseKey = value
      this.removeAttribute(name) // no script reads it from the page's markup, and no copy of it leaks there
      return
    }
    super.attributeChangedCallback(name, old, value)
  }
}
