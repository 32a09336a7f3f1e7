/** Elements of a window over many: recycled, and in the order of what they show. */

export interface View {
  readonly element: HTMLElement
}

/**
 * Keeps one view per key, in ascending order in the document.
 *
 * A view whose key stays is never moved: moving a focused element would take its focus away.
 */
export class Strip<V extends View> {
  readonly #views = new Map<number, V>()
  readonly #spare: V[] = []

  constructor(
    readonly parent: HTMLElement,
    readonly make: () => V,
  ) {}

  get(key: number): V | undefined {
    return this.#views.get(key)
  }

  [Symbol.iterator](): IterableIterator<[number, V]> {
    return this.#views.entries()
  }

  /** Show these keys, ascending, and no others. */
  show(keys: readonly number[]): void {
    const wanted = new Set(keys)
    for (const [key, view] of this.#views) {
      if (wanted.has(key)) continue
      this.#views.delete(key)
      this.#spare.push(view)
    }
    let next: HTMLElement | null = null
    for (const key of keys.toReversed()) {
      const view: V = this.#views.get(key) ?? this.#placed(key, next)
      next = view.element
    }
    for (const view of this.#spare) view.element.remove()
  }

  #placed(key: number, before: HTMLElement | null): V {
    const view = this.#spare.pop() ?? this.make()
    this.parent.insertBefore(view.element, before)
    this.#views.set(key, view)
    return view
  }
}
