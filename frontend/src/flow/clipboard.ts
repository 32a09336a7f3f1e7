/** Cells copied from a spreadsheet, as a file. Pure. */

/** A file of pasted text; null where it holds no table of at least two lines or two columns. */
export function fileOfText(text: string, name: string): File | null {
  const lines = text.replace(/\r\n?/g, '\n').split('\n').filter(line => line.trim())
  const isTable = lines.length > 1 || /[\t;,]/.test(lines[0] ?? '')
  if (!isTable) return null
  const isTabbed = text.includes('\t')
  return new File([text], isTabbed ? `${name}.tsv` : `${name}.csv`, {type: isTabbed ? 'text/tab-separated-values' : 'text/csv'})
}
