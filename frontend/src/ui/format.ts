/** Numbers, sizes and moments in the person's language, and values as texts. */

import type {Json} from '../api/shapes.js'

/** A value as it is shown and edited. */
export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export class Format {
  readonly #number: Intl.NumberFormat
  readonly #size: Intl.NumberFormat
  readonly locale: string

  constructor(locale: string) {
    this.locale = locale
    this.#number = new Intl.NumberFormat(locale)
    this.#size = new Intl.NumberFormat(locale, {maximumSignificantDigits: 3})
  }

  number(value: number): string {
    return this.#number.format(value)
  }

  bytes(value: number): string {
    const units = ['B', 'kB', 'MB', 'GB']
    let [size, at] = [value, 0]
    while (size >= 1000 && at < units.length - 1) [size, at] = [size / 1000, at + 1]
    return `${this.#size.format(size)} ${units[at]}`
  }

  list(values: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
    return new Intl.ListFormat(this.locale, {type}).format(values)
  }

  ago(moment: number, now: number): string {
    const minutes = Math.round((moment - now) / 60_000)
    const words = new Intl.RelativeTimeFormat(this.locale, {numeric: 'auto'})
    const hours = Math.round(minutes / 60)
    if (Math.abs(minutes) < 90) return words.format(minutes, 'minute')
    return Math.abs(hours) < 36 ? words.format(hours, 'hour') : words.format(Math.round(hours / 24), 'day')
  }

  date(moment: Date): string {
    return new Intl.DateTimeFormat(this.locale, {dateStyle: 'long'}).format(moment)
  }

  time(moment: Date): string {
    return new Intl.DateTimeFormat(this.locale, {hour: 'numeric', minute: '2-digit'}).format(moment)
  }
}
