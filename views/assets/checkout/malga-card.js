// Card entry of Malga: its own frames take number, name, expiry and code. A card's token is enough for a charge; before it
// is sent, 3-D Secure begins, and the bank is told of the payer's browser. The seam is described in sandbox-card.js.

import { readState, readZipCode } from '../../../src/address-rules.js'
import { MalgaTokenization } from '../vendor/malga-tokenization-2.3.0.js'

const ANSWERS_WITHIN_MS = 9_000
/** A bank judges by less where the device was not collected by then. */
const COLLECTS_WITHIN_MS = 4_000
/** Where Malga's script keeps what its frames hand it. A card that is refused is put right with the rest of it. */
const KEPT = 'malga-card'
/** @type {Record<string, string>} */
const BRANDS = { 'american-express': 'amex', american_express: 'amex', master: 'mastercard' }

const form = /** @type {PayForm} */ (document.querySelector('#pay'))
const entry = /** @type {HTMLElement} */ (document.querySelector('[data-card-entry]'))
/** @type {CheckoutTexts['card']} */
const texts = JSON.parse(entry.dataset.texts ?? '')
const { labels } = texts
const failure = /** @type {HTMLElement} */ (entry.querySelector('[data-card-failure]'))
const holder = /** @type {HTMLInputElement | null} */ (document.getElementById('card-holder'))
/** By our names: Malga's, of its fields and of their places. */
const FIELDS = /** @type {const} */ ({
  number: ['cardNumber', 'card-number', labels.number],
  holder: ['cardHolderName', 'card-holder-name', holder?.labels?.[0]?.textContent ?? ''],
  expiry: ['cardExpirationDate', 'card-expiration-date', labels.expiry],
  code: ['cardCvv', 'card-cvv', labels.code],
})
const PARTS = /** @type {CardPart[]} */ (Object.keys(FIELDS))

/** @type {Promise<void> | undefined} */
let opening
/** @type {MalgaTokenization | undefined} */
let malga
const configuration = { apiKey: '-', clientId: entry.dataset.publicKey ?? '' }
/** @type {string | undefined} */
let brand

globalThis.vintemCard = {
  inputs: {
    zipCode: {
      format: formatZipCode,
      check: (text) => !readZipCode(text) && sentenceOf('zipCode'),
    },
    state: { check: (text) => !readState(text) && sentenceOf('state') },
  },
  tokenise,
}

for (const radio of form.querySelectorAll('[name="method"]')) {
  radio.addEventListener('change', openWhenChosen)
}
failure.querySelector('button')?.addEventListener('click', openAgain)
openWhenChosen()
// Sent, or left alone: nothing of a card stays in the tab.
addEventListener('pagehide', () => sessionStorage.removeItem(KEPT))

/** Malga's frames are loaded only for payers by card. */
function openWhenChosen() {
  if (form.elements.method.value !== 'credit_card' || opening) return
  opening = open().catch(() => {
    opening = undefined
    failure.hidden = false
  })
}

function openAgain() {
  failure.hidden = true
  openWhenChosen()
}

async function open() {
  const { key, isTest } = await ask({})
  configuration.apiKey = key
  holder?.replaceWith(
    Object.assign(document.createElement('div'), { id: 'card-holder', className: 'secure-field' }),
  )
  for (const part of PARTS) preparePlace(part)
  const style = getComputedStyle(
    /** @type {HTMLElement} */ (document.getElementById('card-number')),
  )
  const input = {
    color: style.color,
    'font-family': style.fontFamily,
    'font-size': '16px',
    height: '46px',
  }
  const fields = Object.fromEntries(
    PARTS.map((part) => {
      const [name, container] = FIELDS[part]
      const placeholder = part === 'expiry' ? labels.expiryFormat : ''
      return [name, { container, placeholder, needMask: true, defaultValidation: true }]
    }),
  )
  const config = /** @type {any} */ ({ fields, styles: { input }, preventAutofill: false })
  malga = new MalgaTokenization(
    Object.assign(configuration, { options: { sandbox: isTest, config } }),
  )
  malga.on('cardTypeChanged', ({ card }) => {
    brand = card && (BRANDS[card.type] ?? card.type)
  })
  for (const part of PARTS) nameFrame(part)
}

