// The page of one payment: asks the server how it stands and becomes the next state by itself,
// counts down by the server's clock, copies the Pix code. Without it a link asks again.

// biome-ignore-all lint/style/noExcessiveLinesPerFile: one script is one request

const WAITING = ['pix', 'processing', 'challenge', 'redirect']
// A Pix may still arrive after its code expired; a held payment may be settled by the company.
const UNSETTLED = ['expired', 'canceled', 'soldOut', 'held']
// Its payer has something to do on a page that is not ours.
const AWAY = ['challenge', 'redirect']
const FAST_MS = 2_000
const SLOW_MS = 10_000
const FAST_FOR_MS = 60_000
// A bank's word that it is through may be missed: it came before this script did, or not at all.
const ASK_ANYWAY_MS = 10_000
const REQUEST_TIMEOUT_MS = 10_000
const COPY_PATIENCE_MS = 1_000
const COPIED_FOR_MS = 3_000
const DAY_SECONDS = 86_400
/** @type {Record<number, 'threeMinutes' | 'oneMinute' | 'halfMinute'>} The least first, as an object has numbers. */
const SPOKEN_SECONDS = { 30: 'halfMinute', 60: 'oneMinute', 180: 'threeMinutes' }

const address = location.pathname
// Until when it knows of its browser's payments.
const known = location.search
const live = /** @type {HTMLElement} */ (document.querySelector('#live'))
let main = /** @type {HTMLElement} */ (document.querySelector('main'))
let lastReturn = Date.now()
/** @type {number | undefined} */
let nextCheck
let checking = false
/** @type {number | undefined} */
let ticking
/** @type {number | undefined} */
let returning
let returnTop = 0
// Back from the bank: the server is to ask the provider, not only itself.
let answered = keepLeft(false)
let lastAsked = Date.now()
let lostInARow = 0

document.addEventListener('click', (event) => {
  const { target } = event
  const button = /** @type {HTMLElement | null} */ (
    /** @type {Element} */ (target).closest('[data-copy], [data-print], [data-stay]')
  )
  if (!button) return
  if (button.dataset.copy) void copy(button)
  else stay()
  if ('print' in button.dataset) print()
})
document.addEventListener('visibilitychange', comeBack)
addEventListener('online', comeBack)
// What a browser says of its network may be wrong: the server is asked, and then it is said.
addEventListener('offline', comeBack)
for (const type of ['keydown', 'pointerdown', 'focusin']) addEventListener(type, stay)
addEventListener('scroll', () => scrollY !== returnTop && stay())
addEventListener('message', hearBank)
// A bank's page may take the place of this one: once it is opened, coming here is coming back.
if (main.dataset.state === 'challenge') addEventListener('submit', () => keepLeft(true))
addEventListener('pageshow', (event) => event.persisted && location.reload())
begin()

/**
 * In the language of the page that is shown.
 * @returns {CheckoutTexts['pix']['script']}
 */
function readTexts() {
  return JSON.parse(main.dataset.texts ?? '')
}

function begin() {
  document.body.classList.toggle('split', main.querySelector('.bought') !== null)
  for (const element of main.querySelectorAll('.needs-script[hidden]')) {
    element.removeAttribute('hidden')
    element.classList.remove('needs-script')
  }
  clearInterval(ticking)
  showLocalDeadline(main.querySelector('[data-today]'))
  startCountdown(main.querySelector('[data-expires]'))
  startReturn(main.querySelector('[data-return]'))
  plan()
}

function plan() {
  clearTimeout(nextCheck)
  const { state = '' } = main.dataset
  if (document.hidden || !(WAITING.includes(state) || UNSETTLED.includes(state))) return
  const fast = WAITING.includes(state) && Date.now() - lastReturn < FAST_FOR_MS
  nextCheck = setTimeout(check, fast ? FAST_MS : SLOW_MS)
}

function comeBack() {
  clearTimeout(nextCheck)
  if (document.hidden) return
  lastReturn = Date.now()
  if (AWAY.includes(main.dataset.state ?? '')) answered = true
  const { state = '' } = main.dataset
  if (WAITING.includes(state) || UNSETTLED.includes(state)) void check()
}

