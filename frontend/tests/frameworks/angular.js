import '@angular/compiler'
import {Component, CUSTOM_ELEMENTS_SCHEMA} from '@angular/core'
import {bootstrapApplication} from '@angular/platform-browser'

import {about, applied, fetchKey} from './shared.js'

class Import {
  engine = about.engine
  fetchKey = fetchKey
  applied = applied
}

const Root = Component({
  selector: 'main',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<service-import [attr.api-base-url]="engine" [fetchKey]="fetchKey" (import-applied)="applied($event)" />`,
})(Import)

await bootstrapApplication(Root)
