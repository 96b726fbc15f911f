// The docs work without this. It copies code and keeps the chosen language across the page.
const live = document.getElementById('live')

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const code = button.closest('.code').querySelector('code').textContent
    try {
      await navigator.clipboard.writeText(code)
      say(button, 'Copiado')
    } catch {
      say(button, 'Não foi possível copiar')
    }
  })
}

for (const choice of document.querySelectorAll('.tabs input')) {
  choice.addEventListener('change', () => {
    for (const same of document.querySelectorAll(`.tabs input[value="${choice.value}"]`)) {
      same.checked = true
    }
  })
}

// A link to a heading of this page leads there: the menu need not stay over it.
const menu = document.getElementById('menu')
menu.addEventListener('click', ({ target }) => {
  if (target.closest('a') && menu.matches(':popover-open')) menu.hidePopover()
})

function say(button, text) {
  button.textContent = text
  live.textContent = text
  setTimeout(() => {
    button.textContent = 'Copiar'
    live.textContent = ''
  }, 2_000)
}
