/** Styles as Lit expects them, in browsers that adopt style sheets: all that run this script do. */

export class CSSResult {
  readonly ['_$cssResult$'] = true
  readonly cssText: string
  #sheet: CSSStyleSheet | undefined

  constructor(cssText: string) {
    this.cssText = cssText
  }

  get styleSheet(): CSSStyleSheet {
    if (!this.#sheet) (this.#sheet = new CSSStyleSheet()).replaceSync(this.cssText)
    return this.#sheet
  }

  toString(): string { return this.cssText }
}

export const css = (texts: TemplateStringsArray, ...values: readonly (CSSResult | number)[]): CSSResult =>
  new CSSResult(String.raw({raw: texts}, ...values))

export const unsafeCSS = (text: unknown): CSSResult => new CSSResult(String(text))

export const supportsAdoptingStyleSheets = true

export const getCompatibleStyle = <T>(style: T): T => style

export const adoptStyles = (root: ShadowRoot, styles: readonly (CSSResult | CSSStyleSheet)[]): void => {
  root.adoptedStyleSheets = styles.map(style => style instanceof CSSStyleSheet ? style : style.styleSheet)
}
