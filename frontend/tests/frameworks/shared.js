/** What the pages of every framework share: the session of the host, and what the page heard. */

export const about = JSON.parse(document.body.dataset.about)

window.heard = []
window.told = [] // by the framework's own binding
for (const name of ['ready', 'step', 'applied', 'error']) {
  document.addEventListener(`import-${name}`, ({type, detail}) => window.heard.push({type, detail}))
}

export const applied = event => window.told.push(event.detail.rowCount)

export async function fetchKey() {
  const answer = await fetch('/import-session', {method: 'POST', body: JSON.stringify(about.session)})
  return (await answer.json()).token
}
