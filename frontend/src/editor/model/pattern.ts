/** A pattern of the engine as the browser can try it: near enough to see what it takes. */

export function asRegExp(pattern: string, flags = ''): RegExp | null {
  let wanted = flags.replace(/[^ims]/g, '')
  let source = pattern.replace(/\(\?P</g, '(?<').replace(/\(\?P=(\w+)\)/g, '\\k<$1>').replace(/\\A/g, '^').replace(/\\[zZ]/g, '$')
  const inline = /^\(\?([ims]+)\)/.exec(source)
  if (inline) {
    wanted += inline[1]
    source = source.slice(inline[0].length)
  }
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(source, [...new Set(wanted)].join('') + unicode)
    } catch {
      // without "u" the browser forgives more, as the engine does
    }
  }
  return null
}
