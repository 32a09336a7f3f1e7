/** Values as people read them: the labels of options; dates, numbers and countries in their language. */

import type {Json} from '../api/shapes.js'
import type {Field} from '../flow/fields.js'
import type {Say} from '../messages/catalogue.js'
import {textOf} from '../ui/format.js'
import {countryCode} from './countries.js'

export interface ShownValue {
  text: string
  /** What an edit starts from and a copy takes, unless the file's own text is known. */
  source: string
}

type Show = (value: Json) => ShownValue

const NUMBERS = /^(int|float|percentage|currency_)/
const MOMENT = /^([1-9]\d{3}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?$/
const DAY = {day: 'numeric', month: 'short', year: 'numeric', calendar: 'gregory', timeZone: 'UTC'} as const
const TIME = /^(\d{2}):(\d{2})(?::(\d{2}))?$/
const SIGNS: Readonly<Record<string, string>> = {currency_eur: 'EUR', currency_usd: 'USD'}
const DIGITS = 17 // every digit that a number has

/** How the values of each field are shown; a value that fits no way is shown as it is delivered. */
export class Shown {
  readonly #locale: string
  readonly #say: Say
  readonly #ways: ReadonlyMap<string, Show>

  constructor(fields: readonly Field[], locale: string, say: Say) {
    this.#locale = locale
    this.#say = say
    this.#ways = new Map(fields.map(field => [field.path, this.#wayOf(field)]))
  }

  value(path: string, value: Json): ShownValue {
    return this.#ways.get(path)?.(value) ?? plain(value)
  }

  #wayOf(field: Field): Show {
    const {columnType, dropdownOptions: options} = field
    if (options?.length) return byLabel(options)
    if (NUMBERS.test(columnType)) return this.#number(this.#styleOf(columnType))
    if (columnType.startsWith('date')) return this.#moment()
    if (columnType.startsWith('time')) return this.#time(columnType.startsWith('time_hms'))
    if (columnType.startsWith('country_code_alpha_')) return this.#country()
    if (columnType === 'boolean') return this.#truth()
    return plain
  }

  #styleOf(columnType: string): Intl.NumberFormatOptions {
    const currency = SIGNS[columnType]
    if (currency) return {style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 20}
    return {maximumSignificantDigits: DIGITS, ...(columnType === 'percentage' ? {style: 'percent'} : {})}
  }

  #number(style: Intl.NumberFormatOptions): Show {
    const format = new Intl.NumberFormat(this.#locale, {useGrouping: 'min2', ...style} as Intl.NumberFormatOptions)
    return value => (typeof value === 'number' ? {text: format.format(value), source: String(value)} : plain(value))
  }

  /** Write the month by its name, so that day and month cannot be confused. */
  #moment(): Show {
    const day = new Intl.DateTimeFormat(this.#locale, DAY)
    const time = new Intl.DateTimeFormat(this.#locale, {...DAY, hour: 'numeric', minute: '2-digit', second: '2-digit'})
    return value => {
      const [source, date, minutes, seconds = ':00', zone = ''] = MOMENT.exec(typeof value === 'string' ? value : '') ?? []
      const moment = new Date(`${date}T${minutes ?? '00:00'}${seconds}Z`)
      if (!source || Number.isNaN(moment.getTime())) return plain(value)
      if (!minutes) return {text: day.format(moment), source}
      return {text: `${time.format(moment)}${zone === 'Z' ? ' UTC' : zone && ` ${zone}`}`, source}
    }
  }

  #time(hasSeconds: boolean): Show {
    const format = new Intl.DateTimeFormat(this.#locale, {
      hour: 'numeric', minute: '2-digit', ...(hasSeconds ? {second: '2-digit'} : {}), timeZone: 'UTC',
    })
    return value => {
      const [source, hour, minute, second = '0'] = TIME.exec(typeof value === 'string' ? value : '') ?? []
      if (!source || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return plain(value)
      return {text: format.format(new Date(Date.UTC(2000, 0, 1, Number(hour), Number(minute), Number(second)))), source}
    }
  }

  #truth(): Show {
    return value => (typeof value === 'boolean' ? {text: this.#say(value ? 'value_yes' : 'value_no'), source: textOf(value)} : plain(value))
  }

  #country(): Show {
    const names = new Intl.DisplayNames(this.#locale, {type: 'region'})
    const name = (value: Json): string => {
      const code = typeof value === 'string' ? countryCode(value) : undefined
      return (code && names.of(code)) ?? textOf(value)
    }
    return value => ({text: Array.isArray(value) ? value.map(name).join(', ') : name(value), source: textOf(value)})
  }
}

const plain: Show = value => ({text: textOf(value), source: textOf(value)})

/** The label of an option; an edit starts from it where it can mean no other option. */
function byLabel(options: readonly {label: string; value: string | number}[]): Show {
  const labels = new Map(options.map(({label, value}) => [String(value), label]))
  const spelled = options.flatMap(({label, value}) => [...new Set([fold(label), fold(String(value))])])
  const isCertain = (label: string): boolean => spelled.filter(text => text === fold(label)).length === 1
  const shown: Show = value => {
    if (Array.isArray(value)) return {text: value.map(item => shown(item).text).join(', '), source: textOf(value)}
    const label = labels.get(textOf(value))
    if (label === undefined) return plain(value)
    return {text: label, source: isCertain(label) ? label : textOf(value)}
  }
  return shown
}

const fold = (text: string): string => text.trim().toLowerCase()
