/** JSON as text: read strictly, with the line of every place and of what is wrong. */

import type {Json, JsonObject} from './catalog.js'
import {pointer, type Path} from './tree.js'

export type Wrong = 'json_value' | 'json_open' | 'json_member' | 'json_colon' | 'json_comma' | 'json_twice' | 'json_after' | 'json_end'

export class JsonWrong extends Error {
  constructor(readonly code: Wrong, readonly at: number, readonly pointer: string, readonly line: number, readonly column: number) {
    super(code)
  }
}

export interface ReadJson {
  value: Json
  /** Where each value begins, by its pointer. */
  lineOf(pointer: string): number
}

const SPACE = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

export function readJson(source: string): ReadJson {
  const begins = new Map<string, number>()
  let at = 0

  const lineAt = (place: number): number => source.slice(0, place).split('\n').length
  const wrong = (code: Wrong, path: Path): never => {
    const isEnd = at >= source.length
    throw new JsonWrong(isEnd ? 'json_end' : code, at, pointer(path), lineAt(at), at - source.lastIndexOf('\n', at - 1))
  }
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found) at = pattern.lastIndex
    return found?.[0] ?? null
  }
  const space = (): void => void match(SPACE)
  const next = (sign: string): boolean => {
    space()
    if (source[at] !== sign) return false
    at++
    space()
    return true
  }

  function value(path: Path): Json {
    space()
    begins.set(pointer(path), at)
    if (source[at] === '{') return members(path)
    if (source[at] === '[') return items(path)
    if (source[at] === '"') return JSON.parse(match(STRING) ?? wrong('json_open', path)) as string
    return JSON.parse(match(SCALAR) ?? wrong('json_value', path)) as Json
  }

  function members(path: Path): Json {
    const found: JsonObject = {}
    next('{')
    if (next('}')) return found
    for (;;) {
      const name = JSON.parse(match(STRING) ?? wrong('json_member', path)) as string
      if (Object.hasOwn(found, name)) wrong('json_twice', [...path, name])
      if (!next(':')) wrong('json_colon', [...path, name])
      Object.defineProperty(found, name, {value: value([...path, name]), enumerable: true, writable: true, configurable: true})
      if (next('}')) return found
      if (!next(',')) wrong('json_comma', path)
    }
  }

  function items(path: Path): Json {
    const found: Json[] = []
    next('[')
    if (next(']')) return found
    for (;;) {
      found.push(value([...path, found.length]))
      if (next(']')) return found
      if (!next(',')) wrong('json_comma', path)
    }
  }

  const whole = value([])
  space()
  if (at < source.length) wrong('json_after', [])
  return {
    value: whole,
    lineOf: wanted => {
      let place = wanted
      while (place && !begins.has(place)) place = place.slice(0, place.lastIndexOf('/'))
      return lineAt(begins.get(place) ?? 0)
    },
  }
}
