// Card entry of Mercado Pago: its own frames take number, expiry and code, so that this page and its
// server never see them. The seam is described in sandbox-card.js.

const SDK = 'https://sdk.mercadopago.com/js/v2'
const LOADS_WITHIN_MS = 15_000
const MESSAGES = {
  number: 'Confira o número do cartão.',
  holder: 'Informe o nome como está no cartão.',
  expiry: 'Informe a validade como está no cartão, por exemplo 09 / 30.',
  code: 'Informe o código de segurança do cartão.',
  credit: 'Este cartão não é aceito. Use um cartão de crédito.',
  closed: 'Os campos do cartão não abriram. Recarregue a página.',
}
const BRANDS = { master: 'mastercard' }
const FIELDS = {
  number: ['cardNumber', 'Número do cartão', { enableLuhnValidation: true }],
  expiry: ['expirationDate', 'Validade', { mode: 'short', placeholder: 'MM / AA' }],
  code: ['securityCode', 'Código de segurança', {}],
}

const form = document.querySelector('#pay')
const entry = document.querySelector('[data-card-entry]')
const select = form.elements.installments
const usual = select.options && [...select.options].map((option) => option.cloneNode(true))
const hint = form.querySelector('[data-quotes-hint]')
const wanted = select.dataset.wanted
let opening
let sdk
let fields
let card = { bin: null, brand: null }

globalThis.vintemCard = { inputs: { 'card-holder': { check: checkHolder } }, tokenise }

for (const radio of form.querySelectorAll('[name="method"]')) {
  radio.addEventListener('change', openWhenChosen)
}
openWhenChosen()

/** Nobody but who pays by card meets Mercado Pago's script. */
function openWhenChosen() {
  if (form.elements.method.value !== 'credit_card' || opening) return
  opening = open().catch(() => {
    opening = undefined
    fields = undefined
    entry.querySelector('[data-card-failure]').hidden = false
  })
}

async function open() {
  await load()
  // Fraud prevention and tracking would run scripts that this page lets nobody run.
  const options = { locale: 'pt-BR', advancedFraudPrevention: false, trackingDisabled: true }
  sdk = new globalThis.MercadoPago(entry.dataset.publicKey, options)
  const mounted = Object.entries(FIELDS).map(([part, field]) => [part, mount(part, ...field)])
  fields = Object.fromEntries(mounted)
  fields.number.on('binChange', ({ bin }) => void meet(bin))
  entry.querySelector('[data-card-failure]').hidden = true
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

function mount(part, type, label, options) {
  const place = document.getElementById(`card-${part}`)
  const { color, fontFamily } = getComputedStyle(place)
  const style = { color, fontFamily, fontSize: '16px', height: '46px', width: '100%' }
  const field = sdk.fields.create(type, { ...options, style, srLabel: label, ariaRequired: true })
  field.mount(place.id)
  field.on('ready', () => {
    place.querySelector('iframe').title = label
  })
  field.on('focus', () => place.classList.add('is-focused'))
  field.on('blur', () => place.classList.remove('is-focused'))
  place.addEventListener('focus', () => field.focus?.())
  place.previousElementSibling?.addEventListener('click', () => field.focus?.())
  return field
}

/** The first digits of another card: its rules, its brand, its installments. */
async function meet(bin) {
  card = { bin, brand: null }
  showUsual()
  if (!bin) return
  const [method] = await methodsOf(bin)
  if (card.bin !== bin) return
  card.brand = method && (BRANDS[method.id] ?? method.id)
  const { card_number: number, security_code: code } = [method?.settings].flat()[0] ?? {}
  if (number) fields.number.update({ settings: number })
  if (code) fields.code.update({ settings: code })
  if (card.brand && entry.dataset.quotes) await showQuotes(bin)
}

async function methodsOf(bin) {
  try {
    const { results } = await sdk.getPaymentMethods({ bin })
    return results.filter(({ payment_type_id: type }) => type === 'credit_card')
  } catch {
    return []
  }
}

/** One installment, until this card's are known. */
function showUsual() {
  if (!usual) return
  show(usual.map((option) => option.cloneNode(true)))
  form.elements.cardBin.value = ''
  form.elements.cardQuote.value = ''
  hint.hidden = false
}

async function showQuotes(bin) {
  try {
    const body = new URLSearchParams({ bin })
    const response = await fetch(entry.dataset.quotes, { method: 'POST', body })
    if (!response.ok) return
    const { quote, options } = await response.json()
    if (card.bin !== bin) return
    show(options.map(optionOf))
    form.elements.cardBin.value = bin
    form.elements.cardQuote.value = quote
    hint.hidden = true
  } catch {
    // One installment stays.
  }
}

function optionOf({ count, text, note, button }) {
  const option = new Option(text, count)
  option.dataset.note = note ?? ''
  option.dataset.button = button
  option.defaultSelected = String(count) === wanted
  return option
}

function show(options) {
  select.replaceChildren(...options)
  select.dispatchEvent(new Event('change'))
}

async function tokenise({ holder }) {
  await opening
  if (!fields) throw problem('number', MESSAGES.closed)
  if (checkHolder(holder)) throw problem('holder', MESSAGES.holder)
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
  if (!brand) throw problem('number', MESSAGES.credit)
  return { token: token.id, brand, last4: token.last_four_digits }
}

async function brandOf(bin) {
  const [method] = await methodsOf(bin)
  return method && (BRANDS[method.id] ?? method.id)
}

/** Mercado Pago names its own fields, one problem or several. */
function problemOf(error) {
  const told = JSON.stringify(Array.isArray(error) ? error : [error, error?.cause, error?.message])
  const [part] = Object.entries(FIELDS).find(([, [type]]) => told?.includes(type)) ?? []
  const aside = /expiration(Month|Year)/.test(told) ? 'expiry' : undefined
  const known = part ?? aside
  return known ? problem(known, MESSAGES[known]) : error
}

function problem(field, message) {
  return Object.assign(new Error(message), { field })
}

function checkHolder(text) {
  return text.trim().length >= 2 ? null : MESSAGES.holder
}
