/** Before there is a catalog: the key is being checked, or the page must say which catalog it wants. */

import {html, type TemplateResult} from 'lit'

import {notice} from '../ui/pieces.js'
import {Screen} from './screen.js'

export class CatalogsScreen extends Screen {
  override render(): TemplateResult {
    const {catalogs, isBusy, trouble} = this.flow
    if (trouble) return html``
    if (isBusy || !this.flow.verified) {
      return html`<div class="stack" aria-busy="true"><h2 class="step-title hidden-text" tabindex="-1">${this.say('verifying')}</h2>
        <progress class="progress" aria-label=${this.say('verifying')}></progress></div>`
    }
    if (!catalogs.length) {
      return notice('warn', html`<h2 class="step-title" tabindex="-1">${this.say('no_catalog_title')}</h2><p>${this.say('no_catalog_detail')}</p>`)
    }
    return notice('warn', html`
      <h2 class="step-title" tabindex="-1">${this.say('several_title', {n: catalogs.length})}</h2>
      <p>${this.say('several_detail')}</p>
      <ul>${catalogs.map(each => html`<li><code class="mono">catalog-key="${each.key}"</code> <bdi>${each.title}</bdi></li>`)}</ul>`)
  }
}
