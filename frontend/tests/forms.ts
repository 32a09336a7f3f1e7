/** What the sentences of every language keep: each placeholder, and the plural forms of the language. */

/** The plural forms of each language, in their order; the names are those of the Unicode CLDR. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  he: ['one', 'two', 'other'],
  pl: ['one', 'few', 'many'],
  ja: ['other'],
}
/** Forms for a single number, which may say it in words: French and Portuguese have one form for 0 and 1. */
const EXACT: Readonly<Record<string, readonly string[]>> = {
  ar: ['zero', 'one', 'two'], he: ['one', 'two'],
  ...Object.fromEntries(['de', 'en', 'es', 'it', 'nl', 'pl'].map(language => [language, ['one']])),
}

export const formsOf = (language: string): readonly string[] => FORMS[language] ?? ['one', 'other']

const holes = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(found => found[1]!))].sort()

/** Return what is wrong with a translation; empty if nothing is. */
export function wrongWith(said: string | undefined, english: string, language: string): string {
  if (!said?.trim()) return 'nothing is said'
  const [forms, names] = [said.split(' | '), formsOf(language)]
  if (forms.length !== 1 && forms.length !== names.length) return `${forms.length} forms: ${said}`
  const wanted = holes(english)
  const isWrong = (form: string, at: number): boolean => {
    const mayOmit = forms.length > 1 && EXACT[language]?.includes(names[at]!)
    const missing = wanted.filter(name => !holes(form).includes(name) && !(mayOmit && name === 'n'))
    return missing.length > 0 || holes(form).some(name => !wanted.includes(name)) || !form.trim()
  }
  return forms.filter(isWrong).join(' | ')
}
