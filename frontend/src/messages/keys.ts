/** The keys of every catalogue, as the English ones name them. */

import type {en} from './en.js'
import type {enSteps} from './en_steps.js'

export type MessageKey = keyof typeof en | keyof typeof enSteps
export type Messages = Record<MessageKey, string>
