/** The steps between a file and its rows: one script, because they follow one another. */

export {ColumnsScreen} from './columns.js'
export {TableScreen} from './table.js'
export {ValuesScreen} from './values.js'
