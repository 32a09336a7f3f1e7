/** The fields of a catalog, as the widget shows them. */

import type {Catalog, CatalogField} from '../api/shapes.js'

export interface Field extends Omit<CatalogField, 'columnType'> {
  path: string
  label: string
  columnType: string
  entry: string
  isMultiSelect?: boolean
}

/** Every field that a column may feed, in the order of the catalog. */
export function fieldsOf(catalog: Catalog): Field[] {
  const separator = catalog.keySeparator ?? '.'
  return catalog.entries.flatMap(entry => (entry.fields ?? [])
    .filter(field => !field.disabled)
    .map(field => ({
      ...field,
      path: entry.id + separator + field.key,
      label: field.label ?? field.key,
      columnType: field.columnType ?? 'string',
      entry: entry.label ?? entry.id,
    })))
}
