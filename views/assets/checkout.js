// The payment form: masks while typing, checks before sending, a card turned into a token, and one
// submission per click. Without it the form works as it is; the server checks everything again.

// biome-ignore-all lint/style/noExcessiveLinesPerFile: one script is one request

import {
  EMAIL_PATTERN,
  isLongName,
  NAME_PATTERN,
  parsePhone,
  readForeignDocument,
  readTaxId,
  removeUnseen,
  restoreZeros,
  suggestEmail,
  trimEmail,
} from '../../src/payer-rules.js'

const SUBMIT_PATIENCE_MS = 15_000
/** Marks of the direction of writing, which phones put around what is copied. */
const UNSEEN = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g
/** Zero-width and other characters that show nothing, wherever they stand alone. */
const NOTHING = /^[\s\u2800\p{DI}]+$/u

const form = /** @type {PayForm} */ (document.querySelector('#pay'))
const summary = /** @type {HTMLElement} */ (document.querySelector('#problems'))
/** @type {CheckoutTexts['form']} */
const texts = JSON.parse(form.dataset.texts ?? '')
const pageTitle = document.title.replace(texts.error, '')
/** @type {Record<string, InputRules>} */
const inputs = {
  name: {
    check: (text) =>
      isLongName(text)
        ? texts.longName
        : !NAME_PATTERN.test(removeUnseen(text).trim()) && texts.name,
  },
  taxId: {
    format: (text) => (isForeign() ? text : formatTaxId(text)),
    suggest: (text) => (isForeign() ? '' : formatTaxId(restoreZeros(text) ?? '')),
    check: (text) =>
      isForeign()
        ? !readForeignDocument(text) && texts.foreignDocument
        : !readTaxId(text) && texts.taxId,
  },
  email: {
    clean: trimEmail,
    suggest: suggestEmail,
    check: (text) => (text !== '' || needsEmail()) && !EMAIL_PATTERN.test(text) && texts.email,
  },
  phone: { format: formatPhone, check: (text) => !parsePhone(text) && texts.phone },
  ...findAnswers(),
  ...globalThis.vintemCard?.inputs,
}
let busy = false
let sent = false
let pointing = false

for (const [id, rules] of Object.entries(inputs)) prepare(findInput(id), rules)
prepareLetters()
form.addEventListener('change', showChoice)
form.addEventListener('submit', submit)
form.querySelector('[data-installments]')?.addEventListener('click', foldInstallments)
addEventListener('pointerdown', () => setPointing(true), true)
addEventListener('click', () => setPointing(false), true)
addEventListener('keydown', () => setPointing(false), true)
summary.addEventListener('click', followLink)
// Kept in memory, a form that was sent is spent; the server's answer is the current one.
addEventListener('pageshow', (event) => event.persisted && sent && location.reload())
const refusal = /** @type {HTMLElement | null} */ (document.querySelector('.notice[autofocus]'))
if (refusal) refusal.focus()
else if (!summary.hidden) summary.focus()
else form.addEventListener('input', tellBegun, { once: true })
for (const link of document.querySelectorAll('.languages a'))
  link.addEventListener('click', keepTyped)
// Where its page was the answer to a form, who goes back to it gets the link's own, with where they came from.
const address = new URL(form.action.replace(/\/payments$/, ''))
for (const { name, value } of /** @type {NodeListOf<HTMLInputElement>} */ (
  form.querySelectorAll('[data-origin]')
))
  address.searchParams.set(name, value)
if (address.pathname !== location.pathname) history.replaceState(null, '', address)
showChoice()
// A refused card leads here to choose another number of installments.
if (location.hash === '#installments') openInstallments(true)

/**
 * What was typed goes along into the other language; a card's fields have no name, and stay behind.
 * @param {Event} event
 */
function keepTyped(event) {
  const { searchParams } = new URL(/** @type {HTMLAnchorElement} */ (event.currentTarget).href)
  event.preventDefault()
  sent = true
  form.action = String(new URL(`language?lang=${searchParams.get('lang')}`, form.action))
  HTMLFormElement.prototype.submit.call(form)
}

/** That somebody fills in this form, not who. */
function tellBegun() {
  navigator.sendBeacon(new URL('begun', form.action))
}

/** What the company asks besides, by rules that the fields themselves have. */
function findAnswers() {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (
    form.querySelectorAll('[data-when-invalid]')
  )
  /** @type {[string, InputRules][]} */
  const rules = [...fields].map((field) => [
    field.id,
    {
      check: () => {
        const { whenEmpty = null, whenInvalid = null } = field.dataset
        if (!field.validity.badInput && field.value.trim() === '') return whenEmpty
        return !field.validity.valid && whenInvalid
      },
    },
  ])
  return Object.fromEntries(rules)
}

