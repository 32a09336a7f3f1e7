/** Opens the panel of duplicates, which is loaded only for a person who asks for it. */

import {nothing, type TemplateResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {DuplicatesPanel, PanelActs} from '../duplicates/panel.js'
import type {Flow} from '../flow/flow.js'

export interface Duplicates {
  open(): void
  updated(root: ParentNode): void
  render(): TemplateResult | typeof nothing
}

export function duplicates(flow: Flow, acts: PanelActs): Duplicates {
  let panel: DuplicatesPanel | undefined
  return {
    open: () => void flow.load(async () => {
      panel ??= new (await loaded(import('../duplicates/panel.js'))).DuplicatesPanel(flow, acts)
      await panel.open()
    }),
    updated: root => panel?.updated(root),
    render: () => panel?.render() ?? nothing,
  }
}
