/** The tags in the JSX of Preact: `import type {} from '@import-engine/elements/jsx/preact'`. */

import type {HTMLAttributes} from 'preact'

import type {ServiceCatalogEditor, ServiceImport} from '../types.js'
import type {Tags} from './attributes.js'

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'service-import': HTMLAttributes<ServiceImport> & Tags['service-import']
      'service-catalog-editor': HTMLAttributes<ServiceCatalogEditor> & Tags['service-catalog-editor']
    }
  }
}
