/** Words of the engine, which may be of a later version. */

import type {Params} from './saying.js'

/** Say the sentence that a word of the engine has; one that is not known here says itself. */
export const sayOr = <Key extends string>(say: (key: Key, params?: Params) => string, key: string, word: string, params?: Params): string => {
  const said = say(key as Key, params)
  return said === key ? word : said
}
