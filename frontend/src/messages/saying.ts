/** How a sentence is said: `{name}` is replaced, and a form of "one row | {n} rows" is chosen by `n`. */

export type Params = Record<string, string | number>

/** The plural forms of a language, in the order in which its sentences have them; the last is for all else. */
const FORMS: Readonly<Record<string, string>> = {ar: 'zero one two few many other', he: 'one two other', pl: 'one few many'}

/** Return which form of a sentence a number needs. */
export function formFor(language: string): (forms: readonly string[], n: unknown) => string {
  const [names, rules] = [(FORMS[language] ?? 'one other').split(' '), new Intl.PluralRules(language)]
  return (forms, n) => {
    const at = typeof n === 'number' ? names.indexOf(rules.select(n)) : -1
    return forms[at] ?? forms.at(-1)!
  }
}

/** Say the sentences that `find` has; a key without a sentence says itself. */
export function speaker<Key extends string>(
  find: (key: Key) => string | undefined,
  language: string,
  format: (value: number) => string,
): (key: Key, params?: Params) => string {
  const choose = formFor(language)
  return (key, params = {}) => {
    const forms = (find(key) ?? key).split(' | ')
    return choose(forms, params['n']).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = params[name]
      return value === undefined ? whole : typeof value === 'number' ? format(value) : value
    })
  }
}

/** Say each sentence, and what is filled into it, by its own direction: an English one keeps its order in a page that runs from right to left. */
export const isolated = <Key extends string>(say: (key: Key, params?: Params) => string, language = 'en') => {
  const mark = directionOf(language) === 'rtl' ? '\u2067' : '\u2068' // an Arabic sentence may begin with “CSV”
  return (key: Key, params?: Params): string => {
    const filled = Object.entries(params ?? {}).map(([name, value]) => [name, typeof value === 'string' ? `\u2068${value}\u2069` : value] as const)
    const said = say(key, Object.fromEntries(filled))
    return said === key || /^\p{L}(.*\p{L})?$/su.test(said) ? said : `${mark}${said}\u2069` // letters at both ends hold the rest
  }
}

/** A sentence as a name of something, without what isolates it. */
export const bare = (said: string): string => said.replace(/[\u2067-\u2069]/g, '')

/** Left to right, or right to left, by the script of the locale. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return /^(ar|arc|ckb|dv|fa|he|iw|ku-arab|ps|sd|ug|ur|yi)(-|$)/i.test(locale) ? 'rtl' : 'ltr'
}

/** The best language there is for what a page asks: `de-AT` is `de`, `iw` is `he`, and what is unknown is English. */
export function languageIn(languages: object, locale: string): string {
  const language = locale.toLowerCase().split('-')[0]!.replace(/^iw$/, 'he')
  return Object.hasOwn(languages, language) ? language : 'en'
}

/** The locale for numbers and dates: Arabic ones have the digits and the calendar of the files, as the engine's own sentences have. */
export const regional = (locale: string): string => /^ar(-|$)/i.test(locale) && !/-u-/i.test(locale) ? `${locale}-u-ca-gregory-nu-latn` : locale