/** @param {string} id */
function findInput(id) {
  return /** @type {HTMLInputElement | null} */ (document.getElementById(id))
}

/**
 * @param {HTMLInputElement | null} input
 * @param {InputRules} rules
 */
function prepare(input, { format, clean, check, suggest }) {
  if (!input) return
  if (suggest) input.addEventListener('input', () => showSuggestion(input, ''))
  if (format) {
    input.addEventListener('input', (event) => {
      const { isComposing, inputType } = /** @type {InputEvent} */ (event)
      // A keyboard that composes a word holds on to it: what is changed under it is written twice.
      if (!isComposing) reformat(input, format, !inputType?.startsWith('delete'))
    })
    input.addEventListener('compositionend', () => reformat(input, format, true))
    if (input.value) input.value = format(input.value, false)
  }
  const recheck = () => {
    tidy(input, { format, clean })
    if (suggest) showSuggestion(input, suggest(input.value))
    if (input.value || input.hasAttribute('aria-invalid')) showProblem(input, check(input.value))
  }
  // A message that appears before the click lands would move the clicked button away.
  input.addEventListener('blur', () => {
    if (pointing) addEventListener('click', recheck, { once: true })
    else recheck()
  })
}

/**
 * @param {HTMLInputElement} input
 * @param {Pick<InputRules, 'format' | 'clean'>} rules
 */
function tidy(input, { format = (text) => text, clean = (text) => text }) {
  const seen = input.value.replace(UNSEEN, '').replace(/\p{Cc}/gu, ' ')
  const text = format(clean(seen.replace(NOTHING, '')), false)
  if (text !== input.value) input.value = text
}

/** @param {boolean} value */
function setPointing(value) {
  pointing = value
}

/**
 * Writes the formatted text and leaves the caret behind the same character as before.
 * @param {HTMLInputElement} input
 * @param {NonNullable<InputRules['format']>} format
 * @param {boolean} inserting
 */
function reformat(input, format, inserting) {
  const atEnd = input.selectionStart === input.value.length
  const before = plain(input.value.slice(0, input.selectionStart ?? 0)).length
  const text = format(input.value, inserting)
  if (text === input.value) return
  input.value = text
  let caret = 0
  for (let seen = 0; seen < before && caret < text.length; caret++) {
    if (/[0-9A-Za-z]/.test(text.charAt(caret))) seen++
  }
  if (atEnd) caret = text.length
  input.setSelectionRange(caret, caret)
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault()
  if (busy) return
  const problems = findProblems()
  if (problems.length > 0) {
    showProblems(problems)
    return
  }
  setBusy(true)
  // The browser's own page would take the place of the form, and all that was typed.
  if (await isOffline()) {
    setBusy(false)
    showSummary(texts.offline)
    return
  }
  try {
    if (paysByCard()) await fillCard()
    sent = true
    form.submit()
    // A browser does not say that its payer stopped it; sent again, the form is the same attempt.
    setTimeout(setBusy, SUBMIT_PATIENCE_MS, false)
  } catch (thrown) {
    setBusy(false)
    const error = /** @type {Error & { field?: CardPart }} */ (thrown)
    const known = document.getElementById(`card-${error.field}`)
    showProblems([
      { id: known?.id ?? 'card-number', message: known ? error.message : texts.unreadableCard },
    ])
  }
}

/** A browser that says so may be wrong: whether anybody answers is tried. */
async function isOffline() {
  if (navigator.onLine) return false
  try {
    await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store', signal: limitPatience() })
    return false
  } catch {
    return true
  }
}

function limitPatience() {
  const patience = new AbortController()
  setTimeout(() => patience.abort(), SUBMIT_PATIENCE_MS)
  return patience.signal
}

async function fillCard() {
  const { cardToken } = form.elements
  // It is entered at the provider's own page.
  if (!cardToken) return
  if (!globalThis.vintemCard) throw new Error('no card script is loaded')
  const typed = (/** @type {CardPart} */ part) => findInput(`card-${part}`)?.value ?? ''
  const holder = typed('holder')
  const tokenised = globalThis.vintemCard.tokenise({
    number: typed('number'),
    holder,
    expiry: typed('expiry'),
    code: typed('code'),
  })
  // Nothing is charged yet: without an answer the payer may try again or pay by Pix.
  const { token, brand, last4, deviceId, authentication } = await Promise.race([
    tokenised,
    losePatience(),
  ])
  cardToken.value = token
  form.elements.cardBrand.value = brand
  form.elements.cardLast4.value = last4
  form.elements.cardHolder.value = holder.trim()
  if (form.elements.deviceId) form.elements.deviceId.value = deviceId ?? ''
  if (form.elements.cardAuthentication)
    form.elements.cardAuthentication.value = authentication ?? ''
}

