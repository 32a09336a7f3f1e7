/** Names in a sentence: the first of them, and how many there are besides. */

import type {Page} from '../flow/page.js'

export function few(names: readonly string[], most: number, {say, format}: Pick<Page, 'say' | 'format'>, type?: 'disjunction'): string {
  const rest = names.length - most
  return format.list(rest > 0 ? [...names.slice(0, most), say('more_n', {n: rest})] : names, type)
}
