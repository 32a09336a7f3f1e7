/** Fields in another order, also across entries. Places are of the document as it was. */

import {fieldsOf, type Catalog, type Entry, type Field} from './catalog.js'
import {inserted, moved} from './tree.js'

export interface Place {
  entry: number
  field: number
}

const withFields = (catalog: Catalog, place: number, fields: Field[]): Catalog =>
  ({...catalog, entries: catalog.entries.map((entry, at): Entry => (at === place ? {...entry, fields} : entry))})

/** Move a field before the one at another place; return its new place. */
export function moveField(catalog: Catalog, from: Place, to: Place): {catalog: Catalog; place: Place} {
  const source = fieldsOf(catalog.entries[from.entry])
  if (from.entry === to.entry) {
    const field = Math.max(0, Math.min(to.field, source.length - 1))
    return field === from.field ? {catalog, place: from} : {catalog: withFields(catalog, from.entry, moved(source, from.field, field)), place: {entry: from.entry, field}}
  }
  const target = fieldsOf(catalog.entries[to.entry])
  const field = Math.max(0, Math.min(to.field, target.length))
  const without = withFields(catalog, from.entry, source.filter((_, at) => at !== from.field))
  return {catalog: withFields(without, to.entry, inserted(target, field, source[from.field]!)), place: {entry: to.entry, field}}
}

/** One step up or down, over the border of an entry where there is another. */
export function stepField(catalog: Catalog, from: Place, step: 1 | -1): {catalog: Catalog; place: Place} {
  const last = fieldsOf(catalog.entries[from.entry]).length - 1
  const isWithin = step > 0 ? from.field < last : from.field > 0
  if (isWithin) return moveField(catalog, from, {entry: from.entry, field: from.field + step})
  const entry = from.entry + step
  if (!catalog.entries[entry]) return {catalog, place: from}
  return moveField(catalog, from, {entry, field: step > 0 ? 0 : fieldsOf(catalog.entries[entry]).length})
}

export function addField(catalog: Catalog, place: Place, field: Field): Catalog {
  return withFields(catalog, place.entry, inserted(fieldsOf(catalog.entries[place.entry]), place.field, field))
}

export function removeField(catalog: Catalog, place: Place): Catalog {
  return withFields(catalog, place.entry, fieldsOf(catalog.entries[place.entry]).filter((_, at) => at !== place.field))
}
