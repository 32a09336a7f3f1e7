/** Styles as Lit expects them, in browsers that adopt style sheets: all that run these scripts do. */

export class CSSResult {
  _$cssResult$ = true
  #sheet

  constructor(cssText) {
    this.cssText = cssText
  }

  get styleSheet() {
    if (!this.#sheet) (this.#sheet = new CSSStyleSheet()).replaceSync(this.cssText)
    return this.#sheet
  }

  toString() {
    return this.cssText
  }
}

export const css = (texts, ...values) => new CSSResult(String.raw({raw: texts}, ...values))
export const unsafeCSS = text => new CSSResult(String(text))
export const supportsAdoptingStyleSheets = true
export const getCompatibleStyle = style => style
export const adoptStyles = (root, styles) => {
  root.adoptedStyleSheets = styles.map(style => style instanceof CSSStyleSheet ? style : style.styleSheet)
}
