/** What this page thinks of the rows of an import of `orders`, and what it can fill in. */

/** The newest prices of the host; a page of yours asks its own server for them. */
const PRICES = new Map([['LX-100', 19.9], ['LX-200', 24.5]])

/**
 * Look at up to 500 rows. `signal` is aborted when the answer is no longer wanted: hand it to your requests.
 */
export async function onRows(rows, {signal}) {
  signal.throwIfAborted()
  const findings = []
  const proposals = []
  for (const {row, values} of rows) {
    const price = PRICES.get(values['orders.article'])
    const given = values['orders.unit_price']
    if (price === undefined) continue
    if (given === null) proposals.push({row, field: 'orders.unit_price', value: price, reason: 'From our price list'})
    else if (given !== price) findings.push({row, field: 'orders.unit_price', message: `Our price is ${price}.`, severity: 'warning'})
  }
  return {findings, proposals}
}
