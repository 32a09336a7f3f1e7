/** What went wrong, in words a person can act on. */

import {EngineProblem, Unreachable, type Trouble} from '../api/problem.js'
import type {MessageKey, Say} from '../messages/catalogue.js'
import type {Page} from './page.js'
import type {IconName} from '../ui/icons.js'

export interface Told {
  title: string
  detail: string
  code: string
  sign: IconName
  action: 'retry' | 'other_file' | 'start_over' | 'none'
}

type Telling = [title: MessageKey, detail: MessageKey | null, sign: IconName, action: Told['action']]

const TELLINGS: Record<string, Telling> = {
  offline: ['offline_title', 'offline_detail', 'link', 'retry'],
  unreachable: ['unreachable_title', 'unreachable_detail', 'link', 'retry'],
  blocked_by_policy: ['blocked_title', 'blocked_detail', 'lock', 'none'],
  key: ['key_title', 'key_detail', 'lock', 'none'],
  expired: ['expired_title', 'expired_detail', 'lock', 'retry'],
  origin: ['origin_title', 'origin_detail', 'lock', 'none'],
  forbidden: ['forbidden_title', null, 'lock', 'none'],
  gone: ['gone_title', 'gone_detail', 'file', 'start_over'],
  catalog: ['catalog_title', null, 'file', 'none'],
  too_large: ['too_large_title', null, 'file', 'other_file'],
  empty: ['empty_title', null, 'file', 'other_file'],
  busy: ['busy_title', 'busy_detail', 'history', 'retry'],
  engine: ['engine_title', 'engine_detail', 'err', 'retry'],
  misused: ['misused_title', null, 'lock', 'none'],
  not_taken: ['not_taken_title', 'not_taken_detail', 'warn', 'retry'],
  conflict: ['refused_title', null, 'warn', 'none'],
  refused: ['refused_title', null, 'warn', 'none'],
}

/** Put a problem into words; where ours say less than the engine's, the engine's are shown. */
export function tell(trouble: Trouble, say: Say): Told {
  const kind = trouble instanceof Unreachable ? trouble.code : trouble.kind
  const [title, detail, sign, action] = TELLINGS[kind] ?? TELLINGS['refused']!
  const code = trouble instanceof EngineProblem && trouble.status ? `${trouble.code || 'error'} (${trouble.status})` : trouble.code
  const [head, more] = [say(title), detail ? say(detail) : trouble.message]
  return {title: head, detail: more.startsWith(head) ? more.slice(head.length).trim() : more, code, sign, action}
}

/** The page's own limit, said as the engine says its. */
export function tooLarge({say, format}: Page, size: number, most: number): EngineProblem {
  const detail = say('too_large_detail', {size: format.bytes(size), most: format.bytes(most)})
  return new EngineProblem(413, {code: 'file_too_large', detail})
}
