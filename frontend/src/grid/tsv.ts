/** Cells as spreadsheets put them on the clipboard: tabs between, lines below, quotes where needed. */

/** Write rows of texts. A text with a tab, a line end or a quote at its start is quoted. */
export function writeTsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map(row => row.map(written).join('\t'))
  // Without its own line end an empty last line would not be read again.
  return lines.join('\r\n') + (lines.length > 1 && lines.at(-1) === '' ? '\r\n' : '')
}

function written(text: string): string {
  return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Read rows of texts, ragged as they come.
 *
 * One line end at the very end belongs to the last row: spreadsheets write it. A quote that opens a text
 * and is never closed is an ordinary character, and so is one in the middle of a text.
 */
export function readTsv(source: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  for (;;) {
    const quoted = source[at] === '"' ? quotedAt(source, at) : null
    const end = quoted ? quoted.end : plainEnd(source, at)
    rows.at(-1)?.push(quoted ? quoted.text : source.slice(at, end))
    if (end >= source.length) return rows
    at = end + (source.startsWith('\r\n', end) ? 2 : 1)
    if (source[end] === '\t') continue
    if (at >= source.length) return rows
    rows.push([])
  }
}

function plainEnd(source: string, from: number): number {
  const stop = /[\t\r\n]/g
  stop.lastIndex = from
  return stop.exec(source)?.index ?? source.length
}

function quotedAt(source: string, from: number): {text: string; end: number} | null {
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] !== '"') continue
    if (source[at + 1] === '"') {
      at += 1
      continue
    }
    const end = at + 1
    const isEnd = end >= source.length || '\t\r\n'.includes(source[end] ?? '')
    return isEnd ? {text: source.slice(from + 1, at).replaceAll('""', '"'), end} : null
  }
  return null
}