async function check() {
  if (checking || document.hidden) return
  clearTimeout(nextCheck)
  checking = true
  try {
    const { state, version } = await askState()
    if (state !== main.dataset.state || version !== main.dataset.version) await becomeNext()
  } catch {
    // No network or a server that restarts: the next check asks again.
  } finally {
    checking = false
    plan()
  }
}

async function becomeNext() {
  const html = await (await ask(address + known)).text()
  const next = new DOMParser().parseFromString(html, 'text/html')
  const nextMain = /** @type {HTMLElement} */ (next.querySelector('main'))
  // A bank's page opens only under the policy of a page that was sent with it.
  if (nextMain.querySelector('iframe, form[action^="https:"]')) return location.reload()
  main.replaceWith(nextMain)
  main = nextMain
  document.title = next.title
  live.textContent = main.querySelector('h1')?.textContent ?? ''
  scrollTo(0, 0)
  begin()
}

async function askState() {
  const isDue = answered || Date.now() - lastAsked > ASK_ANYWAY_MS
  const asks = isDue && ['processing', ...AWAY].includes(main.dataset.state ?? '')
  if (asks) lastAsked = Date.now()
  const response = asks
    ? await ask(`${address}/check`, { method: 'POST' })
    : await ask(`${address}/status${known}`)
  return response.json()
}

/**
 * Whether the payer has left for the bank's page, as this tab remembers it; some browsers remember nothing.
 * @param {boolean} hasLeft
 */
function keepLeft(hasLeft) {
  try {
    if (hasLeft) sessionStorage.setItem(address, '')
    return sessionStorage.getItem(address) !== null
  } catch {
    return false
  }
}

/**
 * The provider's frame says that the payer is through: the server is asked, and decides.
 * @param {MessageEvent} event
 */
function hearBank({ source, data }) {
  const frame = /** @type {HTMLIFrameElement | null} */ (main.querySelector('.challenge'))
  if (!frame || source !== frame.contentWindow) return
  if (data?.status !== 'COMPLETE') return
  answered = true
  void check()
}

/**
 * @param {string} url
 * @param {RequestInit} [options]
 */
async function ask(url, options) {
  // Safari before 16 has no AbortSignal.timeout().
  const timeout = new AbortController()
  setTimeout(() => timeout.abort(), REQUEST_TIMEOUT_MS)
  const asked = fetch(url, { ...options, cache: 'no-store', signal: timeout.signal })
  asked.then(
    () => showLost(0),
    () => showLost(lostInARow + 1),
  )
  const response = await asked
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response
}

/**
 * Says that there is no connection after two lost answers, since a phone that wakes up loses one; after one answer if
 * the browser is offline by its own account.
 * @param {number} count
 */
function showLost(count) {
  lostInARow = count
  const notice = /** @type {HTMLElement | null} */ (main.querySelector('[data-offline]'))
  const isOffline = count > (navigator.onLine ? 1 : 0)
  if (notice?.hidden !== isOffline) return
  notice.hidden = !isOffline
  main.querySelector('[data-online]')?.toggleAttribute('hidden', isOffline)
  live.textContent = isOffline ? notice.textContent : ''
}

/**
 * In the time of the payer's own place, which the server does not know and says so.
 * @param {HTMLTimeElement | null} deadline
 */
function showLocalDeadline(deadline) {
  if (!deadline) return
  const at = new Date(deadline.dateTime)
  const { today = '', later = '' } = deadline.dataset
  const isToday = at.toDateString() === new Date().toDateString()
  const time = at.toLocaleTimeString('pt-BR', { hour: '2-digit', minute: '2-digit' })
  const day = document.documentElement.lang.startsWith('en')
    ? at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
    : at.toLocaleDateString('pt-BR')
  // The shorter text takes as many lines, so that nothing below moves under a finger.
  const line = /** @type {HTMLElement | null} */ (deadline.closest('.deadline'))
  if (line) line.style.minHeight = `${line.offsetHeight}px`
  deadline.textContent = (isToday ? today : later).replace('$day', day).replace('$time', time)
}

