// Tries what is typed without leaving the page, so that no file and no secret must be given again.
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-try]'))

form?.addEventListener('submit', async (event) => {
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter)
  if (submitter?.name !== 'testar') return
  event.preventDefault()
  // Else the form would count as sent (dashboard.js).
  event.stopPropagation()
  const place = form.dataset.try ?? ''
  const shown = /** @type {HTMLElement} */ (document.getElementById(place))
  // Before the button is disabled: then it says no more what is asked for.
  const body = new FormData(form, submitter)
  submitter.disabled = true
  shown.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(form.action, { method: 'POST', body })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const answer = page.getElementById('problems') ?? page.getElementById(place)
    if (response.redirected || !answer) location.reload()
    else shown.replaceChildren(...answer.childNodes)
  } catch {
    shown.textContent = 'Sem conexão com este servidor. Tente de novo.'
  } finally {
    submitter.disabled = false
    shown.removeAttribute('aria-busy')
  }
})
