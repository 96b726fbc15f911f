// The files of links that are being worked on, kept in step with the server while there are any.
const PAUSE_MS = 2000

const shown = document.getElementById('under-way')
if (shown) follow(shown)

/** @param {HTMLElement} element */
function follow(element) {
  const refresh = async () => {
    if (!element.querySelector('progress')) return
    try {
      const response = await fetch(element.dataset.path ?? '')
      // Who was signed out meanwhile is sent to another page.
      if (!response.ok || response.redirected) return
      element.innerHTML = await response.text()
    } catch {
      // Offline for a moment: asked again.
    }
    setTimeout(refresh, PAUSE_MS)
  }
  setTimeout(refresh, PAUSE_MS)
}
