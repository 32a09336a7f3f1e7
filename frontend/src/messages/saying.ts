/** How a sentence is said: `{name}` is replaced, and "one row | {n} rows" is chosen by `n`. */

export type Params = Record<string, string | number>

/** Say the sentences that `find` has; a key that nobody has a sentence for says itself. */
export function speaker<Key extends string>(
  find: (key: Key) => string | undefined,
  language: string,
  format: (value: number) => string,
): (key: Key, params?: Params) => string {
  const rules = new Intl.PluralRules(language)
  return (key, params = {}) => {
    const forms = (find(key) ?? key).split(' | ')
    const n = params['n']
    const isOne = typeof n === 'number' && rules.select(n) === 'one'
    const form = forms.length > 1 && !isOne ? forms[1]! : forms[0]!
    return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = params[name]
      return value === undefined ? whole : typeof value === 'number' ? format(value) : value
    })
  }
}

/** Left to right, or right to left, by the script of the locale. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(ar|arc|ckb|dv|fa|he|iw|ku-arab|ps|sd|ug|ur|yi)(-|$)/i.test(locale) ? 'rtl' : 'ltr'
}