/** @param {HTMLElement | null} timer */
function startCountdown(timer) {
  if (!timer) return
  const { now = '', expires = '' } = timer.dataset
  const ahead = Date.parse(now) - Date.now()
  const secondsLeft = () => Math.ceil((Date.parse(expires) - Date.now() - ahead) / 1000)
  let spoken = secondsLeft()
  const tick = () => {
    const left = secondsLeft()
    timer.textContent = clock(left)
    // When several marks passed while the device slept, only the smallest one is spoken.
    const passed = Object.entries(SPOKEN_SECONDS).find(
      ([mark]) => spoken > Number(mark) && left <= Number(mark),
    )
    if (passed && left > 0) live.textContent = readTexts()[passed[1]]
    spoken = left
    if (left > 0) return
    clearInterval(ticking)
    void check()
  }
  tick()
  ticking = setInterval(tick, 1000)
}

/** @param {number} seconds */
function clock(seconds) {
  if (seconds <= 0) return readTexts().over
  if (seconds > DAY_SECONDS) return ''
  const pair = (/** @type {number} */ value) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${pair(Math.floor((seconds % 3600) / 60))}:${pair(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** @param {HTMLElement} button */
async function copy(button) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ''))
  const failed = /** @type {HTMLElement} */ (main.querySelector('[data-copy-failed]'))
  failed.hidden = await copyText(field)
  if (!failed.hidden) {
    live.textContent = failed.textContent
    return
  }
  const label = /** @type {HTMLElement} */ (button.querySelector('[data-label]'))
  const mark = /** @type {HTMLElement} */ (button.querySelector('.copied'))
  const text = label.textContent
  if ('done' in button.dataset) return
  button.dataset.done = ''
  const { copied, copiedAloud } = readTexts()
  label.textContent = copied
  mark.hidden = false
  live.textContent = copiedAloud
  setTimeout(() => {
    delete button.dataset.done
    mark.hidden = true
    label.textContent = text
    live.textContent = ''
  }, COPIED_FOR_MS)
}

/**
 * Whether it was copied. Where nothing copies, it stays selected to be copied by hand.
 * @param {HTMLInputElement} field
 */
async function copyText(field) {
  try {
    const isCopied = await Promise.race([
      navigator.clipboard.writeText(field.value).then(() => true),
      // Some browsers inside of apps never answer.
      new Promise((resolve) => setTimeout(resolve, COPY_PATIENCE_MS, false)),
    ])
    if (!isCopied) select(field)
    return isCopied
  } catch {
    // Plain http and old browsers have no clipboard, and some refuse it.
    select(field)
    return document.execCommand('copy')
  }
}

/** @param {HTMLInputElement} field */
function select(field) {
  field.focus()
  field.setSelectionRange(0, field.value.length)
}

/**
 * Back to the company: said first, and stopped by all that shows that somebody is still reading.
 * @param {HTMLAnchorElement | null} link
 */
function startReturn(link) {
  if (!link) return
  const notice = /** @type {HTMLElement} */ (main.querySelector('[data-returning]'))
  const shown = /** @type {HTMLElement} */ (notice.querySelector('[data-return-seconds]'))
  let left = Number(link.dataset.return)
  returnTop = scrollY
  notice.hidden = false
  live.textContent = `${live.textContent} ${notice.firstElementChild?.textContent}`.trim()
  returning = setInterval(() => {
    if (document.hidden) return
    left -= 1
    shown.textContent = String(left)
    if (left > 0) return
    clearInterval(returning)
    location.assign(link.href)
  }, 1000)
}

/** Its room stays: what is being pressed below must not move away. */
function stay() {
  clearInterval(returning)
  const notice = /** @type {HTMLElement | null} */ (main.querySelector('[data-returning]'))
  if (!notice || notice.style.visibility) return
  notice.style.visibility = 'hidden'
  live.textContent = ''
}
