// Keeps a preview in step with a form that is being typed: `data-preview` is where the server draws it,
// `data-preview-target` the element that holds it, `data-preview-fields` which fields it is drawn from.
const PAUSE_MS = 250

for (const form of document.querySelectorAll('form[data-preview]')) {
  follow(/** @type {HTMLFormElement} */ (form))
}

/** @param {HTMLFormElement} form */
function follow(form) {
  const { preview, previewTarget = '', previewFields = '' } = form.dataset
  const shown = /** @type {HTMLElement} */ (document.getElementById(previewTarget))
  const names = previewFields.split(' ')
  /** @type {number | undefined} */
  let timer
  let asked = new AbortController()

  const refresh = async () => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    try {
      const response = await fetch(`${preview}?${readTyped()}`, { signal })
      // Who was signed out meanwhile is sent to another page.
      if (response.ok && !response.redirected) shown.innerHTML = await response.text()
    } catch {
      // Overtaken by what was typed since, or offline: the preview waits for the next key.
    }
  }

  const readTyped = () => {
    const typed = [...new FormData(form)]
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => [name, String(value)])
    return new URLSearchParams(typed)
  }

  // What the fold holds is told in a line until it is opened: from then on the line would grow old.
  const fold = form.querySelector('.link-more')
  fold?.addEventListener('toggle', () => fold.querySelector('.link-more-set')?.remove())

  // Fields of the form may stand outside of it.
  document.addEventListener('input', (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target)
    if (target.form !== form || !names.includes(target.name)) return
    clearTimeout(timer)
    timer = setTimeout(refresh, PAUSE_MS)
  })
}
