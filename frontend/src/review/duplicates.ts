/** Opens the panel of duplicates, which is loaded only for a person who asks for it. */

import {nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {DuplicatesPanel, PanelActs} from '../duplicates/panel.js'
import type {Flow} from '../flow/flow.js'

export class Duplicates {
  readonly #flow: Flow
  readonly #acts: PanelActs
  #panel: DuplicatesPanel | undefined

  constructor(flow: Flow, acts: PanelActs) {
    this.#flow = flow
    this.#acts = acts
  }

  open(): void {
    void this.#flow.load(async () => {
      const {DuplicatesPanel} = await loaded(import('../duplicates/panel.js'))
      this.#panel ??= new DuplicatesPanel(this.#flow, this.#acts)
      await this.#panel.open()
    })
  }

  updated(root: ParentNode): void {
    this.#panel?.updated(root)
  }

  render(): TemplateResult | typeof nothing {
    return this.#panel?.render() ?? nothing
  }
}
