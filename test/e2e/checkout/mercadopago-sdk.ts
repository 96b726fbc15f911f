// Mercado Pago's script as far as the checkout uses it, with frames of another origin that really hold
// what is typed, and its bank's pages, answered by our own fake.
import type { BrowserContext } from 'playwright-core'

const SDK = `(() => {
  const frames = {}
  const hear = {}
  addEventListener('message', ({ origin, data }) => {
    if (origin === 'https://secure-fields.mercadopago.com') hear[data.field + ' ' + data.event]?.(data)
  })
  class Field {
    constructor(type, options) {
      this.type = type
      this.options = options
    }
    mount(id) {
      const frame = document.createElement('iframe')
      frame.src = 'https://secure-fields.mercadopago.com/' + this.type
      frames[this.type] = frame
      document.getElementById(id).append(frame)
      return this
    }
    on(event, call) {
      hear[this.type + ' ' + event] = call
      return this
    }
    update() {}
    focus() {
      frames[this.type].focus()
    }
  }
  globalThis.MercadoPago = class {
    fields = {
      create: (type, options) => new Field(type, options),
      createCardToken: (holder) => new Promise((answer, refuse) => {
        hear['cardNumber token'] = ({ card, problem }) => {
          if (problem) refuse([{ field: 'cardNumber', message: problem, cause: 'invalid_length' }])
          else if (!holder.identificationNumber) refuse([{ message: 'no holder' }])
          else answer(card)
        }
        frames.cardNumber.contentWindow.postMessage('tokenise', 'https://secure-fields.mercadopago.com')
      }),
    }
    constructor(publicKey, options) {
      if (!publicKey.startsWith('TEST-') || options.advancedFraudPrevention) throw new Error('no')
    }
    async getPaymentMethods({ bin }) {
      const response = await fetch('https://api.mercadopago.com/v1/payment_methods/search?bin=' + bin)
      return response.json()
    }
  }
})()`

const FIELD = `<!doctype html><title>field</title><input aria-label="field"><script>
const field = location.pathname.slice(1)
const input = document.querySelector('input')
const tell = (more) => parent.postMessage({ field, ...more }, '*')
let bin = null
onload = () => tell({ event: 'ready' })
input.onfocus = () => tell({ event: 'focus' })
input.onblur = () => tell({ event: 'blur' })
input.oninput = () => {
  const digits = input.value.replace(/[^0-9]/g, '')
  const now = digits.length >= 8 ? digits.slice(0, 8) : null
  if (field === 'cardNumber' && now !== bin) tell({ event: 'binChange', bin: bin = now })
}
onmessage = ({ data }) => {
  if (data !== 'tokenise') return
  const digits = input.value.replace(/[^0-9]/g, '')
  if (digits.length < 13) return tell({ event: 'token', problem: 'cardNumber is too short' })
  const scenario = digits.endsWith('3220') ? 'challenge' : digits.endsWith('9995') ? 'insufficient_amount' : 'ok'
  const card = { id: 'fake_' + scenario + '_0a1b2c3d', first_six_digits: digits.slice(0, 6), last_four_digits: digits.slice(-4) }
  tell({ event: 'token', card })
}
</script>`

/** What names the payer's device, and the frame that it appends as it does so. */
const SECURITY = `(() => {
  const frame = document.createElement('iframe')
  frame.src = 'https://www.mercadolibre.com/jms/lgz/background?dps=armor.0f544cb7'
  document.body.append(frame)
  const { view } = document.querySelector('script[src$="security.js"]').attributes
  globalThis.MP_DEVICE_SESSION_ID = 'armor.0f544cb7.' + view.value
})()`

const METHODS = { results: [{ id: 'visa', payment_type_id: 'credit_card', settings: [] }] }
const ANYONE = { 'access-control-allow-origin': '*' }

/** Everything of Mercado Pago's that a browser would ask the internet for. */
export async function serveMercadoPago(context: BrowserContext, fakeUrl: string) {
  await context.route('https://sdk.mercadopago.com/js/v2', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SDK }),
  )
  await context.route('https://www.mercadopago.com/v2/security.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SECURITY }),
  )
  await context.route('https://www.mercadolibre.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>device</title>' }),
  )
  await context.route('https://secure-fields.mercadopago.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: FIELD }),
  )
  await context.route('https://api.mercadopago.com/**', (route) =>
    route.fulfill({ json: METHODS, headers: ANYONE }),
  )
  await context.route('https://www.mercadopago.com.br/3ds/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: `${fakeUrl}${pathname}` }) })
  })
}
