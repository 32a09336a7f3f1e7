/** How a sentence is said: `{name}` is replaced, and "one row | {n} rows" is chosen by `n`. */

export type Params = Record<string, string | number>

/** Say the sentences that `find` has; a key without a sentence says itself. */
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

const alone = (text: string): string => `\u2068${text}\u2069`

/** Say each sentence, and what is filled into it, by its own direction: an English one keeps its order in a page that runs from right to left. */
export const isolated = <Key extends string>(say: (key: Key, params?: Params) => string) => (key: Key, params?: Params): string => {
  const filled = Object.entries(params ?? {}).map(([name, value]) => [name, typeof value === 'string' ? alone(value) : value] as const)
  const said = say(key, Object.fromEntries(filled))
  return said === key || /^\p{L}(.*\p{L})?$/su.test(said) ? said : alone(said) // letters at both ends hold the rest
}

/** A sentence as a name of something, without what isolates it. */
export const bare = (said: string): string => said.replace(/[\u2068\u2069]/g, '')

/** Left to right, or right to left, by the script of the locale. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(ar|arc|ckb|dv|fa|he|iw|ku-arab|ps|sd|ug|ur|yi)(-|$)/i.test(locale) ? 'rtl' : 'ltr'
}
