/** Registers `<service-import>`. */

import './elements/service-import.js'

export type * from './types.js'
