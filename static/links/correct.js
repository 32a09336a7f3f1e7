/** The page on which an import is corrected: rows with errors are downloaded, corrected and sent. */

const page = document.getElementById('correct')
const {session, working, nothing, failed} = page.dataset
const at = page.dataset.import
const UNAUTHORIZED = 401, ACCEPTED = 202
const AGAIN_MS = 1000
let token = ''

async function call(path, about = {}, isAgain = false) {
  if (!token) await renew()
  const headers = {Authorization: `Bearer ${token}`, 'Accept-Language': document.documentElement.lang}
  const answer = await fetch(at + path, {...about, headers})
  if (answer.status === UNAUTHORIZED && !isAgain) {
    token = ''
    return call(path, about, true)
  }
  if (!answer.ok) throw new Problem(await detailOf(answer))
  return answer
}

async function renew() {
  const answer = await fetch(session, {method: 'POST'})
  if (answer.status === UNAUTHORIZED) location.reload() // the page says what happened to the link
  if (!answer.ok) throw new Problem(await detailOf(answer))
  token = (await answer.json()).token
}

class Problem extends Error {}

async function detailOf(answer) {
  try {
    return (await answer.json()).detail || failed
  } catch {
    return failed
  }
}

/** Show what is being done, then what came of it; one thing is done at a time. */
function whenPressed(id, event, act) {
  document.getElementById(id)?.addEventListener(event, async pressed => {
    pressed.preventDefault()
    const buttons = [...page.querySelectorAll('button')]
    buttons.forEach(button => { button.disabled = true })
    show(working)
    try {
      show(await act() || '')
    } catch (error) {
      show('', error instanceof Problem ? error.message : failed)
    } finally {
      buttons.forEach(button => { button.disabled = false })
    }
  })
}

function show(status, problem = '') {
  document.getElementById('status').textContent = status
  const place = document.getElementById('problem')
  place.textContent = problem
  place.hidden = !problem
}

const pause = () => new Promise(resolve => { setTimeout(resolve, AGAIN_MS) })

async function download() {
  let answer = await call('/export?wait=20')
  while (answer.status === ACCEPTED) { // a worker writes a large workbook
    await pause()
    answer = await call('/export?wait=20')
  }
  const named = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') || '')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = named ? named[1] : 'rows.xlsx'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), AGAIN_MS)
}

let read = ''

async function check() {
  document.getElementById('found').hidden = true
  const body = new FormData(document.getElementById('upload'))
  let correction = await (await call('/corrections', {method: 'POST', body})).json()
  while (!correction.comparison && !correction.problem) {
    correction = await (await call(`/corrections/${correction.correctionId}?wait=20`)).json()
  }
  if (correction.problem) throw new Problem(correction.problem.detail || failed)
  for (const place of page.querySelectorAll('[data-count]')) {
    const count = correction.comparison[place.dataset.count]
    place.textContent = count.toLocaleString(document.documentElement.lang)
    place.parentElement.hidden = !count && place.dataset.count !== 'changedRows'
  }
  read = correction.correctionId
  const changes = correction.comparison.changedRows > 0
  document.getElementById('found').hidden = false
  document.getElementById('send').hidden = !changes
  return changes ? '' : nothing
}

async function send() {
  await call(`/corrections/${read}/confirm`, {method: 'POST'})
  location.assign('?sent') // with the rows that still have errors, if any
}

whenPressed('download', 'click', download)
whenPressed('upload', 'submit', check)
whenPressed('send', 'click', send)
