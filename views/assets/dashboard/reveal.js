// A password can be read while it is typed. It is a password again when its form is sent, so that browsers save it.

/**
 * @param {HTMLElement} button
 * @param {boolean} isShown
 */
function reveal(button, isShown) {
  const field = /** @type {HTMLInputElement} */ (
    document.getElementById(button.dataset.reveal ?? '')
  )
  field.type = isShown ? 'text' : 'password'
  // HTML has no place for it in a field that is a password.
  field.autocapitalize = 'none'
  button.setAttribute('aria-pressed', String(isShown))
  button.textContent = isShown ? 'Ocultar' : 'Mostrar'
}

for (const button of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll('[data-reveal]')
)) {
  button.addEventListener('click', () =>
    reveal(button, button.getAttribute('aria-pressed') === 'false'),
  )
  button.closest('form')?.addEventListener('submit', () => reveal(button, false))
}
