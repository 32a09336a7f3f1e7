import {createApp, h} from 'vue'

import {about, applied, fetchKey} from './shared.js'

const Import = {
  render: () => h('service-import', {'api-base-url': about.engine, '.fetchKey': fetchKey, onImportApplied: applied}),
}

createApp(Import).mount('main')
