/** Registers `<service-catalog-editor>`; importing the class alone has no side effect. */

import {ServiceCatalogEditor} from './service_catalog_editor.js'

if (!customElements.get('service-catalog-editor')) customElements.define('service-catalog-editor', ServiceCatalogEditor)

export {ServiceCatalogEditor}
