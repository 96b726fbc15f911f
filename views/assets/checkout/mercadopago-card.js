// Card entry of Mercado Pago: its own frames take number, expiry and code, so that this page and its
// server never see them. The seam is described in sandbox-card.js.

const SDK = 'https://sdk.mercadopago.com/js/v2'
/** Gives the payer's device a name, by which its owner's purchases are told from a thief's. */
const DEVICE_ID = 'https://www.mercadopago.com/v2/security.js'
const LOADS_WITHIN_MS = 15_000
/** @type {Record<string, string>} */
const BRANDS = { master: 'mastercard' }
/** @type {(keyof typeof FIELDS)[]} */
const PARTS = ['number', 'expiry', 'code']

const form = /** @type {PayForm} */ (document.querySelector('#pay'))
const entry = /** @type {HTMLElement} */ (document.querySelector('[data-card-entry]'))
/** @type {CheckoutTexts['card']} */
const texts = JSON.parse(entry.dataset.texts ?? '')
const { labels } = texts
/** @type {Record<'number' | 'expiry' | 'code', [type: string, label: string, options: object]>} */
const FIELDS = {
  number: ['cardNumber', labels.number, { enableLuhnValidation: true }],
  expiry: ['expirationDate', labels.expiry, { mode: 'short', placeholder: labels.expiryFormat }],
  code: ['securityCode', labels.code, {}],
}
const failure = /** @type {HTMLElement} */ (entry.querySelector('[data-card-failure]'))
const rows = /** @type {HTMLElement | null} */ (form.querySelector('[data-installments]'))
const usual = /** @type {HTMLElement | undefined} */ (rows?.children[0]?.cloneNode(true))
const hint = /** @type {HTMLElement} */ (form.querySelector('[data-quotes-hint]'))
const wanted = document.getElementById('installments')?.dataset.wanted
/** @type {Promise<void> | undefined} */
let opening
/** @type {MercadoPagoSdk | undefined} */
let sdk
/** @type {Record<keyof typeof FIELDS, SecureField> | undefined} */
let fields
/** @type {{ bin: string | null, brand: string | null | undefined }} */
let card = { bin: null, brand: null }

globalThis.vintemCard = { inputs: { 'card-holder': { check: checkHolder } }, tokenise }

for (const radio of form.querySelectorAll('[name="method"]')) {
  radio.addEventListener('change', openWhenChosen)
}
failure.querySelector('button')?.addEventListener('click', openAgain)
openWhenChosen()

/** Mercado Pago's script is loaded only for payers by card. */
function openWhenChosen() {
  if (form.elements.method.value !== 'credit_card' || opening) return
  opening = open().catch(() => {
    opening = undefined
    fields = undefined
    failure.hidden = false
  })
}

/** With all that was typed: to load the page anew would send a refused form once more. */
function openAgain() {
  failure.hidden = true
  document.getElementById('card-number')?.focus()
  openWhenChosen()
}

async function open() {
  loadDeviceId()
  await load()
  // The device's name comes from its own script; tracking would run code that this page's policy forbids.
  const options = {
    locale: texts.framesLocale,
    advancedFraudPrevention: false,
    trackingDisabled: true,
  }
  if (!globalThis.MercadoPago) throw new Error('Mercado Pago did not load')
  const opened = new globalThis.MercadoPago(entry.dataset.publicKey ?? '', options)
  sdk = opened
  fields = {
    number: mount(opened, 'number'),
    expiry: mount(opened, 'expiry'),
    code: mount(opened, 'code'),
  }
  fields.number.on('binChange', ({ bin }) => void meet(bin))
  failure.hidden = true
}

/** Nothing waits for it: a card is paid without it too. */
function loadDeviceId() {
  if (document.querySelector(`script[src="${DEVICE_ID}"]`)) return
  const script = Object.assign(document.createElement('script'), { src: DEVICE_ID, async: true })
  script.setAttribute('view', 'checkout')
  document.head.append(script)
}

function load() {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: SDK, onload: resolve })
    const fail = () => {
      script.remove()
      reject(new Error('Mercado Pago did not load'))
    }
    script.onerror = fail
    setTimeout(() => !globalThis.MercadoPago && fail(), LOADS_WITHIN_MS)
    document.head.append(script)
  })
}

/**
 * @param {MercadoPagoSdk} opened
 * @param {keyof typeof FIELDS} part
 */
