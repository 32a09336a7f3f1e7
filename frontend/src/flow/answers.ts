/** What receivers answered of rows, by the row's number among the imported ones. */

import type {Engine} from '../api/engine.js'
import type {HostResult} from '../api/outcomes.js'
import type {DeliverySummary} from '../api/shapes.js'

const GAP = 200 // rows that are read along rather than asked for apart

const GOOD = new Set(['created', 'updated', 'unchanged', 'ok', 'accepted'])

/** Whether a receiver took a row, or refused it, as the engine judges its word; words of its own are neither. */
export const toneOf = ({status, refused}: HostResult): 'ok' | 'err' | '' => refused ? 'err' : GOOD.has(status) ? 'ok' : ''

/**
 * What receivers answered; of several the one that refused a row is heard, else the first. A delivery counts its rows from 0; where one of several parts is
 * not delivered, it is unknown where the others begin, and nothing is said of rows.
 */
export async function answersOf(engine: Engine, recordId: string, deliveries: readonly DeliverySummary[], rows: number): Promise<Map<number, HostResult>> {
  const found = new Map<number, HostResult>()
  for (const registration of new Set(deliveries.map(delivery => delivery.webhookId))) {
    const mine = deliveries.filter(delivery => delivery.webhookId === registration && delivery.state === 'delivered')
    const parts = await Promise.all(mine.map(({id}) => engine.delivery(id, recordId)))
    if (parts.reduce((sum, part) => sum + part.rowCount, 0) !== rows) continue
    let start = 0
    for (const {results, rowCount} of parts) {
      for (const result of results ?? []) {
        const row = start + result.row
        if (result.refused || !found.has(row)) found.set(row, result)
      }
      start += rowCount
    }
  }
  return found
}

/** Numbers in ascending order as ranges to read, `[start, count]`. Pure. */
export function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && number < last[0] + last[1] + GAP) last[1] = number - last[0] + 1
    else ranges.push([number, 1])
  }
  return ranges
}
