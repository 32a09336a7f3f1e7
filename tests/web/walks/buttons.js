// What is wrong with the buttons that are shown, as [name, what]; see buttons.py.
() => {
  const root = document.querySelector('service-import').shadowRoot
  const dialogs = [...root.querySelectorAll('dialog[open]')]
  const shown = dialogs.at(-1) ?? root
  const frame = (dialogs.at(-1) ?? root.querySelector('[part~=container]')).getBoundingClientRect()
  const wrong = []
  const at = (x, y) => {
    let found = document.elementFromPoint(x, y)
    while (found?.shadowRoot?.elementFromPoint(x, y)) found = found.shadowRoot.elementFromPoint(x, y)
    return found
  }
  const texts = button => {
    const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
    const rects = []
    while (walker.nextNode()) {
      if (!walker.currentNode.data.trim()) continue
      let hidden = walker.currentNode.parentElement
      while (hidden !== button && getComputedStyle(hidden).clipPath === 'none') hidden = hidden.parentElement
      if (hidden !== button) continue // a name for screen readers
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      rects.push(...[...range.getClientRects()].filter(({width}) => width > 0)) // a mark of direction has none
    }
    return rects
  }
  scrollTo(0, 0)
  for (const primary of shown.querySelectorAll('.footer [part~=primary-button]')) {
    const {top, bottom} = primary.getBoundingClientRect()
    if (innerHeight >= 500 && (top < 0 || bottom > innerHeight)) wrong.push([primary.textContent.trim(), 'is not pinned'])
  }
  const buttons = [...shown.querySelectorAll('button')].filter(each => each.checkVisibility({visibilityProperty: true}))
  for (const button of buttons) {
    button.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'})
    const name = button.textContent.trim() || button.ariaLabel || button.title
    const tell = what => wrong.push([name, what])
    const isOwn = (x, y) => button.contains(at(x, y))
    const {left, right, top, bottom} = button.getBoundingClientRect()
    if (left < frame.left - .5 || right > frame.right + .5) tell(`lies outside: ${left} to ${right} of ${frame.left} to ${frame.right}`)
    for (let box = button.parentElement; box; box = box.parentElement) {
      const canScroll = ['auto', 'scroll'].includes(getComputedStyle(box).overflowX)
      if (canScroll && box.scrollWidth > box.clientWidth + 1) tell('lies in what scrolls sideways')
    }
    if (right - left < 20 || bottom - top < 4) tell('has no room')
    const middle = (top + bottom) / 2
    if (![left + 5, (left + right) / 2, right - 5].every(x => isOwn(x, middle))) tell('is covered')
    for (const text of texts(button)) {
      const isInside = text.left >= left - 1 && text.right <= right + 1 && text.top >= top - 2 && text.bottom <= bottom + 2
      const line = (text.top + text.bottom) / 2
      if (!isInside || !isOwn(text.left + 1, line) || !isOwn(text.right - 1, line)) tell('has a text that is cut off')
    }
  }
  for (const said of shown.querySelectorAll('.footer [role=status]')) {
    const {width, height} = said.getBoundingClientRect()
    if (said.textContent.trim() && height > 66) wrong.push([said.textContent.trim(), `lies in pieces: ${width} by ${height}`])
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(['the page', 'scrolls sideways'])
  scrollTo(0, 0)
  return [buttons.length, wrong]
}
