/** What is shown next to the cells: the bubble with what is wrong, and the live region. */

import {property} from './painter.js'

export interface NoteParts {
  readonly bubble: HTMLElement
  readonly live: HTMLElement
}

/** The position of something in the pane, counted from the start of a line and from the first row. */
export interface Place {
  readonly start: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export class Notes {
  #isDismissed = false

  constructor(readonly parts: NoteParts) {}

  announce(text: string): void {
    const {live} = this.parts
    // The same sentence twice is heard twice only when the text differs.
    live.textContent = live.textContent === text ? `${text}\u00a0` : text
  }

  dismiss(isDismissed: boolean): void {
    this.#isDismissed = isDismissed
  }

  /** Show what is wrong with the focused cell; screen readers read the cell's own description. */
  show(text: string, at: Place, within: {width: number; height: number}): void {
    const {bubble} = this.parts
    bubble.hidden = !text || this.#isDismissed
    if (bubble.hidden) return
    if (bubble.textContent !== text) bubble.textContent = text
    beside(bubble, at, within)
  }
}

/** Put a box below a cell, or above it where there is no space, and never beyond the sides. */
export function beside(box: HTMLElement, at: Place, within: {width: number; height: number}): void {
  const below = at.top + at.height + 4
  const above = at.top - box.offsetHeight - 4
  const hasRoom = below + box.offsetHeight <= within.height || above < 0
  const start = Math.max(8, Math.min(at.start, within.width - box.offsetWidth - 8))
  property(box, 'inset-block-start', `${hasRoom ? below : above}px`)
  property(box, 'inset-inline-start', `${start}px`)
}
