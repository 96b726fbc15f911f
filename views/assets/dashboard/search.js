// `/`, outside of fields, and Ctrl K or ⌘ K lead to the field that searches all; on a small screen to its page.
const field = /** @type {HTMLInputElement | null} */ (
  document.querySelector('.side-search [name=q]')
)
const isMac = navigator.platform.startsWith('Mac')

if (field) {
  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.repeat || !isSearchKey(event)) return
    event.preventDefault()
    if (field.offsetParent === null) return location.assign('/painel/busca')
    field.focus()
    field.select()
  })
}

/** @param {KeyboardEvent} event */
function isSearchKey({ key, target, altKey, ctrlKey, metaKey, shiftKey }) {
  if (altKey) return false
  const isCommand = (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !shiftKey
  if (isCommand) return key.toLowerCase() === 'k'
  const element = /** @type {HTMLElement} */ (target)
  const isTyping = element.isContentEditable || element.closest('input, textarea, select') !== null
  return key === '/' && !ctrlKey && !metaKey && !isTyping
}
