/** What tells a person that an import was made with a test key; it comes with the steps after the upload. */

import {nothing, type TemplateResult} from 'lit'

import type {Flow} from '../flow/flow.js'
import {notice} from '../ui/pieces.js'

export const testMark = (flow: Flow): TemplateResult | typeof nothing =>
  flow.record?.mode === 'test' ? notice('warn', flow.page.say('test_import')) : nothing