/**
 * Malga finds its places by names of its own.
 * @param {CardPart} part
 */
function preparePlace(part) {
  const [, container] = FIELDS[part]
  const place = document.getElementById(`card-${part}`)
  if (!place || place.id === container) return
  const inner = Object.assign(document.createElement('div'), { id: container })
  inner.style.height = '100%'
  place.replaceChildren(inner)
}

/** @param {CardPart} part */
function nameFrame(part) {
  const frame = document.querySelector(`#card-${part} iframe`)
  const place = document.getElementById(`card-${part}`)
  frame?.setAttribute('title', FIELDS[part][2].trim())
  place?.addEventListener('focus', () => /** @type {HTMLElement | null} */ (frame)?.focus())
  malga?.on('focus', ({ field }) => field === FIELDS[part][1] && place?.classList.add('is-focused'))
  malga?.on(
    'blur',
    ({ field }) => field === FIELDS[part][1] && place?.classList.remove('is-focused'),
  )
}

async function tokenise() {
  openWhenChosen()
  await opening
  if (!malga) throw problem('number', texts.closed)
  // A key is good for some minutes, and payers take longer.
  configuration.apiKey = (await ask({})).key
  const told = await Promise.race([malga.tokenize(), losePatience(ANSWERS_WITHIN_MS)])
  if (!told?.tokenId) throw problemOf(told?.error)
  const { setupId, collection } = await ask({ token: told.tokenId })
  if (collection) await collect(collection)
  const { language, userAgent } = navigator
  const { colorDepth, height: screenHeight, width: screenWidth } = screen
  const timeZoneOffset = new Date().getTimezoneOffset()
  const display = { colorDepth, screenHeight, screenWidth, timeZoneOffset }
  return {
    token: told.tokenId,
    brand: brand && /^[a-z]{2,20}$/.test(brand) ? brand : 'card',
    last4: '',
    authentication: JSON.stringify({ setupId, language, userAgent, ...display }),
  }
}

/**
 * @param {{ token?: string }} body
 * @returns {Promise<any>}
 */
async function ask(body) {
  const response = await fetch(entry.dataset.session ?? '', {
    method: 'POST',
    body: new URLSearchParams(body),
  })
  if (!response.ok) throw problem('number', texts.closed)
  return response.json()
}

/**
 * Posts the bank's token from a hidden frame, which says when it is done.
 * @param {{ url: string, token: string }} collection
 */
async function collect({ url, token }) {
  const frame = Object.assign(document.createElement('iframe'), {
    name: 'collection',
    hidden: true,
  })
  const post = Object.assign(document.createElement('form'), {
    ...{ method: 'post', action: url, target: 'collection', hidden: true },
  })
  post.append(Object.assign(document.createElement('input'), { name: 'JWT', value: token }))
  document.body.append(frame, post)
  const { origin } = new URL(url)
  const done = new Promise((resolve) => {
    addEventListener('message', (event) => event.origin === origin && resolve(undefined))
  })
  post.submit()
  await Promise.race([done, losePatience(COLLECTS_WITHIN_MS)])
  frame.remove()
  post.remove()
}

/**
 * @param {number} ms
 * @returns {Promise<undefined>}
 */
function losePatience(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * Malga names its own fields, one problem or several.
 * @param {unknown} error
 */
function problemOf(error) {
  const told = JSON.stringify(error) ?? ''
  const part = PARTS.find((one) => told.includes(FIELDS[one][0]) || told.includes(FIELDS[one][1]))
  return part ? problem(part, texts[part]) : problem('number', error ? texts.number : texts.closed)
}

/**
 * @param {CardPart} field
 * @param {string} message
 */
function problem(field, message) {
  return Object.assign(new Error(message), { field })
}

/** @param {string} text */
function formatZipCode(text) {
  const digits = readZipCode(text)
  return digits ? `${digits.slice(0, 5)}-${digits.slice(5)}` : text
}

/** @param {string} id */
function sentenceOf(id) {
  return document.getElementById(id)?.dataset.whenInvalid ?? null
}
