/** Several files of a person are one import: an archive that is sent like any file. */

import {packed} from '../api/packing.js'
import type {Flow} from '../flow/flow.js'
import {planWords} from './table_words.js'

const MOST_FILES = 20

/** Send files; return what is to be said if nothing is sent. */
export async function sendSeveral(flow: Flow, files: readonly File[]): Promise<string> {
  if (files.length > MOST_FILES) return planWords(flow.page.language).most
  await flow.send(await packed(files))
  return ''
}
