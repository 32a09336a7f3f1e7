/** Rows that were typed and not sent yet, by engine and catalog: they outlast a key. */

import type {Sheet} from './sheet.js'

export class Sheets {
  readonly #sheets = new Map<string, Sheet>()

  at(place: string): Sheet | null {
    return this.#sheets.get(place) ?? null
  }

  put(place: string, sheet: Sheet | null): void {
    if (sheet) this.#sheets.set(place, sheet)
    else this.#sheets.delete(place)
  }

  clear(): void {
    this.#sheets.clear()
  }

  /** Whether any of them contains text. */
  get hasTyped(): boolean {
    return [...this.#sheets.values()].some(({count}) => count)
  }
}
