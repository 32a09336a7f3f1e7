/** An element that keeps what a page set on it, in whatever order its script was loaded. */

import {LitElement, type PropertyDeclaration, type PropertyValues} from 'lit'

/**
 * What was set before the element was defined, Lit applies at the first update: over what the page
 * set since. Of both, the later one counts; an attribute of the markup is older than either.
 */
export class UpgradedElement extends LitElement {
  declare private later: Map<PropertyKey, unknown> | undefined
  declare private setLast: Record<PropertyKey, unknown>
  declare private isReading: boolean

  /** Called at the end of a constructor: what is set from now on, the page has set. */
  protected constructed(): void {
    this.later = new Map()
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    this.isReading = true
    super.attributeChangedCallback(name, old, value)
    this.isReading = false
  }

  override requestUpdate(name?: PropertyKey, old?: unknown, options?: PropertyDeclaration): void {
    if (name !== undefined && !this.isReading) this.later?.set(name, this[name as keyof this])
    super.requestUpdate(name, old, options)
  }

  protected override performUpdate(): void {
    if (this.later) this.setLast = Object.fromEntries(this.later)
    this.later = undefined
    super.performUpdate()
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (!this.hasUpdated) Object.assign(this, this.setLast)
  }
}
