/** The focus of a keyboard: where its control goes or is turned off, it returns to the last one that is left. */

const REMEMBERED = 12

/** Which controls had the focus, the latest first. */
const kept = new WeakMap<ParentNode, {had: HTMLElement[]}>()

const canTake = (element: HTMLElement): boolean => element.isConnected && !element.matches(':disabled') && element.checkVisibility({visibilityProperty: true})

/** Called after each update of a screen. */
export function keepFocus(root: ParentNode & Node, isBusy: boolean): void {
  const known = kept.get(root) ?? watched(root)
  const {had} = known
  if (!had.length || (root as ShadowRoot).activeElement || document.activeElement !== document.body) return
  const dialog = root.querySelector<HTMLElement>('dialog:modal')
  const wasDisabled = had[0]!.isConnected && had[0]!.matches(':disabled')
  if (isBusy && wasDisabled) return // it comes back in a moment
  const next = had.find(element => canTake(element) && (!dialog || dialog.contains(element)))
  const title = root.querySelector<HTMLElement>('.step-title')
  const target = next ?? title
  target?.focus()
}

function watched(root: ParentNode & Node): {had: HTMLElement[]} {
  const known: {had: HTMLElement[]} = {had: []}
  kept.set(root, known)
  root.addEventListener('focusin', event => {
    const at = event.target as HTMLElement
    known.had = [at, ...known.had.filter(element => element !== at)].slice(0, REMEMBERED)
  })
  root.addEventListener('focusout', event => {
    const from = event.target as HTMLElement
    // A control that could keep the focus gave it away, to the page or to nothing: nothing is to be mended.
    queueMicrotask(() => { if (canTake(from) && document.activeElement === document.body) known.had = [] })
  })
  return known
}
