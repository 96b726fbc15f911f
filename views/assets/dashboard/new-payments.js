// How many payments came in since the page was opened: said above it and in the tab's title, with a link that
// shows them. A page in sight asks every 20 seconds.
const notice = /** @type {HTMLElement | null} */ (document.querySelector('[data-payments-since]'))
const POLL_MS = 20_000
const title = document.title

if (notice) {
  let isAsking = false
  let isOver = false
  const ask = async () => {
    if (isAsking || isOver || document.hidden) return
    isAsking = true
    isOver = !(await askForNewPayments(notice).catch(() => true))
    isAsking = false
  }
  setInterval(ask, POLL_MS)
  document.addEventListener('visibilitychange', ask)
}

/** False once the session is over, or in the other environment. @param {HTMLElement} place */
async function askForNewPayments(place) {
  const { paymentsSince: desde = '', paymentsOf: ambiente = '' } = place.dataset
  const response = await fetch(`/painel/novos?${new URLSearchParams({ desde, ambiente })}`)
  if (response.redirected || [204, 401, 403].includes(response.status)) return false
  if (response.ok) showNewPayments(place, (await response.json()).count)
  return true
}

/** @param {HTMLElement} place @param {number} count */
function showNewPayments(place, count) {
  if (count === 0) return
  document.title = `(${count}) ${title}`
  const first = new URL(location.href)
  first.searchParams.delete('cursor')
  first.searchParams.delete('feito')
  const link = document.createElement('a')
  link.className = 'button new-payments-button'
  link.href = first.href
  link.textContent = count === 1 ? '1 novo pagamento' : `${count} novos pagamentos`
  if (place.textContent !== link.textContent) place.replaceChildren(link)
}
