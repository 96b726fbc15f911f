// All that a stranger, or somebody with a key, may send: one of each form and query, `*` after what is a part of
// the address.
import { SCAN_KEY } from './target.ts'

type ScannedLink = { id: string; slug: string; quote: string }
export type ScannedRequest = { path: string; body?: string; headers?: string[] }

const TOKEN = 'a'.repeat(24)
const CARD_ATTEMPT = 'c'.repeat(24)
const EMAIL = 'email=ana%40exemplo.com.br'
const JSON_TYPE = 'Content-Type: application/json'
const AS_COMPANY = `Authorization: Bearer ${SCAN_KEY}`

/** While the installation has no owner. */
export const SET_UP_REQUESTS: ScannedRequest[] = [
  { path: '/configurar', body: `code=ABCD&companyName=Padaria&${EMAIL}&password=x` },
]

/** `sessionCookie`: the owner's. `quote`: as the form of the link has it, or the form is shown again. */
export function listRequests(
  { id, ...link }: ScannedLink,
  sessionCookie: string,
): ScannedRequest[] {
  const seen = OWNER_PATHS.map((path) => ({ path, headers: [`Cookie: ${sessionCookie}`] }))
  return [...listCheckoutRequests(link), ...DASHBOARD_REQUESTS, ...seen, ...listApiRequests(id)]
}

function listCheckoutRequests({ slug, quote }: Omit<ScannedLink, 'id'>): ScannedRequest[] {
  const link = `/pagar/${slug}`
  const payment = `${link}/payments/${TOKEN}*`
  const card = 'cardToken=sbx_ok_12345678&cardBrand=visa&cardLast4=4242&cardHolder=ANA'
  const payer = `name=Ana+Lima&taxId=52998224725&${EMAIL}`
  return [
    { path: `${link}*` },
    { path: `${link}?method=pix&installments=1` },
    {
      path: `${link}/payments`,
      body: `attempt=${TOKEN}&quote=${quote}&method=pix&installments=1&${payer}`,
    },
    { path: `${link}?new=1763730309120&name=Ana&${EMAIL}&ref=x&lang=en` },
    { path: `${link}/language?lang=en`, body: `attempt=${TOKEN}&${payer}` },
    { path: `${link}/begun`, body: 'x=1' },
    { path: `${link}/image/x*` },
    {
      path: `${link}/payments`,
      body: `attempt=${CARD_ATTEMPT}&quote=${quote}&method=credit_card&installments=1&ref=x&${card}&${payer}`,
    },
    { path: `${link}/quotes`, body: 'cardToken=sbx_ok_12345678&brand=visa&bin=424242' },
    { path: `${link}/report`, body: 'reason=other&details=oi' },
    { path: `${payment}` },
    { path: `${payment}/status` },
    ...['check', 'renew', 'simulate'].map((verb) => ({ path: `${payment}/${verb}`, body: 'x=1' })),
    { path: `/pagar/sandbox/3ds/${TOKEN}*`, body: 'answer=approve' },
  ]
}

const DASHBOARD_REQUESTS: ScannedRequest[] = [
  { path: '/painel/entrar?voltar=%2Fpainel&feito=senha' },
  { path: '/painel/entrar', body: `${EMAIL}&password=x&voltar=%2Fpainel` },
  { path: '/painel/entrar/codigo', body: 'ticket=x&code=123456&voltar=%2Fpainel' },
  { path: '/painel/senha', body: EMAIL },
  { path: `/painel/senha/${TOKEN}*`, body: 'password=x' },
  { path: `/painel/convite/${TOKEN}*`, body: 'password=x' },
]

/** What an owner narrows, orders and pages by. */
const OWNER_PATHS = [
  '/painel/busca?q=bolo',
  '/painel/links?q=bolo&tag=a&status=active&method=pix',
  '/painel/links?ordem=maior-valor&cursor=x',
  '/painel/transacoes?q=ana&status=approved&tag=a&de=2026-01-01&ate=2026-12-31',
  '/painel/transacoes?ordem=maior-valor&cursor=x',
  '/painel/clientes?q=ana',
  '/painel/clientes?ordem=nome-inverso&cursor=x',
  '/painel/relatorios?por=tag&de=2026-01-01&ate=2026-12-31',
  '/painel/integracoes/entregas?type=transaction.approved&status=failed&dias=7',
  '/painel/registro?pessoa=x&acao=link_created&cursor=x',
]

function listApiRequests(id: string): ScannedRequest[] {
  const byCompany = (path: string, body?: object) => ({
    path: `/api${path}`,
    ...(body && { body: JSON.stringify(body) }),
    headers: body ? [AS_COMPANY, JSON_TYPE] : [AS_COMPANY],
  })
  return [
    { path: '/api/payment-links?q=bolo', headers: [`Authorization: Bearer x*`] },
    { path: '/api/docs/x*' },
    byCompany('/payment-links?q=bolo&status=active&tag=a&limit=5&externalReference=x'),
    byCompany('/payment-links.csv?metadata%5Ba%5D=b&method=pix&createdFrom=2026-01-01T00:00:00Z'),
    byCompany(`/payment-links/${id}*`),
    byCompany(`/payment-links/${id}*/installments`),
    byCompany(`/payment-links/${id}/transactions?updatedTo=2026-12-31T00:00:00Z&customerId=${id}`),
    byCompany('/transactions?status=approved&method=pix&tag=a&limit=5&externalReference=x'),
    byCompany('/customers?name=ana&taxId=52998224725&limit=5'),
    byCompany('/transactions.csv?metadata%5Ba%5D=b&approvedFrom=2026-01-01T00:00:00Z'),
    byCompany('/customers?email=ana%40exemplo.com.br&createdFrom=2026-01-01T00:00:00Z'),
    byCompany('/reports/revenue?from=2026-01-01&to=2026-01-31&groupBy=day'),
    byCompany(`/disputes?status=open&kind=med&transactionId=${id}`),
    byCompany('/events?type=transaction.approved&limit=5'),
    byCompany('/payment-links', { title: 'Bolo', amountCents: 1990, methods: ['pix'] }),
    byCompany('/payment-links/batch', {
      paymentLinks: [{ title: 'Bolo', amountCents: 1990, methods: ['pix'] }],
    }),
    byCompany('/events/redeliver', { createdFrom: new Date(Date.now() - 3_600_000) }),
    byCompany(`/payment-links/${id}/simulate-payment`, { method: 'pix' }),
    byCompany('/customers', { name: 'Ana Lima', taxId: '52998224725' }),
    byCompany('/webhook-endpoints', { url: 'https://93.184.216.34/hook' }),
    ...['openpix', 'pix-api', 'mercadopago', 'malga'].map((provider) => ({
      path: `/webhooks/${provider}/${TOKEN}*?id=1`,
      body: '{"pix":[{"txid":"PL1","endToEndId":"E1"}],"data":{"id":"1"}}',
      headers: [JSON_TYPE],
    })),
  ]
}
