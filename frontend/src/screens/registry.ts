/** Which screen shows a phase; what is not needed for the first paint is loaded when it is. */

import type {CSSResult} from 'lit'

import {loaded} from '../api/problem.js'
import type {Flow} from '../flow/flow.js'
import type {Phase} from '../flow/steps.js'
import {loadSteps} from '../messages/catalogue.js'
import {CatalogsScreen} from './catalogs.js'
import type {Screen, Stage} from './screen.js'
import {UploadScreen} from './upload.js'

export interface ScreenClass {
  new (flow: Flow, stage: Stage): Screen
  styles: CSSResult | null
}

const READY: Partial<Record<Phase, ScreenClass>> = {
  verifying: CatalogsScreen, upload: UploadScreen,
}

/** The grid and its cell editor: two files on their way at once, and no edit waits for the second. */
const grid = (): Promise<unknown> => Promise.all([import('../grid/define.js'), import('../grid/editing.js')])

const working = async (): Promise<ScreenClass> => (await import('./under_way.js')).WorkingScreen

const LAZY: Partial<Record<Phase, () => Promise<ScreenClass>>> = {
  typing: async () => (await Promise.all([import('./typing.js'), grid()]))[0].TypingScreen,
  uploading: working,
  parsing: working,
  applying: working,
  failed: async () => (await import('./under_way.js')).FailedScreen,
  table: async () => (await import('./mapping.js')).TableScreen,
  columns: async () => (await import('./mapping.js')).ColumnsScreen,
  values: async () => (await import('./mapping.js')).ValuesScreen,
  review: async () => (await Promise.all([import('../review/review.js'), grid()]))[0].ReviewScreen,
  done: async () => (await import('./done.js')).DoneScreen,
}

export const readyScreen = (phase: Phase): ScreenClass | undefined => READY[phase]

/** Load the screen of a phase, and keep it. */
export async function screenFor(phase: Phase): Promise<ScreenClass> {
  if (!READY[phase]) [READY[phase]] = await Promise.all([loaded(LAZY[phase]!()), loadSteps()])
  return READY[phase]!
}

/** Begin to load what comes after an upload, while the file is on its way: first of all what sends it, and the last screen last. */
export function prepare(): void {
  const parts = [import('../api/upload.js'), screenFor('uploading'), screenFor('review')]
  void Promise.all(parts).then(() => screenFor('done')).catch(() => undefined)
}
