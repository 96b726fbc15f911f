// The docs work without this. It copies and colours code, and keeps the language that was chosen.
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

const tabs = [...document.querySelectorAll('.tabs')]
for (const [at, box] of tabs.entries()) addChoices(box, `tabs-${at}`)
chooseLanguage(remembered() ?? 'sh')

for (const one of document.querySelectorAll('.code')) colour(one)

// A link to a heading of this page leads there: the menu need not stay over it.
const menu = /** @type {HTMLElement} */ (document.getElementById('menu'))
menu.addEventListener('click', ({ target }) => {
  if (/** @type {Element} */ (target).closest('a') && menu.matches(':popover-open'))
    menu.hidePopover()
})

/**
 * Shows one of the programs of a task, and a choice of language; without this all of them are shown.
 * @param {Element} box
 * @param {string} name
 */
function addChoices(box, name) {
  const choices = document.createElement('fieldset')
  const legend = document.createElement('legend')
  legend.className = 'visually-hidden'
  legend.textContent = 'Linguagem'
  choices.append(legend)
  for (const one of box.querySelectorAll('.code')) {
    const label = document.createElement('label')
    const input = Object.assign(document.createElement('input'), { type: 'radio', name })
    input.value = languageOf(one)
    input.addEventListener('change', () => {
      chooseLanguage(input.value)
      remember(input.value)
    })
    const words = document.createElement('span')
    words.textContent = one.querySelector('figcaption span')?.textContent ?? ''
    label.append(input, words)
    choices.append(label)
  }
  box.prepend(choices)
}

/** @param {string} language in every box that has it; one that lacks it shows its first */
function chooseLanguage(language) {
  for (const box of tabs) {
    const inputs = [...box.querySelectorAll('input')]
    const chosen = inputs.find(({ value }) => value === language) ?? inputs[0]
    if (chosen) chosen.checked = true
    for (const one of box.querySelectorAll('.code')) {
      one.toggleAttribute('hidden', languageOf(one) !== chosen?.value)
    }
  }
}

/** @param {Element} figure */
function languageOf(figure) {
  return figure.getAttribute('data-language') ?? ''
}

// A browser that stores nothing asks for the language on each page.

/** @param {string} language */
function remember(language) {
  try {
    localStorage.setItem('docs-language', language)
  } catch {}
}

function remembered() {
  try {
    return localStorage.getItem('docs-language')
  } catch {
    return null
  }
}

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

/**
 * Puts a span around what has a meaning of its own. What the languages have in common is enough for samples of a page.
 * @param {Element} figure
 */
function colour(figure) {
  const code = /** @type {HTMLElement} */ (figure.querySelector('code'))
  const comment = ['sh', 'py', 'yaml'].includes(languageOf(figure))
    ? /(?<![\w"'$&{])#.*/
    : /(?<!:)\/\/.*/
  const kinds = {
    comment,
    name: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/,
    text: /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/,
    number: /\b\d[\d_.]*\b|\b(?:true|false|null|None)\b/,
    word: /\b(?:async|await|catch|class|const|curl|def|do|else|except|export|for|foreach|from|function|if|import|in|let|new|raise|return|throw|try|use|var|while)\b|(?<=\s)--?[a-zA-Z][\w-]*/,
  }
  const pattern = Object.entries(kinds).map(([kind, one]) => `(?<${kind}>${one.source})`)
  const text = code.textContent ?? ''
  code.textContent = ''
  let end = 0
  for (const match of text.matchAll(new RegExp(pattern.join('|'), 'g'))) {
    const span = document.createElement('span')
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found) ?? []
    span.className = `code-${kind}`
    span.textContent = match[0]
    code.append(text.slice(end, match.index), span)
    end = match.index + match[0].length
  }
  code.append(text.slice(end))
}
