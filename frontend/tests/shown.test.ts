import {expect, test} from 'vitest'

import type {CatalogField, Json} from '../src/api/shapes.js'
import {Shown} from '../src/review/shown.js'

type Options = {label: string; value: string | number}[]
type Offered = NonNullable<CatalogField['dropdownOptions']>
const shown = (locale: string, columnType: string, value: Json, dropdownOptions: Options | null = null) =>
  new Shown([{path: 'a', key: 'a', label: 'A', entry: 'e', columnType, dropdownOptions: dropdownOptions as Offered | null}], locale, key => `<${key}>`).value('a', value)
const bare = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

test.each<[string, string, Json, string]>([
  ['en-GB', 'date', '2026-02-03', '3 Feb 2026'],
  ['en-US', 'date', '2026-02-03', 'Feb 3, 2026'],
  ['de', 'date_dmy', '2026-02-03', '3. Feb. 2026'],
  ['th', 'date', '2026-02-03', '3 ก.พ. 2026'],
  ['en-GB', 'datetime', '2026-02-03T14:05:00', '3 Feb 2026, 14:05:00'],
  ['en-GB', 'datetime', '2026-02-03T14:05:09Z', '3 Feb 2026, 14:05:09 UTC'],
  ['en-GB', 'datetime', '2026-02-03T14:05:09+02:00', '3 Feb 2026, 14:05:09 +02:00'],
  ['de', 'float', 19.9, '19,9'],
  ['de', 'float', 1234567.125, '1.234.567,125'],
  ['de', 'int', 2026, '2026'],
  ['en', 'int', 12026, '12,026'],
  ['en', 'float', 1e-18, '0.000000000000000001'],
  ['en', 'percentage', 0.07, '7%'],
  ['en', 'percentage', 0.125, '12.5%'],
  ['de', 'currency_eur', 1234.5, '1234,50 €'],
  ['de', 'currency_eur', 12345.125, '12.345,125 €'],
  ['en-US', 'currency_usd', -12345, '-$12,345.00'],
  ['en-US', 'time_hm', '14:05', '2:05 PM'],
  ['en-US', 'time_hms_24', '14:05:09', '2:05:09 PM'],
  ['de', 'time_hm_24', '14:05', '14:05'],
  ['en', 'boolean', true, '<value_yes>'],
  ['en', 'boolean', false, '<value_no>'],
  ['de', 'country_code_alpha_3', 'CHE', 'Schweiz'],
  ['de', 'country_code_alpha_2', 'CH', 'Schweiz'],
  ['en', 'country_code_alpha_2', ['CH', 'DE'], 'Switzerland, Germany'],
])('in %s a %s of %j reads %s', (locale, type, value, text) => {
  expect(bare(shown(locale, type, value).text)).toBe(text)
})

test.each<[string, Json]>([
  ['date', '03.02.2026'], ['date', '0001-01-01'], ['date', '2026-13-40'], ['date', 45000], ['float', '19,90'],
  ['time_hm', '24:05'], ['time_hm', 'noon'], ['boolean', 'perhaps'], ['country_code_alpha_3', 'XXX'], ['string', '2026-02-03'], ['country_code_alpha_2', 'Nowhere'], ['string', null],
])('a %s of %j is shown as it is delivered', (type, value) => {
  expect(shown('de', type, value).text).toBe(value === null ? '' : String(value))
})

const PLANS = [{label: 'Premium plan', value: 'premium'}, {label: 'Free', value: 'free'}]

test('an option reads as its label, and is edited by it', () => {
  expect(shown('en', 'string', 'premium', PLANS)).toEqual({text: 'Premium plan', source: 'Premium plan'})
  expect(shown('en', 'string', ['premium', 'free'], PLANS)).toEqual({text: 'Premium plan, Free', source: 'premium, free'})
  expect(shown('en', 'string', 'of their own', PLANS).text).toBe('of their own')
  expect(shown('en', 'int', 1, [{label: 'One', value: 1}]).text).toBe('One')
})

test('an option whose label names another one is edited by what is delivered', () => {
  const crossed = [{label: '2', value: '1'}, {label: '1', value: '2'}]

  expect(shown('en', 'string', '1', crossed)).toEqual({text: '2', source: '1'})
})
