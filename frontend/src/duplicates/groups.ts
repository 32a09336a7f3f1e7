/** Groups of duplicate rows as the engine has them, and what a person may wish of them. Pure, but for the calls. */

import type {BulkChange} from '../api/outcomes.js'
import type {Changed, Json} from '../api/shapes.js'
import type {Transport} from '../api/transport.js'

export type By = 'unique' | 'fields' | 'near'
export type Keep = 'first' | 'newest' | 'merge' | 'all'

export interface Search {
  by: By
  fields: readonly string[]
  threshold: number
}

export interface Sample {
  row: number
  values: Record<string, Json>
}

export interface Group {
  fields: string[]
  rows: number[]
  count: number
  tooLarge: boolean
  samples: Sample[]
  differs: string[]
}

export interface Groups {
  revision: number
  groups: number
  items: Group[]
  next: string | null
}

/** What becomes of a group, or of all. merge: the row whose cell a field takes. */
export interface Wish {
  keep: Keep
  newestBy?: string
  merge?: Record<string, number>
  group?: number[]
}

const SAMPLES = 8 // rows of a group with their values
const PAGE = 20

/** Whether the search names what the engine needs. */
export const isComplete = ({by, fields}: Search): boolean => by === 'unique' || fields.length > 0

/** What a search says of the comparison, as the calls take it. */
function compared({by, fields, threshold}: Search): {by: By; fields?: readonly string[]; threshold?: number} {
  if (by === 'unique') return {by}
  return by === 'near' ? {by, fields, threshold} : {by, fields}
}

export function groupsOf(transport: Transport, id: string, search: Search, cursor = '0'): Promise<Groups> {
  const {fields = [], ...rest} = compared(search)
  const query = new URLSearchParams({cursor, limit: String(PAGE), samples: String(SAMPLES)})
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value))
  if (fields.length) query.set('fields', fields.join(','))
  return transport.json(`imports/${id}/duplicates?${query}`)
}

/** A group is named by its first row; of several rules, by the fields of its own. */
export function resolve(transport: Transport, id: string, revision: number, search: Search, wish: Wish, group?: Group): Promise<Changed | BulkChange> {
  const which = group ? {group: group.rows.slice(0, SAMPLES), ...(search.by === 'unique' ? {fields: group.fields} : {})} : {}
  return transport.json(`imports/${id}/duplicates`, {method: 'POST', body: {revision, ...compared(search), ...which, ...wish}})
}

/** Which fields of a group are shown: the compared ones, then those that differ. */
export const shownFields = ({fields, differs}: Group): string[] => [...new Set([...fields, ...differs])]

/** The row that each differing field takes at first: the first one that has a value. */
export function firstChoices({differs, samples}: Group): Record<string, number> {
  const filled = (field: string): Sample => samples.find(({values}) => values[field] !== null && values[field] !== undefined) ?? samples[0]!
  return Object.fromEntries(differs.map(field => [field, filled(field).row]))
}
