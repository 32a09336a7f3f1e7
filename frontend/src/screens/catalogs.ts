/** Before there is a catalog: the key is being checked, or a person chooses one, where the page names none. */

import {html, type TemplateResult} from 'lit'

import {choose} from '../flow/catalogs.js'
import {button, notice} from '../ui/pieces.js'
import {Screen} from './screen.js'

export class CatalogsScreen extends Screen {
  override render(): TemplateResult {
    const {catalogs, isBusy, trouble} = this.flow
    if (trouble) return html``
    // A question that is there stays there: a heading that goes would take the focus with it.
    if (!this.flow.verified || (isBusy && !catalogs.length)) {
      return html`<div class="stack" aria-busy="true"><h2 class="step-title hidden-text" tabindex="-1">${this.say('verifying')}</h2>
        <progress class="progress" aria-label=${this.say('verifying')}></progress></div>`
    }
    if (!catalogs.length) {
      return notice('warn', html`<h2 class="step-title" tabindex="-1">${this.say('no_catalog_title')}</h2><p>${this.say('no_catalog_detail')}</p>`)
    }
    return html`<div class="stack">
      <h2 class="step-title" tabindex="-1">${this.say('catalogs_title')}</h2>
      <div class="row wrap">${catalogs.map(({key, title}) => button(title || key, () => void choose(this.flow, key), {disabled: isBusy}))}</div></div>`
  }
}
