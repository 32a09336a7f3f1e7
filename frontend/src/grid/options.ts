/** The options of a field by how near they are to a text. Pure. */

const NEAR = 0.34

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

const pairs = (text: string): Set<string> => new Set([...text].map((_, at) => text.slice(at, at + 2)).slice(0, -1))

/** How much two texts have in common, from 0 to 1: what one begins with, what it holds, which pairs of letters they share (Dice). */
export function likeness(text: string, option: string): number {
  const [a, b] = [folded(text), folded(option)]
  if (!a) return 0
  if (a === b) return 1
  if (b.startsWith(a)) return 0.9
  if (b.includes(a)) return 0.8
  const [mine, theirs] = [pairs(a), pairs(b)]
  const shared = [...mine].filter(pair => theirs.has(pair)).length
  return 0.7 * (2 * shared / (mine.size + theirs.size || 1)) + (a[0] === b[0] ? 0.1 : 0)
}

/** The options, the nearest first; those that are equally near keep their order. */
export const nearest = (options: readonly string[], text: string): string[] =>
  [...options].sort((a, b) => likeness(text, b) - likeness(text, a))

/** Whether the nearest option is so near that it is what was meant. */
export const isNear = (text: string, option: string | undefined): boolean => option !== undefined && likeness(text, option) >= NEAR
