/** Where two documents differ, member by member, with fields and entries matched by their keys. */

import {text, type Json, type JsonObject} from './catalog.js'

export interface Difference {
  place: string
  a: Json | undefined
  b: Json | undefined
}

const nameIn = (item: Json): string => {
  const object = typeof item === 'object' && item !== null && !Array.isArray(item) ? item : {}
  return text(object['id'] ?? object['key'])
}

const isNamed = (items: readonly Json[]): boolean =>
  items.length > 0 && items.every(nameIn) && new Set(items.map(nameIn)).size === items.length

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

export function differences(a: Json | undefined, b: Json | undefined, place = ''): Difference[] {
  if (a === b || JSON.stringify(a) === JSON.stringify(b)) return []
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap(name => differences(a[name], b[name], place ? `${place}.${name}` : name))
  }
  if (Array.isArray(a) && Array.isArray(b) && isNamed(a) && isNamed(b)) {
    const [ours, theirs] = [new Map(a.map(item => [nameIn(item), item])), new Map(b.map(item => [nameIn(item), item]))]
    const found = [...new Set([...ours.keys(), ...theirs.keys()])].flatMap(name => differences(ours.get(name), theirs.get(name), `${place}[${name}]`))
    return found.length ? found : [{place, a: a.map(nameIn), b: b.map(nameIn)}] // the same ones in another order
  }
  return [{place, a, b}]
}
