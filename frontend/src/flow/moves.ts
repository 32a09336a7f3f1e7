/** What the caller may do with an import in its state: what would be refused is not offered. Pure. */

import type {BulkChange} from '../api/outcomes.js'
import type {Changed, ImportRecord, LeftOut, Moves, Table, Verified} from '../api/shapes.js'
import type {Flow} from './flow.js'

/** Return whether the engine would accept a move; if it does not say, the call decides. */
export const mayMove = (record: ImportRecord | null, move: keyof Moves): boolean => record?.may?.[move] ?? true

/** Whether a person may change the cells of a field; the catalog or the host may not let them. */
export const mayEdit = (flow: Pick<Flow, 'may' | 'record' | 'fieldAt'>, path: string): boolean =>
  flow.may('fix') && !(flow.record?.overlay?.fields[path]?.readOnly ?? flow.fieldAt(path)?.readOnly)

/** Give a record after a change of one's own: that is what an undo takes back now. */
export function changedBy({revision, counts}: Changed, record: ImportRecord): Partial<ImportRecord> {
  const isNew = revision !== record.revision
  return {
    revision, counts: {...record.counts, ...counts},
    ...(isNew && record.may ? {may: {...record.may, undo: true, redo: false}} : {}),
  }
}

/** Whether a row may name the columns: the rows above one further down would be left out. */
export const mayBeHeader = (row: number, {headerRows}: Table, mayExclude: boolean): boolean =>
  mayExclude || row <= Math.max(-1, ...headerRows)

/** Whether the file may be read otherwise: rows that were restored could be left out again. */
export const mayReadAgain = (left: LeftOut | null, mayExclude: boolean): boolean => mayExclude || !left?.takeBack.length

/** Whether a change that a worker makes may be cancelled: one's own, or with the right to undo others'. */
export const mayStop = (change: BulkChange, own: ReadonlySet<string>, verified: Verified | null): boolean =>
  own.has(change.changeId) || !verified?.session || (verified.rights ?? []).includes('undoOthers')
