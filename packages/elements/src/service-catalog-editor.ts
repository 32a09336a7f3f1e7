/** Registers `<service-catalog-editor>`. */

import './elements/service-catalog-editor.js'

export type * from './types.js'
