/** Changes of rows: each is sent, then the rows are looked at again. */

import type {Fix, Replacement} from '../api/engine.js'
import type {BulkChange} from '../api/outcomes.js'
import {EngineProblem} from '../api/problem.js'
import type {Changed} from '../api/shapes.js'
import type {Flow} from '../flow/flow.js'
import {changedBy} from '../flow/moves.js'
import type {Awaited, GridEdit} from '../grid/types.js'
import {isBulk, type Changing} from './changing.js'
import type {Finishing} from './finishing.js'

export interface RowChangesActs {
  /** Fetch what is shown again. */
  repaint(): void
  readIssues(): Promise<void>
  /** Rows were changed. */
  changed(changed: Changed): void
  /** Show what is left of the group that is open. */
  lookAgain(): Promise<void>
  undo(): void
}

type Work = (recordId: string, revision: number) => Promise<Changed | BulkChange>

export class RowChanges {
  readonly #flow: Flow
  readonly #changing: Changing
  readonly #finishing: Finishing
  readonly #acts: RowChangesActs

  constructor(flow: Flow, changing: Changing, finishing: Finishing, acts: RowChangesActs) {
    this.#flow = flow
    this.#changing = changing
    this.#finishing = finishing
    this.#acts = acts
  }

  /**
   * Change rows. What another person changed first is shown, and nothing is overwritten.
   *
   * A change that was not made stays the thing to try again: nothing else is fetched then.
   */
  async make(work: Work, done?: string, after?: () => Promise<void>): Promise<void> {
    const record = this.#flow.record
    if (!record) return
    const {say} = this.#flow.page
    let next: Promise<void> | undefined
    this.#changing.clear()
    this.#finishing.begin()
    await this.#flow.attempt(async () => {
      try {
        const changed = await work(record.recordId, record.revision)
        if (isBulk(changed)) return void (next = this.#changing.followOwn(changed).then(after))
        Object.assign(record, changedBy(changed, record))
        this.#acts.changed(changed)
        const {cells = 0} = changed
        this.#finishing.tell(done ?? (cells > 1 ? say('change_done', {n: cells}) : ''), this.#acts.undo)
        next = this.refreshIssues().then(after) // here, so that it also follows a change that was tried again
      } catch (error) {
        this.#finishing.tell(say('not_saved'))
        if (error instanceof EngineProblem && error.status === 409) {
          await this.#flow.refreshRecord()
          await this.#acts.readIssues()
        }
        throw error
      } finally {
        this.#acts.repaint()
      }
    })
    await next
  }

  async refreshIssues(): Promise<void> {
    await this.#flow.attempt(() => this.#acts.readIssues())
  }

  edit(edits: readonly GridEdit[]): Promise<void> {
    const isEmptied = edits.length > 1 && edits.every(({text}) => text === null)
    return this.make((id, revision) => this.#flow.engine.edit(id, revision, {edits: [...edits]}), isEmptied ? this.#say('cells_emptied', edits) : undefined)
  }

  accept(edits: GridEdit[]): Promise<void> {
    return this.make((id, revision) => this.#flow.engine.edit(id, revision, {edits}), undefined, () => this.#acts.lookAgain())
  }

  exclude(rows: readonly number[], isBack: boolean): Promise<void> {
    const change = isBack ? {include: [...rows]} : {exclude: [...rows]}
    return this.make((id, revision) => this.#flow.engine.edit(id, revision, change), this.#say(isBack ? 'taken_back' : 'excluded_n', rows))
  }

  fix(fix: Fix): Promise<void> {
    return this.make((id, revision) => this.#flow.engine.fix(id, revision, fix), undefined, () => this.#acts.lookAgain())
  }

  replace(what: Replacement): Promise<void> {
    return this.make((id, revision) => this.#flow.engine.replace(id, revision, what))
  }

  /** Rows that shall change are fetched first, and only then is anything sent. */
  awaited(state: Awaited): void {
    this.#finishing.awaited += state === 'fetching' ? 1 : -1
    this.#finishing.tell(state === 'lost' ? this.#flow.page.say('not_saved') : '')
  }

  #say(key: 'cells_emptied' | 'taken_back' | 'excluded_n', changed: readonly unknown[]): string {
    return this.#flow.page.say(key, {n: changed.length})
  }
}
