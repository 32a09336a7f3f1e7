import {createElement} from 'react'
import {createRoot} from 'react-dom/client'

import {about, applied, fetchKey} from './shared.js'

function Import() {
  return createElement('service-import', {'api-base-url': about.engine, fetchKey, 'onimport-applied': applied})
}

await customElements.whenDefined('service-import')
createRoot(document.querySelector('main')).render(createElement(Import))
