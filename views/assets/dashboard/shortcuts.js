// Keys that lead somewhere: none while somebody types, none with a modifier, and none where they are turned off.
const shortcuts = /** @type {HTMLDialogElement | null} */ (document.getElementById('shortcuts'))
const setting = /** @type {HTMLInputElement} */ (document.getElementById('shortcuts-on'))
const OFF = 'vintem-sem-atalhos'
/** Between the two keys of one. */
const PATIENCE_MS = 1000
let before = ''
let pressedAt = 0

if (shortcuts) {
  setting.checked = readSetting()
  setting.addEventListener('change', () => {
    if (setting.checked) localStorage.removeItem(OFF)
    else localStorage.setItem(OFF, '1')
  })
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return
    if (!setting.checked || isTyping(event) || document.querySelector('dialog[open]')) return
    const isNext = before !== '' && performance.now() - pressedAt < PATIENCE_MS
    const isFollowed = (isNext && followKeys(`${before} ${event.key}`)) || followKeys(event.key)
    before = isFollowed ? '' : event.key
    pressedAt = performance.now()
    if (isFollowed) event.preventDefault()
  })
}

// Both dialogs: beside them is outside, and the cross closes them too.
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.addEventListener('click', ({ target }) => {
    const isCross = /** @type {Element} */ (target).closest('.palette-close')
    if (target === dialog || isCross) dialog.close()
  })
}

/** Whether they lead anywhere. @param {string} keys */
function followKeys(keys) {
  if (keys === '/') return document.dispatchEvent(new Event('palette'))
  if (keys === '?') {
    shortcuts?.showModal()
    return true
  }
  const places = /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll('[data-keys]')
  )
  const place = [...places].find(({ dataset }) => dataset.keys === keys)
  place?.click()
  return place !== undefined
}

/** @param {KeyboardEvent} event */
function isTyping({ target }) {
  const element = /** @type {HTMLElement} */ (target)
  return element.isContentEditable || element.closest('input, textarea, select') !== null
}

function readSetting() {
  try {
    return localStorage.getItem(OFF) === null
  } catch {
    return true
  }
}
