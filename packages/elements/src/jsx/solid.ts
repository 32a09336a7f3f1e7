/** The tags in the JSX of Solid: `import type {} from '@import-engine/elements/jsx/solid'`. */

import type {JSX as Solid} from 'solid-js'

import type {ServiceCatalogEditor, ServiceImport} from '../types.js'
import type {SolidTags} from './attributes.js'

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'service-import': Solid.HTMLAttributes<ServiceImport> & SolidTags['service-import']
      'service-catalog-editor': Solid.HTMLAttributes<ServiceCatalogEditor> & SolidTags['service-catalog-editor']
    }
  }
}