function mount(opened, part) {
  const [type, label, options] = FIELDS[part]
  const place = /** @type {HTMLElement} */ (document.getElementById(`card-${part}`))
  const { color, fontFamily } = getComputedStyle(place)
  const style = { color, fontFamily, fontSize: '16px', height: '46px', width: '100%' }
  const field = opened.fields.create(type, {
    ...options,
    style,
    srLabel: label,
    ariaRequired: true,
  })
  field.mount(place.id)
  field.on('ready', () => {
    const frame = /** @type {HTMLIFrameElement} */ (place.querySelector('iframe'))
    frame.title = label
  })
  field.on('focus', () => place.classList.add('is-focused'))
  field.on('blur', () => place.classList.remove('is-focused'))
  place.addEventListener('focus', () => field.focus?.())
  place.previousElementSibling?.addEventListener('click', () => field.focus?.())
  return field
}

/**
 * The first digits of another card: its rules, its brand, its installments.
 * @param {string | null} bin
 */
async function meet(bin) {
  card = { bin, brand: null }
  showUsual()
  if (!bin) return
  const [method] = await methodsOf(bin)
  if (card.bin !== bin) return
  card.brand = method && (BRANDS[method.id] ?? method.id)
  const { card_number: number, security_code: code } = [method?.settings].flat()[0] ?? {}
  if (number) fields?.number.update({ settings: number })
  if (code) fields?.code.update({ settings: code })
  if (card.brand && entry.dataset.quotes) await showQuotes(bin)
}

/** @param {string} bin */
async function methodsOf(bin) {
  try {
    const known = await sdk?.getPaymentMethods({ bin })
    return (known?.results ?? []).filter(({ payment_type_id: type }) => type === 'credit_card')
  } catch {
    return []
  }
}

/** One installment, until this card's are known. */
function showUsual() {
  if (!usual) return
  show([usual.cloneNode(true)])
  form.elements.cardBin.value = ''
  form.elements.cardQuote.value = ''
  hint.hidden = false
}

/** @param {string} bin */
async function showQuotes(bin) {
  try {
    const body = new URLSearchParams({ bin })
    const response = await fetch(entry.dataset.quotes ?? '', { method: 'POST', body })
    if (!response.ok) return
    const { quote, options } = await response.json()
    if (card.bin !== bin) return
    show(options.map(rowOf))
    form.elements.cardBin.value = bin
    form.elements.cardQuote.value = quote
    hint.hidden = true
  } catch {
    // One installment stays.
  }
}

/** @param {{ count: number, note: string | null, button: string } & Record<string, string | null>} quoted */
function rowOf({ count, note, button, ...said }) {
  const row = /** @type {HTMLElement} */ (usual?.cloneNode(true))
  const input = /** @type {HTMLInputElement} */ (row.querySelector('input'))
  for (const [part, text] of Object.entries(said)) {
    const place = row.querySelector(`.${part}`)
    if (place) place.textContent = text
  }
  input.value = String(count)
  input.checked = String(count) === wanted || count === 1
  Object.assign(input.dataset, { note: note ?? '', button })
  return row
}

/** @param {Node[]} shown */
function show(shown) {
  rows?.replaceChildren(...shown)
  rows?.dispatchEvent(new Event('change', { bubbles: true }))
}

/** @param {{ holder: string }} card */
async function tokenise({ holder }) {
  openWhenChosen()
  await opening
  if (!sdk || !fields) throw problem('number', texts.closed)
  if (checkHolder(holder)) throw problem('holder', texts.holder)
  const taxId = form.elements.taxId.value.replace(/[^0-9A-Za-z]/g, '').toUpperCase()
  const asked = card.bin
  const token = await sdk.fields
    .createCardToken({
      cardholderName: holder.trim(),
      identificationType: taxId.length === 11 ? 'CPF' : 'CNPJ',
      identificationNumber: taxId,
    })
    .catch((error) => {
      throw problemOf(error)
    })
  const brand = card.brand ?? (await brandOf(asked ?? token.first_six_digits))
  if (!brand) throw problem('number', texts.credit)
  const deviceId = globalThis.MP_DEVICE_SESSION_ID
  return { token: token.id, brand, last4: token.last_four_digits, deviceId }
}

/** @param {string} bin */
async function brandOf(bin) {
  const [method] = await methodsOf(bin)
  return method && (BRANDS[method.id] ?? method.id)
}

/**
 * Mercado Pago names its own fields, one problem or several.
 * @param {any} error
 */
function problemOf(error) {
  const told = JSON.stringify(Array.isArray(error) ? error : [error, error?.cause, error?.message])
  const part = PARTS.find((one) => told.includes(FIELDS[one][0]))
  const known = part ?? (/expiration(Month|Year)/.test(told) ? 'expiry' : undefined)
  return known ? problem(known, texts[known]) : error
}

/**
 * @param {CardPart} field
 * @param {string} message
 */
function problem(field, message) {
  return Object.assign(new Error(message), { field })
}

/** @param {string} text */
function checkHolder(text) {
  return text.trim().length >= 2 ? null : texts.holder
}
