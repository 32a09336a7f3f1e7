/** The page of a link: gets the session's token for the widget. It sends nothing anywhere else. */

const widget = document.querySelector('service-import')
const GONE = 401

async function fetchKey() {
  const answer = await fetch(widget.dataset.session, {method: 'POST'})
  if (answer.status === GONE) location.reload() // the page says what happened to the link
  if (!answer.ok) throw new Error((await answer.json()).detail)
  return (await answer.json()).token
}

widget.fetchKey = fetchKey
if (!customElements.get('service-import')) {
  const late = setTimeout(() => { document.getElementById('broken').hidden = false }, 10_000)
  customElements.whenDefined('service-import').then(() => {
    clearTimeout(late)
    document.getElementById('broken').hidden = true
  })
}
