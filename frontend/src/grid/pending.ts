/** Edits on their way: shown at once, forgotten when the rows were fetched again. */

import type {GridEdit} from './types.js'

interface Sent {
  readonly text: string | null
  readonly round: number
}

export class Pending {
  readonly #sent = new Map<string, Sent>()
  #round = 0

  add(edits: readonly GridEdit[]): void {
    for (const edit of edits) this.#sent.set(keyOf(edit.row, edit.field), {text: edit.text, round: this.#round})
  }

  /** The text that a cell shall read; undefined when nothing was sent for it. */
  text(row: number, field: string): string | null | undefined {
    return this.#sent.get(keyOf(row, field))?.text
  }

  /** What was sent until now will be among the rows that are fetched from now on. */
  nextRound(): void {
    this.#round += 1
  }

  /** The rows were fetched. */
  settle(): void {
    for (const [key, sent] of this.#sent) if (sent.round < this.#round) this.#sent.delete(key)
  }

  clear(): void {
    this.#sent.clear()
  }
}

function keyOf(row: number, field: string): string {
  return `${row} ${field}`
}
