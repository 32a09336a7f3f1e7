/** The engine's findings by place, so that each control finds its own at once. */

import type {Finding} from '../api/shapes.js'

export class Findings {
  readonly all: readonly Finding[]
  readonly #below = new Map<string, Finding[]>()

  constructor(all: readonly Finding[] = []) {
    this.all = all
    for (const finding of all) {
      let place = finding.pointer
      for (;;) {
        const here = this.#below.get(place)
        if (here) here.push(finding)
        else this.#below.set(place, [finding])
        if (!place) break
        place = place.slice(0, place.lastIndexOf('/'))
      }
    }
  }

  /** What was found at a place and in all that it holds. */
  under(pointer: string): readonly Finding[] {
    return this.#below.get(pointer) ?? []
  }

  /** What was found at this very place. */
  at(pointer: string): readonly Finding[] {
    return this.under(pointer).filter(finding => finding.pointer === pointer)
  }

  get blocks(): boolean {
    return this.all.some(finding => finding.severity === 'error')
  }
}
