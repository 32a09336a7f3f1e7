/** What a changeset waits for, and who prepared it. */

import type {Changeset} from '../api/outcomes.js'
import type {Flow} from '../flow/flow.js'
import type {Page} from '../flow/page.js'
import type {MessageKey} from '../messages/catalogue.js'

const AWAITS: Record<NonNullable<Changeset['awaits']>, MessageKey> = {
  approval: 'awaits_approval', secondPerson: 'awaits_second', revert: 'awaits_revert',
}

/** What a changeset waits for, and the people who prepared it, as far as they have names; empty if for nothing. */
export function awaited({awaits, preparedBy}: Pick<Changeset, 'awaits' | 'preparedBy'>, {say, format}: Pick<Page, 'say' | 'format'>): string {
  if (!awaits) return ''
  const names = preparedBy.map(({label}) => label).filter(Boolean)
  return [say(AWAITS[awaits]), names.length ? say('prepared_by', {names: format.list(names)}) : ''].filter(Boolean).join(' ')
}

/** Whether a page may discard what is staged. */
export const mayDiscard = ({verified}: Pick<Flow, 'verified'>): boolean => verified?.rights?.includes('release') ?? true
