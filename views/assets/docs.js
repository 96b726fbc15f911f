// The docs work without this. It copies code and keeps the chosen language across the page.
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
    for (const other of document.querySelectorAll(`.tabs input[value="${choice.value}"]`)) {
      const same = /** @type {HTMLInputElement} */ (other)
      same.checked = true
    }
  })
}

// A link to a heading of this page leads there: the menu need not stay over it.
const menu = /** @type {HTMLElement} */ (document.getElementById('menu'))
menu.addEventListener('click', ({ target }) => {
  if (/** @type {Element} */ (target).closest('a') && menu.matches(':popover-open'))
    menu.hidePopover()
})

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
