// What comes in while a page is open: said above it and in the tab's title, and shown once somebody asks for it.
// Tabs of one browser share one stream; where there is none to be had, the server is asked now and then.
const news = /** @type {HTMLElement | null} */ (document.querySelector('[data-live]'))
const PATH = '/painel/ao-vivo'
const POLL_MS = 20_000
const title = document.title
let count = 0

/** @typedef {{ payments: number, last: string | null }} News */
/** @typedef {News & { since: string | undefined }} ToldNews since the event that is named */

if (news) void listen(news, news.dataset.liveKey ?? '')

/** @param {HTMLElement} place @param {string} key */
async function listen(place, key) {
  // Only https and localhost have locks.
  if (!navigator.locks || !window.BroadcastChannel)
    return openStream(place, (told) => hear(place, told))
  const others = new BroadcastChannel(`vintem-live-${key}`)
  others.addEventListener('message', ({ data }) => hear(place, data))
  // What came in while this page was on its way; later it is told by whichever tab has the stream.
  await ask(place).catch(() => {})
  await navigator.locks.request(`vintem-live-${key}`, async () => {
    // It may have waited for long: nobody may be signed in any more.
    if (!(await ask(place).catch(() => true))) return
    await openStream(place, (told) => {
      hear(place, told)
      others.postMessage(told)
    })
  })
}

/**
 * For as long as there is one; then it is another tab's turn.
 * @param {HTMLElement} place @param {(told: ToldNews) => void} heard @returns {Promise<void>}
 */
function openStream(place, heard) {
  return new Promise((end) => {
    const source = new EventSource(`${PATH}?${nameStart(place)}`)
    let since = place.dataset.live
    source.addEventListener('message', ({ data }) => {
      const told = JSON.parse(data)
      heard({ ...told, since })
      since = told.last
    })
    // The session is over, or in the other environment: the next page says so.
    source.addEventListener('over', () => {
      source.close()
      end()
    })
    source.addEventListener('error', () => {
      // While it connects again by itself there is nothing to do.
      if (source.readyState !== EventSource.CLOSED) return
      setTimeout(() => void poll(place), POLL_MS)
      end()
    })
  })
}

/** Since when, and of which environment: none is told of the other. @param {HTMLElement} place */
function nameStart({ dataset: { live = '', liveKey = '' } }) {
  return new URLSearchParams({ depois: live, ambiente: liveKey })
}

/** @param {HTMLElement} place */
async function poll(place) {
  const goesOn = await ask(place).catch(() => true)
  if (goesOn) setTimeout(() => void poll(place), POLL_MS)
}

/** False once nobody is signed in any more, or only in the other environment. @param {HTMLElement} place */
async function ask(place) {
  const since = place.dataset.live
  const response = await fetch(`${PATH}/contagem?${nameStart(place)}`)
  if (response.redirected || [204, 401, 403].includes(response.status)) return false
  if (!response.ok) return true
  const told = await response.json()
  // Another tab told of some of these meanwhile.
  if (place.dataset.live !== since) return ask(place)
  tell(place, told)
  return true
}

/**
 * Counted from elsewhere than this page has counted to, some would count twice: then it asks for itself.
 * @param {HTMLElement} place @param {ToldNews} told
 */
function hear(place, told) {
  if (told.since === place.dataset.live) tell(place, told)
  else void ask(place).catch(() => {})
}

/** @param {HTMLElement} place @param {News} told */
function tell(place, { payments, last }) {
  if (last) place.dataset.live = last
  if (payments > 0) show(place, count + payments)
}

/** @param {HTMLElement} place @param {number} total */
function show(place, total) {
  count = total
  document.title = total > 0 ? `(${total}) ${title}` : title
  if (total === 0) return place.replaceChildren()
  const first = new URL(location.href)
  first.searchParams.delete('cursor')
  first.searchParams.delete('feito')
  const link = document.createElement('a')
  link.className = 'button news-button'
  link.href = first.href
  link.textContent = total === 1 ? '1 novo pagamento' : `${total} novos pagamentos`
  link.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
    // Another page of the list is left for its first.
    if (!isPlain || new URL(location.href).searchParams.has('cursor')) return
    event.preventDefault()
    void refresh(place, link.href)
  })
  place.replaceChildren(link)
}

/** The same page as it is by now, in the place of this one's. @param {HTMLElement} place @param {string} href */
async function refresh(place, href) {
  try {
    const response = await fetch(href)
    if (!response.ok || response.redirected) return location.assign(href)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const live = /** @type {HTMLElement | null} */ (page.querySelector('[data-live]'))
    // Around the parts stands the environment that the page was opened in.
    if (live?.dataset.liveKey !== place.dataset.liveKey) return location.assign(href)
    for (const part of document.querySelectorAll('[data-live-part]')) {
      const name = part.getAttribute('data-live-part')
      const fresh = page.querySelector(`[data-live-part="${name}"]`)
      if (!fresh) return location.assign(href)
      part.replaceChildren(...fresh.childNodes)
    }
    place.dataset.live = live?.dataset.live ?? place.dataset.live
    show(place, 0)
    document.getElementById('content')?.focus({ preventScroll: true })
  } catch {
    location.assign(href)
  }
}
