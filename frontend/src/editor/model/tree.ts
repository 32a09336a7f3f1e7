/** Changes of a JSON tree that leave the old one as it was: what is not on the way is shared. */

import type {Json, JsonObject} from './catalog.js'

export type Path = readonly (string | number)[]

export function pointer(path: Path): string {
  return path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

export function stepsOf(pointed: string): string[] {
  return pointed.split('/').slice(1).map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function at(tree: Json | undefined, path: Path): Json | undefined {
  let here: Json | undefined = tree
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as JsonObject)[step as string]
  }
  return here
}

/** Set the value at a path; `undefined` removes the member or list item. */
export function put(tree: Json | undefined, path: Path, value: Json | undefined): Json {
  const [step, ...rest] = path
  if (step === undefined) return value as Json
  const below = rest.length ? put((tree as JsonObject | undefined)?.[step as string], rest, value) : value
  if (Array.isArray(tree) || (tree === undefined && typeof step === 'number')) {
    const items = [...((tree as Json[] | undefined) ?? [])]
    if (below === undefined) items.splice(Number(step), 1)
    else items[Number(step)] = below
    return items
  }
  const members: JsonObject = {...((tree as JsonObject | undefined) ?? {})}
  if (below === undefined) delete members[step]
  else members[step] = below
  return members
}

export function inserted<T>(items: readonly T[], place: number, item: T): T[] {
  return [...items.slice(0, place), item, ...items.slice(place)]
}

export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, place) => place !== from)
  return inserted(rest, Math.max(0, Math.min(to, rest.length)), items[from]!)
}
