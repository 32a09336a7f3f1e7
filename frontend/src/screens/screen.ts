/** A step on the page: a template, a footer, and what it fetches when it is opened. */

import type {CSSResult, TemplateResult} from 'lit'

import type {Flow} from '../flow/flow.js'
import type {Page} from '../flow/page.js'
import type {Say} from '../messages/catalogue.js'
import type {Format} from '../ui/format.js'

/** What a step may ask of the element it is in. */
export interface Stage {
  readonly renderRoot: ParentNode
  announce(text: string): void
  finish(): void
  askToClose(): void
}

export abstract class Screen {
  static styles: CSSResult | null = null
  /** Whether the step fills the body without a margin. */
  readonly isFlush: boolean = false
  protected readonly flow: Flow
  protected readonly stage: Stage

  constructor(flow: Flow, stage: Stage) {
    this.flow = flow
    this.stage = stage
  }

  get page(): Page {
    return this.flow.page
  }

  get say(): Say {
    return this.page.say
  }

  get format(): Format {
    return this.page.format
  }

  /** Fetch what the step shows. */
  enter(): Promise<void> | void {}

  leave(): void {}

  /** The template is on the page. */
  updated(): void {}

  abstract render(): TemplateResult

  footer(): TemplateResult | null {
    return null
  }

  update(): void {
    this.page.requestUpdate()
  }
}
