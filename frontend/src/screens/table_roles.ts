/** What each table of a file may become next to the one that is imported: pure. */

import type {Reading, Tables} from '../api/shapes.js'

/** Two tables that may belong together, as `GET imports/{recordId}/tables` lists them. */
export interface Related {
  kind: 'append' | 'join'
  first: number
  other: number
  onlyFirst: string[]
  onlyOther: string[]
  on: {child: string; parent: string}[]
  firstRate: number | null
  otherRate: number | null
}

/** A choice about one table; `join` is a place in `related`. */
export type Role = 'import' | 'append' | 'ignore' | `join:${number}`

export interface RoleChoice {
  role: Role
  /** Of `append`, if it cannot be: the columns that differ. */
  differing?: string[]
  join?: Related
}

const MOST_DIFFERING = 1 // columns of tables that can be stacked

export const relatedOf = (tables: Tables): Related[] => (tables as Tables & {related?: Related[]}).related ?? []

/** The tables of the file itself, without those that are made of several. */
export const ownTables = ({tables}: Tables): number[] => tables.flatMap((table, at) => table.stacked?.length ? [] : [at])

/** The table that the others are added to, those below it, and how it is joined. */
export function planOf({tables, chosen}: Tables): {main: number; below: number[]; joined: number | null} {
  const [main = chosen, ...others] = tables[chosen]?.stacked ?? []
  const isJoin = Boolean((tables[chosen] as {join?: unknown} | undefined)?.join)
  return isJoin ? {main, below: [], joined: others[0] ?? null} : {main, below: others, joined: null}
}

/** What a table is now. */
export function roleOf(tables: Tables, table: number): Role {
  const {main, below, joined} = planOf(tables)
  if (table === main) return 'import'
  if (below.includes(table)) return 'append'
  if (table !== joined) return 'ignore'
  const chosen = tables.tables[tables.chosen] as unknown as {join: {on: Related['on']}}
  const at = relatedOf(tables).findIndex(item => item.kind === 'join' && item.first === main && item.other === table
    && JSON.stringify(item.on) === JSON.stringify(chosen.join.on))
  return `join:${at}`
}

/** What a table may become; what it is now is always among them. */
export function choicesFor(tables: Tables, table: number): RoleChoice[] {
  const {main} = planOf(tables)
  const now = roleOf(tables, table)
  const choices: RoleChoice[] = [{role: 'import'}]
  if (table === main) return choices
  relatedOf(tables).forEach((item, at) => {
    if (![item.first, item.other].includes(table) || ![item.first, item.other].includes(main)) return
    const differing = [...item.onlyFirst, ...item.onlyOther]
    if (item.kind === 'join') choices.push({role: `join:${at}`, join: item})
    else choices.push(differing.length > MOST_DIFFERING ? {role: 'append', differing} : {role: 'append'})
  })
  choices.push({role: 'ignore'})
  return choices.some(({role}) => role === now) ? choices : [{role: now}, ...choices]
}

/** How the file is to be read for a choice about one table. */
export function readingFor(tables: Tables, table: number, role: Role): Reading {
  const {main, below} = planOf(tables)
  if (role === 'import') return {table}
  if (role === 'append') return {tables: [main, ...below, table]}
  const join = relatedOf(tables)[Number(role.slice('join:'.length))]
  if (role !== 'ignore' && join) return {join: {child: join.first, parent: join.other, on: join.on}} as Reading
  const rest = below.filter(each => each !== table)
  return rest.length ? {tables: [main, ...rest]} : {table: main}
}
