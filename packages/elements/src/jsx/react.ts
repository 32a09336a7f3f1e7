/** The tags in the JSX of React 18 and 19: `import type {} from '@import-engine/elements/jsx/react'`. */

import type {DetailedHTMLProps, HTMLAttributes} from 'react'

import type {ServiceCatalogEditor, ServiceImport} from '../types.js'
import type {Tags} from './attributes.js'

type Common<Element> = DetailedHTMLProps<Omit<HTMLAttributes<Element>, 'hidden'>, Element>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'service-import': Common<ServiceImport> & Tags['service-import']
      'service-catalog-editor': Common<ServiceCatalogEditor> & Tags['service-catalog-editor']
    }
  }
}
