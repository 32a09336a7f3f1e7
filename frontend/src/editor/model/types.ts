/** The 30 column types by what they are for, each with texts that it takes and what is delivered. */

export interface TypeAbout {
  name: string
  takes: readonly string[]
  gives: string
}

export const TYPE_GROUPS: Record<string, readonly TypeAbout[]> = {
  text: [
    {name: 'string', takes: ['Zoë', 'A-10 / 7'], gives: '"Zoë"'},
    {name: 'category', takes: ['open', 'offen'], gives: '"open"'},
    {name: 'boolean', takes: ['Ja', 'yes', '1'], gives: 'true'},
  ],
  numbers: [
    {name: 'int', takes: ['1.234', '42'], gives: '1234'},
    {name: 'float', takes: ['1.234,56', '(1,234.50)'], gives: '1234.56'},
    {name: 'percentage', takes: ['12,5 %', '7'], gives: '0.125'},
  ],
  money: [
    {name: 'currency_eur', takes: ['1.234,50 EUR', '€ 5'], gives: '1234.5'},
    {name: 'currency_usd', takes: ['$1,234.50'], gives: '1234.5'},
  ],
  dates: [
    {name: 'date', takes: ['3. März 2024', '03/03/24'], gives: '"2024-03-03"'},
    {name: 'date_dmy', takes: ['03.04.2024'], gives: '"2024-04-03"'},
    {name: 'date_mdy', takes: ['04/03/2024'], gives: '"2024-04-03"'},
    {name: 'date_iso', takes: ['2024-04-03'], gives: '"2024-04-03"'},
    {name: 'datetime', takes: ['31.01.2024 13:05'], gives: '"2024-01-31T13:05:00"'},
    {name: 'time_hms', takes: ['2:05:09 pm'], gives: '"14:05:09"'},
    {name: 'time_hms_24', takes: ['14:05:09'], gives: '"14:05:09"'},
    {name: 'time_hm', takes: ['12:30 a.m.'], gives: '"00:30"'},
    {name: 'time_hm_24', takes: ['14h05', '14:05'], gives: '"14:05"'},
  ],
  contact: [
    {name: 'email', takes: ['Jane Roe <jane@Example.org>'], gives: '"jane@example.org"'},
    {name: 'phone', takes: ['0171/3817965', '+49 30 123456'], gives: '"+491713817965"'},
    {name: 'url', takes: ['HTTP://Example.org/A'], gives: '"http://example.org/A"'},
    {name: 'url_www', takes: ['www.Example.org'], gives: '"www.example.org"'},
    {name: 'url_https', takes: ['https://example.org'], gives: '"https://example.org"'},
  ],
  identifiers: [
    {name: 'iban', takes: ['GB82 WEST 1234 5698 7654 32'], gives: '"GB82WEST12345698765432"'},
    {name: 'bic', takes: ['deutdeff'], gives: '"DEUTDEFF"'},
    {name: 'vat_eu', takes: ['GR 094259216'], gives: '"EL094259216"'},
    {name: 'gtin', takes: ['0360 0029 1452'], gives: '"036000291452"'},
  ],
  codes: [
    {name: 'zip_code_de', takes: ['1067'], gives: '"01067"'},
    {name: 'country_code_alpha_2', takes: ['Österreich', 'AUT'], gives: '"AT"'},
    {name: 'country_code_alpha_3', takes: ['uk', 'GB'], gives: '"GBR"'},
    {name: 'currency_code', takes: ['US-Dollar'], gives: '"USD"'},
  ],
}

const ABOUT = new Map(Object.values(TYPE_GROUPS).flat().map(about => [about.name, about]))

export const aboutType = (name: string): TypeAbout | undefined => ABOUT.get(name)

/** Return whether values of a type are numbers that a file may write with a comma or a point. */
export const isNumber = (name: string): boolean => ['int', 'float', 'percentage', 'currency_eur', 'currency_usd'].includes(name)

const FORMATS: Record<string, readonly string[]> = {
  date: ['DD.MM.YYYY', 'M/D/YY', 'YYYY-MM-DD'], datetime: ['YYYY-MM-DD HH:mm', 'DD.MM.YYYY HH:mm'],
  time_hms: ['HH:mm:ss', 'h:mm:ss A'], time_hm: ['HH:mm', 'h:mm A'],
  int: ['#,##0', '#.##0'], float: ['#.##0,00', '#,##0.00', '0.00', 'CHF 0.00'], percentage: ['0.0 %'],
  currency_eur: ['0.00', '#.##0,00'], currency_usd: ['0.00', '#,##0.00'],
  boolean: ['Ja/Nein', 'yes/no'], phone: ['international'], iban: ['grouped'],
}

/** Formats that a type's values can be delivered in, for the author to choose from or change. */
export const formatsOf = (name: string): readonly string[] =>
  FORMATS[name] ?? FORMATS[name.replace(/_(dmy|mdy|iso|24)$/, '')] ?? []

const AMOUNT = /^(?:([A-Z]{3})|([A-Z]{3}) ([^A-Z]+)|([^A-Z]+) ([A-Z]{3}))$/

/** The currency that a format names: of 'CHF', 'CHF 0.00' and '0.00 CHF' it is CHF. */
export const currencyOf = (format: string): string => {
  const [, alone, before, , , after] = AMOUNT.exec(format) ?? []
  return alone ?? before ?? after ?? ''
}

/** A format with another currency; empty takes the currency away and keeps the form of the number. */
export function withCurrency(format: string, code: string): string {
  const [, alone, before, ...rest] = AMOUNT.exec(format) ?? []
  const digits = alone ? '' : before ? rest[0] ?? '' : rest[1] ?? format
  if (!code || !digits) return code || digits
  return before ? `${code} ${digits}` : `${digits} ${code}`
}
