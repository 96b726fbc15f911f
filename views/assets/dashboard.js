// What the dashboard's pages gain from JavaScript: all of them work without it.
import './dashboard/new-payments.js'
import './dashboard/reveal.js'
import './dashboard/search.js'

document.documentElement.classList.add('js')

const live = /** @type {HTMLElement} */ (document.getElementById('live'))
const COPIED_MS = 3000
const COPY_PATIENCE_MS = 1000
const SUBMIT_PATIENCE_MS = 15_000

const problems = document.getElementById('problems') ?? document.getElementById('conflicts')
problems?.focus()

document.addEventListener('click', async ({ target }) => {
  const button = /** @type {HTMLElement | null} */ (
    /** @type {Element} */ (target).closest('[data-copy]')
  )
  if (!button) return
  const source = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (
    document.getElementById(button.dataset.copy ?? '')
  )
  source.select()
  try {
    await Promise.race([
      navigator.clipboard.writeText(source.value),
      new Promise((_, fail) => setTimeout(fail, COPY_PATIENCE_MS)),
    ])
  } catch {
    // Browsers give the clipboard to https and localhost alone, and some never answer; then it stays selected.
    if (!document.execCommand('copy')) return
  }
  // Pressed again meanwhile, it says so already.
  if ('done' in button.dataset) return
  button.dataset.done = ''
  const words = /** @type {HTMLElement} */ (button.querySelector('span'))
  const before = words.textContent
  words.textContent = 'Copiado'
  live.textContent = 'Copiado'
  setTimeout(() => {
    delete button.dataset.done
    words.textContent = before
    live.textContent = ''
  }, COPIED_MS)
})

// Where the browser hands a text to the phone's own apps: a copy for a friend, a group, another device.
for (const button of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll('[data-share]')
)) {
  button.hidden = !('share' in navigator)
  // Who closes the list of apps has decided against it.
  button.addEventListener('click', () =>
    navigator.share({ text: button.dataset.share }).catch(() => {}),
  )
}

const printer = /** @type {HTMLElement | null} */ (document.querySelector('[data-print]'))
printer?.addEventListener('click', () => print())
printer?.removeAttribute('hidden')

// Leaving a list's filter at another choice asks for it at once.
for (const form of document.querySelectorAll('form[data-at-once]')) {
  for (const select of form.querySelectorAll('select')) {
    select.addEventListener('change', () => select.form?.requestSubmit())
  }
}

// A second click on a button that is being sent is no second order.
document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  if (form.method !== 'post') return
  if (form.dataset.sent) return event.preventDefault()
  form.dataset.sent = 'yes'
  // A browser does not say that its sending was stopped.
  setTimeout(() => delete form.dataset.sent, SUBMIT_PATIENCE_MS)
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) {
    form.removeAttribute('data-sent')
  }
})