/** @returns {Promise<never>} */
function losePatience() {
  return new Promise((_, fail) => setTimeout(fail, SUBMIT_PATIENCE_MS, new Error('no answer')))
}

function paysByCard() {
  return form.elements.method.value === 'credit_card'
}

/** Whether the payer has no CPF, and pays by card with a document of another country. */
function isForeign() {
  return paysByCard() && findInput('noTaxId')?.checked === true
}

/** Where it may be left empty, a card may still not be charged without one. */
function needsEmail() {
  const input = findInput('email')
  return input?.required || (paysByCard() && input?.dataset.forCards !== undefined)
}

/** @param {boolean} value */
function setBusy(value) {
  busy = value
  const button = /** @type {HTMLElement} */ (form.querySelector('.button-pay'))
  const live = /** @type {HTMLElement} */ (document.querySelector('#live'))
  setAttribute(button, 'aria-disabled', value && 'true')
  showLabel()
  live.textContent = value ? (button.querySelector('.when-busy')?.textContent ?? '') : ''
}

/** Of what the button may say what is so. */
function showLabel() {
  const kind = busy ? 'busy' : paysByCard() ? 'card' : 'pix'
  const labels = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('.button-pay span'))
  for (const label of labels) label.hidden = !label.matches(`.when-${kind}`)
}

function findProblems() {
  return Object.entries(inputs).flatMap(([id, rules]) => {
    const input = findInput(id)
    if (!input || (!paysByCard() && input.closest('#card'))) return []
    tidy(input, rules)
    const message = rules.check(input.value)
    showProblem(input, message)
    return message ? [{ id, message }] : []
  })
}

/**
 * The summary on top says what is wrong, as each field does.
 * @param {{ id: string, message: string }[]} problems
 */
function showProblems(problems) {
  const items = problems.map(({ id, message }) => {
    const link = Object.assign(document.createElement('a'), {
      href: `#${id}`,
      textContent: message,
    })
    const item = document.createElement('li')
    item.append(link)
    showProblem(findInput(id), message)
    return item
  })
  const { one, many } = texts.tooMany
  showSummary(items.length === 1 ? one : many.replace('$', String(items.length)), items)
}

/**
 * @param {string} text
 * @param {HTMLElement[]} items
 */
function showSummary(text, items = []) {
  const heading = /** @type {HTMLElement} */ (summary.querySelector('h2'))
  heading.textContent = text
  summary.querySelector('ul')?.replaceChildren(...items)
  summary.hidden = false
  document.title = texts.error + pageTitle
  summary.focus()
}

/**
 * @param {HTMLElement | null} input
 * @param {string | null | false} message
 */
function showProblem(input, message) {
  if (!input) return
  const id = `${input.id}-error`
  document.getElementById(id)?.remove()
  if (message) {
    const error = Object.assign(document.createElement('p'), { id, className: 'field-error' })
    const prefix = Object.assign(document.createElement('span'), {
      className: 'visually-hidden',
      textContent: texts.error,
    })
    error.append(prefix, message)
    input.before(error)
  }
  setAttribute(input, 'aria-invalid', message && 'true')
  const described = [`${input.id}-hint`, id].filter((part) => document.getElementById(part))
  setAttribute(input, 'aria-describedby', described.join(' '))
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string | null | false} value
 */
function setAttribute(element, name, value) {
  if (value) element.setAttribute(name, value)
  else element.removeAttribute(name)
}

/** @param {Event} event */
function followLink(event) {
  const { hash = '' } = /** @type {HTMLAnchorElement} */ (event.target)
  const named = document.getElementById(hash.slice(1))
  const inside = named?.matches('fieldset') && named.querySelector('input:checked, [id]:not(p)')
  const target = /** @type {HTMLElement | null} */ (inside || named)
  if (!target) return
  event.preventDefault()
  target.focus({ preventScroll: true })
  target.closest('.field, fieldset')?.scrollIntoView({ block: 'center' })
}

