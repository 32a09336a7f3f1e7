/** Undo and redo over documents that share what they have in common. */

const TOGETHER_MS = 1500
const KEPT = 200

interface Step<T> {
  state: T
  what: string
  at: number
}

export class History<T> {
  #past: Step<T>[] = []
  #future: Step<T>[] = []
  #now: Step<T>

  constructor(state: T) {
    this.#now = {state, what: '', at: 0}
  }

  get state(): T {
    return this.#now.state
  }

  get canUndo(): boolean {
    return this.#past.length > 0
  }

  get canRedo(): boolean {
    return this.#future.length > 0
  }

  /** Record a change; consecutive changes of the same thing, as during typing, are one step. */
  change(state: T, what: string, at: number): void {
    const isSame = what !== '' && what === this.#now.what && at - this.#now.at < TOGETHER_MS && this.#past.length > 0
    if (!isSame) this.#past = [...this.#past, this.#now].slice(-KEPT)
    this.#now = {state, what, at}
    this.#future = []
  }

  undo(): void {
    const step = this.#past.pop()
    if (!step) return
    this.#future.push(this.#now)
    this.#now = {...step, what: ''}
  }

  redo(): void {
    const step = this.#future.pop()
    if (!step) return
    this.#past.push({...this.#now, what: ''})
    this.#now = {...step, what: ''}
  }
}
