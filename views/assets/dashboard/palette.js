// Search and go: what is typed is searched for by the server as one types, and its options are walked by arrows.
const palette = /** @type {HTMLDialogElement | null} */ (document.getElementById('palette'))
const field = /** @type {HTMLInputElement} */ (document.getElementById('palette-input'))
const list = /** @type {HTMLElement} */ (document.getElementById('palette-list'))
const count = /** @type {HTMLElement} */ (document.getElementById('palette-count'))
const none = /** @type {HTMLElement} */ (document.getElementById('palette-none'))
const PAUSE_MS = 120
const isMac = navigator.platform.startsWith('Mac')

/** @type {AbortController | undefined} */
let asking
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting
/** @type {string | undefined} What the options in sight are of. */
let shown

if (palette) {
  document.addEventListener('keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    const isCommand = (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey
    if (!isCommand || key.toLowerCase() !== 'k' || event.isComposing) return
    event.preventDefault()
    openPalette()
  })
  document.addEventListener('palette', openPalette)
  field.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(showOptions, PAUSE_MS)
  })
  field.addEventListener('keydown', walkOptions)
  list.addEventListener('mousemove', ({ target }) => {
    const option = /** @type {Element} */ (target).closest('[role=option]')
    if (option && option !== getChosen()) choose(option, false)
  })
}

function openPalette() {
  if (document.querySelector('dialog[open]')) return
  field.value = ''
  list.replaceChildren()
  shown = undefined
  none.hidden = true
  count.textContent = ''
  palette?.showModal()
  void showOptions()
}

async function showOptions() {
  asking?.abort()
  asking = new AbortController()
  const q = field.value.trim()
  try {
    const response = await fetch(`/painel/busca/opcoes?${new URLSearchParams({ q })}`, {
      signal: asking.signal,
    })
    // Whoever is not signed in any more is led there, and comes back.
    if (response.redirected) return location.reload()
    if (!response.ok) throw new Error(`${response.status}`)
    list.innerHTML = await response.text()
    list.scrollTop = 0
    shown = q
    const options = list.querySelectorAll('[role=option]')
    none.hidden = options.length > 0
    count.textContent =
      options.length === 1
        ? '1 resultado'
        : options.length > 0
          ? `${options.length} resultados`
          : 'Nada encontrado'
    choose(options[0], false)
  } catch (error) {
    if (/** @type {Error} */ (error).name === 'AbortError') return
    list.replaceChildren()
    shown = q
  }
}

/** @param {KeyboardEvent} event */
function walkOptions(event) {
  if (event.isComposing) return
  if (event.key === 'Enter') {
    event.preventDefault()
    void openChosen()
    return
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const options = [...list.querySelectorAll('[role=option]')]
  const chosen = getChosen()
  const at = chosen ? options.indexOf(chosen) + step : 0
  choose(options[(at + options.length) % options.length], true)
}

/** Of what was pasted, or typed faster than its options come; those of before are not meant. */
async function openChosen() {
  const q = field.value.trim()
  clearTimeout(waiting)
  if (shown !== q) await showOptions()
  if (shown !== q || !palette?.open) return
  const chosen = /** @type {HTMLElement | null} */ (getChosen())
  if (chosen) chosen.click()
  else location.assign(`/painel/busca?${new URLSearchParams({ q })}`)
}

function getChosen() {
  return list.querySelector('[aria-selected=true]')
}

/** @param {Element | undefined} option @param {boolean} isShown */
function choose(option, isShown) {
  getChosen()?.setAttribute('aria-selected', 'false')
  if (!option) return field.removeAttribute('aria-activedescendant')
  option.setAttribute('aria-selected', 'true')
  field.setAttribute('aria-activedescendant', option.id)
  if (isShown) option.scrollIntoView({ block: 'nearest' })
}
