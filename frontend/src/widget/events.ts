/** What the element tells its page. Names are frozen; all of them bubble and are composed. */

import type {importRowsFailed, importRowsRefused} from '../advice/events.js'
import type {Step} from '../flow/steps.js'

function event<T>(name: string, detail: T): CustomEvent<T> {
  return new CustomEvent(name, {bubbles: true, composed: true, detail})
}

export interface Applied {
  rowCount: number
  recordId: string
  /** Where there is exactly one delivery. */
  deliveryId: string | null
  deliveryIds: string[]
  catalogKey: string
}

export const importApplied = (detail: Applied) => event('import-applied', detail)
export const importReady = (detail: {catalogKey: string}) => event('import-ready', detail)
export const importStep = (detail: {step: Step; previous: Step | null}) => event('import-step', detail)
export const importFile = (detail: {name: string; size: number; type: string}) => event('import-file', detail)
export const importProgress = (detail: {phase: 'upload' | 'read' | 'apply' | 'results'; done: number; total: number | null}) =>
  event('import-progress', detail)
export const importQuestion = (detail: {questionId: string}) => event('import-question', detail)
export const importError = (detail: {code: string; status: number; message: string; retryable: boolean}) =>
  event('import-error', detail)
export const importCancel = (detail: {recordId: string | null}) => event('import-cancel', detail)
export const importClosed = () => event('import-closed', null)

export interface ImportEventMap {
  'import-applied': ReturnType<typeof importApplied>
  'import-ready': ReturnType<typeof importReady>
  'import-step': ReturnType<typeof importStep>
  'import-file': ReturnType<typeof importFile>
  'import-progress': ReturnType<typeof importProgress>
  'import-question': ReturnType<typeof importQuestion>
  'import-error': ReturnType<typeof importError>
  'import-cancel': ReturnType<typeof importCancel>
  'import-closed': ReturnType<typeof importClosed>
  'import-rows-refused': ReturnType<typeof importRowsRefused>
  'import-rows-failed': ReturnType<typeof importRowsFailed>
}
