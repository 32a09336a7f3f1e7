/** Registers both elements. */

import './service-import.js'
import './service-catalog-editor.js'

export type * from './types.js'