/** What is paid by: the price on top, the button and the note say what the payer chose. */
function showChoice() {
  form.dataset.method = form.elements.method.value
  showLabel()
  const chosen = /** @type {HTMLInputElement | null} */ (
    form.querySelector('[name="installments"]:checked')
  )
  if (!chosen) return
  const price = /** @type {HTMLElement} */ (document.querySelector('#price'))
  const total = /** @type {HTMLElement} */ (document.querySelector('#price-total'))
  const row = chosen.closest('.installment')
  const read = (/** @type {string} */ part) => row?.querySelector(part)?.textContent ?? ''
  const inParts = paysByCard() && chosen.value !== '1'
  price.textContent = inParts ? read('.part') : (price.dataset[paysByCard() ? 'card' : 'pix'] ?? '')
  total.textContent = read('.total')
  const line = /** @type {HTMLElement} */ (total.parentElement)
  line.hidden = !inParts
  const { note = '', button = '' } = chosen.dataset
  for (const [id, text] of Object.entries({ 'installments-note': note, 'card-button': button })) {
    const place = /** @type {HTMLElement} */ (document.getElementById(id))
    place.textContent = text
  }
}

/**
 * Chosen by a pointer, a row takes the place of all; with the keyboard one goes on from row to row.
 * @param {Event} event
 */
function foldInstallments(event) {
  const { detail, target } = /** @type {MouseEvent} */ (event)
  if (detail === 0) return
  const row = /** @type {Element} */ (target).closest('label')
  openInstallments(false)
  row?.scrollIntoView({ block: 'nearest' })
}

/** @param {boolean} open */
function openInstallments(open) {
  form.querySelector('.fold')?.toggleAttribute('open', open)
}

/** A document is digits to nearly all; the rest have letters one tap away. */
function prepareLetters() {
  const input = findInput('taxId')
  const button = /** @type {HTMLElement | null} */ (form.querySelector('[data-letters]'))
  if (!input || !button) return
  const turn = (/** @type {boolean} */ letters) => {
    input.inputMode = letters ? 'text' : 'numeric'
    button.textContent = letters ? texts.digits : texts.letters
  }
  const noTaxId = findInput('noTaxId')
  turn(noTaxId?.checked || /[a-z]/i.test(input.value))
  noTaxId?.addEventListener('change', () => {
    turn(noTaxId.checked)
    // Without the points of a CPF or CNPJ.
    if (noTaxId.checked) input.value = input.value.replace(/[./-]/g, '')
    showProblem(input, null)
  })
  button.hidden = false
  button.classList.remove('needs-script')
  button.addEventListener('click', () => {
    turn(input.inputMode === 'numeric')
    input.focus()
  })
}

/**
 * @param {HTMLInputElement} input
 * @param {string} meant empty for no suggestion
 */
function showSuggestion(input, meant) {
  const id = `${input.id}-suggestion`
  document.getElementById(id)?.remove()
  if (!meant) return
  const hint = Object.assign(document.createElement('p'), {
    id,
    className: 'hint',
  })
  const take = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'link-button',
    textContent: meant,
  })
  take.addEventListener('click', () => {
    input.value = meant
    showSuggestion(input, '')
    showProblem(input, null)
    input.focus()
  })
  const { before, after } = texts.suggestion
  hint.append(before, take, after)
  input.after(hint)
  const live = /** @type {HTMLElement} */ (document.querySelector('#live'))
  live.textContent = hint.textContent
}

/** @param {string} text */
function plain(text) {
  return text.replace(/[^0-9A-Za-z]/g, '')
}

/** @param {string} typed */
function formatTaxId(typed) {
  // Before what is no digit goes: of another width they are digits, too.
  const text = typed.normalize('NFKC')
  const words = text.split(/[\s:]+/).filter((word) => /\d/.test(word))
  const shown = words.length > 0 ? words.join('') : text
  const all = readTaxId(text) ?? plain(shown).toUpperCase()
  // Longer than a CNPJ: perhaps a document of another country, which is not cut off.
  if (all.length > 14) return typed
  return /^\d{0,11}$/.test(all)
    ? punctuate(all, { 3: '.', 6: '.', 9: '-' })
    : punctuate(all, { 2: '.', 5: '.', 8: '/', 12: '-' })
}

/** @param {string} typed */
function formatPhone(typed) {
  const text = typed
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .trimStart()
    .replace(/^tel:\s*/i, '')
  // Of another country, or said in full. What is too long is one that was said without its plus.
  if (text.startsWith('+')) return text
  const digits = text.replace(/\D/g, '').replace(/^(55|0)(?=\d{10,11}$)/, '')
  if (digits.length < 3 || digits.length > 11) return digits
  const middle = digits.length > 10 ? 7 : 6
  return punctuate(digits, { 0: '(', 2: ') ', [middle]: '-' })
}

/**
 * @param {string} text
 * @param {Record<number, string>} marks
 */
function punctuate(text, marks) {
  return Array.from(text, (character, index) => (marks[index] ?? '') + character).join('')
}
