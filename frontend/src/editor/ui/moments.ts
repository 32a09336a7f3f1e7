/** Moments and days in the person's language: today by its time, others by their day. */

import {Format} from '../../ui/format.js'

export class EditorFormat extends Format {
  readonly #of: string

  constructor(locale: string) {
    super(locale)
    this.#of = locale
  }

  moment(said: string | Date, now = new Date()): string {
    const moment = new Date(said)
    if (moment.toDateString() === now.toDateString()) return this.time(moment)
    const year = moment.getFullYear() === now.getFullYear() ? {} : {year: 'numeric' as const}
    return new Intl.DateTimeFormat(this.#of, {day: 'numeric', month: 'long', ...year}).format(moment)
  }

  percent(share: number): string {
    return new Intl.NumberFormat(this.#of, {style: 'percent', maximumFractionDigits: 1}).format(share)
  }
}
