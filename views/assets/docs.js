// The docs work without this. It copies code and keeps the language that was chosen.
const live = /** @type {HTMLElement} */ (document.getElementById('live'))

for (const one of document.querySelectorAll('.copy')) {
  const button = /** @type {HTMLElement} */ (one)
  button.hidden = false
  button.addEventListener('click', async () => {
    const code = button.closest('.code')?.querySelector('code')?.textContent ?? ''
    try {
      await navigator.clipboard.writeText(code)
      say(button, 'Copiado')
    } catch {
      say(button, 'Não foi possível copiar')
    }
  })
}

for (const one of document.querySelectorAll('.tabs input')) {
  const choice = /** @type {HTMLInputElement} */ (one)
  choice.addEventListener('change', () => {
    chooseLanguage(choice.value)
    remember(choice.value)
  })
}
chooseLanguage(remembered())

// A link to a heading of this page leads there: the menu need not stay over it.
const menu = /** @type {HTMLElement} */ (document.getElementById('menu'))
menu.addEventListener('click', ({ target }) => {
  if (/** @type {Element} */ (target).closest('a') && menu.matches(':popover-open'))
    menu.hidePopover()
})

/** @param {string | null} language */
function chooseLanguage(language) {
  for (const one of document.querySelectorAll('.tabs input')) {
    const choice = /** @type {HTMLInputElement} */ (one)
    if (choice.value === language) choice.checked = true
  }
}

// Who lets nothing be stored chooses on each page.

/** @param {string} language */
function remember(language) {
  try {
    localStorage.setItem('docs-language', language)
  } catch {}
}

function remembered() {
  try {
    return localStorage.getItem('docs-language')
  } catch {
    return null
  }
}

/**
 * @param {HTMLElement} button
 * @param {string} text
 */
function say(button, text) {
  button.textContent = text
  live.textContent = text
  setTimeout(() => {
    button.textContent = 'Copiar'
    live.textContent = ''
  }, 2_000)
}
