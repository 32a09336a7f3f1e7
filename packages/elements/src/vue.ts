/** The elements in Vue 3: `app.use(ImportElements)`. */

import type {App, DefineComponent} from 'vue'

import type {ServiceCatalogEditorProperties, ServiceImportProperties} from './types.js'

export type * from './types.js'

/** For `template.compilerOptions.isCustomElement` of the Vue plugin of Vite. */
export const isImportElement = (tag: string): boolean => tag === 'service-import' || tag === 'service-catalog-editor'

/** Registers the elements, and keeps Vue from resolving their tags as components. */
export const ImportElements = {
  install(app: App): void {
    const options = app.config.compilerOptions
    const isOther = options.isCustomElement
    options.isCustomElement = tag => isImportElement(tag) || (isOther?.(tag) ?? false)
    if (typeof window !== 'undefined') void import('./index.js')
  },
}

declare module 'vue' {
  interface GlobalComponents {
    'service-import': DefineComponent<Partial<ServiceImportProperties>>
    'service-catalog-editor': DefineComponent<Partial<ServiceCatalogEditorProperties>>
  }
}
