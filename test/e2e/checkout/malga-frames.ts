// Malga's frames as far as its published script speaks with them: each holds what is typed, and hands it to the script,
// which hands all of it to the first when the card is to be a token. Beside them the bank's collector and its page.
import type { BrowserContext } from 'playwright-core'

const FIELD = `<!doctype html><title>field</title><input aria-label="field"><script>
const input = document.querySelector('input')
let field = ''
const tell = (eventType, data) => parent.postMessage({ eventType, data: { field, ...data } }, '*')
input.onfocus = () => tell('focus')
input.onblur = () => tell('blur')
input.oninput = () => {
  tell('updateCardValues', { value: input.value })
  if (field === 'card-number' && input.value.startsWith('4')) tell('cardTypeChanged', { card: { type: 'visa' } })
}
onmessage = ({ data }) => {
  if (data.type === 'setTypeField') field = data.field
  if (data.eventType !== 'submit') return
  const { authorizationData, card } = data.data
  const isKey = authorizationData.apiKey.startsWith('pk_') && authorizationData.clientId
  const digits = (card.cardNumber ?? '').replace(/[^0-9]/g, '')
  if (!isKey || !card.cardHolderName || !card.cardExpirationDate || !card.cardCvv || digits.length < 13)
    return tell('tokenize', { error: { type: 'bad_request', details: ['cardNumber is too short'] } })
  const scenario = digits.endsWith('3220') ? 'challenge' : 'ok'
  tell('tokenize', { tokenId: 'fake_' + scenario + '_0a1b2c3d' })
}
</script>`

const COLLECTED = `<!doctype html><script>parent.postMessage('{"Status":true}', '*')</script>`

export const COLLECTOR = 'https://centinelapi.cardinalcommerce.com'

/** Everything of Malga's and of the bank's that a browser would ask the internet for. */
export async function serveMalga(context: BrowserContext, bank: { confirm: () => string }) {
  const collected: string[] = []
  const html = (body: string) => ({ contentType: 'text/html', body })
  await context.route('https://hosted-fields-sandbox.malga.io/**', (route) =>
    route.fulfill(html(FIELD)),
  )
  await context.route(`${COLLECTOR}/V1/Cruise/Collect`, (route) => {
    collected.push(route.request().postData() ?? '')
    return route.fulfill(html(COLLECTED))
  })
  await context.route(`${COLLECTOR}/StepUp`, (route) => {
    const isAsked = (route.request().postData() ?? '').startsWith('JWT=jwt-')
    const back = `<!doctype html><title>Banco</title><a href="${bank.confirm()}">Aprovar</a>`
    return route.fulfill(html(isAsked ? back : 'Who are you?'))
  })
  return collected
}
