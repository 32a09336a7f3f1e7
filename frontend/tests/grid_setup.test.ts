import {expect, test} from 'vitest'

import {withCurrency} from '../src/review/grid_setup.js'

test.each([
  ['Total', 'float', 'CHF', 'Total (CHF)'],
  ['Total', 'float', "CHF #'##0.00", 'Total (CHF)'],
  ['Total', 'float', '0.00 GBP', 'Total (GBP)'],
  ['Total GBP', 'float', 'GBP', 'Total GBP'],
  ['Total', 'float', '0.00', 'Total'],
  ['Total', 'float', null, 'Total'],
  ['Day', 'date', 'DDD', 'Day'],
])('%s of the type %s in the format %s is headed %s', (label, columnType, outputFormat, wanted) => {
  expect(withCurrency({label, columnType, outputFormat})).toBe(wanted)
})
