// Rows of a list, chosen by mouse and by keyboard: without this they are boxes and buttons of a form.

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (
  document.querySelectorAll('form[data-choose]')
)) {
  watchChoice(form)
}

/** @param {HTMLFormElement} form */
function watchChoice(form) {
  const boxes = listInputs(`.pick input[form="${form.id}"]`)
  const [page] = listInputs(`[data-choose-page="${form.id}"]`)
  const [all] = listInputs(`#${form.id} [data-choose-all]`)
  const count = /** @type {HTMLElement} */ (form.querySelector('[data-chosen]'))
  const live = /** @type {HTMLElement} */ (document.getElementById('live'))
  let last = boxes[0]

  for (const box of boxes) {
    box.addEventListener('click', (event) => {
      if (event.shiftKey && last) setRange(boxes, last, box)
      last = box
      show()
    })
    box.addEventListener('keydown', (event) => walk(event, boxes, box))
  }
  page?.addEventListener('change', () => set(boxes, page.checked))
  all?.addEventListener('change', () => set(boxes, all.checked))
  form.querySelector('[data-choose-none]')?.addEventListener('click', () => clear())
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && boxes.some(({ checked }) => checked)) clear()
  })
  // A browser that goes back ticks again what was ticked.
  addEventListener('pageshow', () => show())
  show()

  /** @param {HTMLInputElement[]} some @param {boolean} checked */
  function set(some, checked) {
    for (const box of some) box.checked = checked
    show()
  }

  function clear() {
    if (all) all.checked = false
    const hadFocus = form.contains(document.activeElement)
    form.querySelector('details')?.removeAttribute('open')
    set(boxes, false)
    if (hadFocus) (last ?? page)?.focus()
  }

  function show() {
    const chosen = boxes.filter(({ checked }) => checked).length
    if (all && chosen < boxes.length) all.checked = false
    if (page) showPage(page, chosen, boxes.length)
    const text = all?.checked ? `${all.dataset.chooseAll}` : countWords(form, chosen)
    if (count.textContent !== text) tell(text, chosen > 0)
  }

  /** @param {string} text @param {boolean} isAloud */
  function tell(text, isAloud) {
    count.textContent = text
    live.textContent = isAloud ? text : ''
  }
}

/** @param {HTMLInputElement} page @param {number} chosen @param {number} of */
function showPage(page, chosen, of) {
  page.checked = chosen === of
  page.indeterminate = chosen > 0 && chosen < of
}

/** @param {HTMLFormElement} form @param {number} chosen */
function countWords(form, chosen) {
  const { one, many } = form.dataset
  return `${chosen} ${chosen === 1 ? one : many}`
}

/** @param {string} selector */
function listInputs(selector) {
  return /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(selector)])
}

/** @param {HTMLInputElement[]} boxes @param {HTMLInputElement} from @param {HTMLInputElement} to */
function setRange(boxes, from, to) {
  const [start, end] = [boxes.indexOf(from), boxes.indexOf(to)].sort((a, b) => a - b)
  for (const box of boxes.slice(start, (end ?? 0) + 1)) box.checked = to.checked
}

/**
 * From row to row; Enter sends nothing, it ticks.
 * @param {KeyboardEvent} event @param {HTMLInputElement[]} boxes @param {HTMLInputElement} box
 */
function walk(event, boxes, box) {
  if (event.key === 'Enter') box.click()
  else if (event.key === 'ArrowDown') boxes[boxes.indexOf(box) + 1]?.focus()
  else if (event.key === 'ArrowUp') boxes[boxes.indexOf(box) - 1]?.focus()
  else return
  event.preventDefault()
}
