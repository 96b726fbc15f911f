// A colour may be picked as well as typed: the picker and the text say the same.
for (const one of document.querySelectorAll('[data-color]')) {
  const picker = /** @type {HTMLInputElement} */ (one)
  const text = /** @type {HTMLInputElement} */ (document.getElementById(picker.dataset.color ?? ''))
  picker.addEventListener('input', () => {
    text.value = picker.value.toUpperCase()
    text.dispatchEvent(new Event('input', { bubbles: true }))
  })
  text.addEventListener('input', () => {
    if (/^#[\da-f]{6}$/i.test(text.value)) picker.value = text.value
  })
}
