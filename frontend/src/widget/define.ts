/** Registers `<service-import>`; importing the class alone has no side effect. */

import {ServiceImport} from './service_import.js'

if (!customElements.get('service-import')) customElements.define('service-import', ServiceImport)

export {ServiceImport}
