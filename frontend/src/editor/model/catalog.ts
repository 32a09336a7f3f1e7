/** A catalog as a document that people edit: it may be wrong, and keeps members that no form shows. */

import type {Json, JsonObject} from '../../api/shapes.js'

export type {Json, JsonObject}

export interface Rule extends JsonObject {
  validate: string
}

export interface Field extends JsonObject {
  key: string
}

export interface Entry extends JsonObject {
  id: string
  fields: Field[]
}

export interface Catalog extends JsonObject {
  key: string
  entries: Entry[]
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Return whether the forms can show it: entries with fields that are objects. Anything else needs the JSON tab. */
export function isShapely(document: unknown): document is Catalog {
  return isObject(document) && Array.isArray(document['entries']) && document['entries'].every(entry =>
    isObject(entry) && (entry['fields'] === undefined || Array.isArray(entry['fields'])) && fieldsOf(entry as Entry).every(isObject))
}

export const fieldsOf = (entry: Entry | undefined): Field[] => entry?.fields ?? []

export const text = (value: unknown): string => (typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value))

export const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

export const objects = (value: unknown): JsonObject[] => list(value).map(each => (isObject(each) ? each : {}))

export const separatorOf = (catalog: Catalog): string => text(catalog['keySeparator']) || '.'

export const nameOf = (field: JsonObject): string => text(field['label']) || text(field['key'])

export const typeOf = (field: JsonObject): string => text(field['columnType']) || 'string'

export function isRequired(field: JsonObject): boolean {
  return field['required'] === true || objects(field['validations']).some(rule => rule['validate'] === 'required')
}

/** Each field's path, with which entry and place it has. */
export function pathsOf(catalog: Catalog): Map<string, {entry: number; field: number}> {
  const found = new Map<string, {entry: number; field: number}>()
  catalog.entries.forEach((entry, e) => fieldsOf(entry).forEach((field, f) => {
    const path = `${text(entry.id)}${separatorOf(catalog)}${text(field.key)}`
    if (!found.has(path)) found.set(path, {entry: e, field: f})
  }))
  return found
}

export function countFields(catalog: Catalog): number {
  return catalog.entries.reduce((sum, entry) => sum + fieldsOf(entry).length, 0)
}

const LETTERS: Record<string, string> = {ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', å: 'a', œ: 'oe'}

/** A key that people would have given: "Kunden-Nr." is `kunden_nr`. */
export function slug(label: string, joint = '_'): string {
  return label.toLowerCase().replace(/[äöüßæøåœ]/g, letter => LETTERS[letter]!)
    .normalize('NFKD').toLowerCase().replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, joint).replace(new RegExp(`^\\${joint}+|\\${joint}+$`, 'g'), '')
}

/** Return the wanted key, or with the first unused number. */
export function free(wish: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wish)) return wish
  let number = 2
  while (taken.has(`${wish}_${number}`)) number++
  return `${wish}_${number}`
}

export function blank(key: string, title: string): Catalog {
  return {key, title, keySeparator: '.', entries: [{id: slug(key) || 'item', label: title, fields: []}]}
}
