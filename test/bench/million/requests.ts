// All that is asked of a database of a million payments: every list, search, page, report and table.
import { sealCursor } from '../../../src/api/list-query.ts'
import { runStatement } from '../../support/postgres/statement.ts'

export type TimedRequest = { title: string; path: string; headers?: Record<string, string> }

/** Of the newest `count`, or of as many as there are, the oldest. */
const newest = (column: string, from: string, count: number) =>
  `(select ${column} from (select * from ${from} order by id desc limit ${count}) newest order by id limit 1)`
/** Of the oldest `count`, or of as many as there are, the newest. */
const oldest = (column: string, from: string, count: number) =>
  `(select ${column} from (select * from ${from} order by id limit ${count}) oldest order by id desc limit 1)`

const LINKS = 'payment_links where company_id = $c'
const PAYMENTS = 'transactions where company_id = $c'
const CUSTOMERS = 'customers where company_id = $c'
const REFERRED = 'and external_reference is not null'

const SAMPLES = `
select
  ${oldest('id', LINKS, 1)} as busy_link,
  ${oldest('slug', LINKS, 1)} as busy_slug,
  ${newest('id', LINKS, 5_000)} as link,
  ${newest('slug', `${LINKS} and status = 'active' and expires_at is null`, 5_000)} as slug,
  ${oldest('external_reference', `${LINKS} ${REFERRED}`, 100)} as reference,
  ${oldest('id', LINKS, 500)} as old_link,
  ${newest('id', `${PAYMENTS} and status = 'approved'`, 1_000)} as payment,
  ${newest('external_reference', `${PAYMENTS} ${REFERRED}`, 1_000)} as paid_reference,
  ${newest('pix_txid', `${PAYMENTS} and method = 'pix'`, 1_000)} as txid,
  ${newest('end_to_end_id', 'incoming_payments where company_id = $c', 1_000)} as end_to_end_id,
  ${oldest('id', PAYMENTS, 1_000)} as old_payment,
  ${newest('id', CUSTOMERS, 1_000)} as customer,
  ${newest('email', CUSTOMERS, 1_000)} as email,
  ${newest('id', 'events where company_id = $c', 1_000)} as event,
  ${newest('id', 'webhook_deliveries', 1_000)} as delivery,
  ${newest('id', 'webhook_endpoints where company_id = $c', 1)} as endpoint,
  ${newest('id', 'disputes where company_id = $c', 1)} as dispute`

type Samples = Record<string, string>

export async function listRequests(url: string, companyId: string): Promise<TimedRequest[]> {
  const [samples] = await runStatement(url, SAMPLES.replaceAll('$c', `'${companyId}'`))
  const paths = [
    ...listLinkPaths(samples),
    ...listPaymentPaths(samples),
    ...listOtherPaths(samples),
    ...listDashboardPaths(samples),
  ]
  return paths.map((path) => ({ title: decodeURIComponent(path).slice(0, 60), path }))
}

const cursorOf = (list: string, id: string | undefined) =>
  sealCursor(list, Buffer.from(String(id)).toString('base64url'))
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const dayOf = (ago: number) => daysAgo(ago).slice(0, 10)

function listLinkPaths(one: Samples) {
  const filters = [
    ...['', `cursor=${cursorOf('/api/payment-links', one.old_link)}`, 'limit=100'],
    ...['active', 'inactive', 'completed', 'archived', 'expired'].map((of) => `status=${of}`),
    ...['method=pix', 'method=credit_card', 'tag=encomenda', 'tag=festa-7', 'tag=nenhuma'],
    ...['tag=encomenda&tag=festa-7', 'tag=festa-7&tag=festa-8', 'tag=festa-7&status=archived'],
    ...['method=pix&status=expired', `externalReference=${one.reference}`],
    ...[
      'q=cenoura',
      'q=cenoura%20silva',
      'q=cenoura%20limao',
      'q=1234',
      'q=nada%20assim',
      `q=${one.slug}`,
    ],
    ...['q=bo', 'q=zz', 'q=cenoura&status=archived', 'q=nada%20assim&status=completed'],
    `createdFrom=${daysAgo(400)}&createdTo=${daysAgo(399)}`,
    `createdTo=${daysAgo(600)}&status=inactive`,
  ]
  return [
    ...filters.map((query) => `/api/payment-links?${query}`),
    ...[one.link, one.slug, one.busy_link].map((name) => `/api/payment-links/${name}`),
    ...['/api/payment-links.csv', '/api/payment-links.csv?q=cenoura&status=archived'],
    ...[`/pagar/${one.slug}`, `/pagar/${one.busy_slug}`],
  ]
}

function listPaymentPaths(one: Samples) {
  const filters = [
    ...['', 'limit=100', `cursor=${cursorOf('/api/transactions', one.old_payment)}`],
    ...['pending', 'approved', 'declined', 'refunded', 'charged_back', 'processing'].map(
      (of) => `status=${of}`,
    ),
    ...['method=pix', 'method=credit_card', 'method=pix&status=declined'],
    ...['tag=encomenda', 'tag=festa-7', 'tag=nenhuma', 'tag=encomenda&tag=festa-7'],
    ...['tag=festa-7&tag=festa-8', 'tag=encomenda&status=charged_back'],
    ...[`paymentLinkId=${one.busy_link}`, `paymentLinkId=${one.busy_link}&status=canceled`],
    ...[`customerId=${one.customer}`, `externalReference=${one.paid_reference}`],
    `createdFrom=${daysAgo(400)}&createdTo=${daysAgo(399)}`,
    `createdTo=${daysAgo(600)}&status=canceled`,
  ]
  return [
    ...filters.map((query) => `/api/transactions?${query}`),
    `/api/transactions/${one.payment}`,
    ...['/api/transactions.csv', '/api/transactions.csv?tag=festa-7&status=charged_back'],
  ]
}

function listOtherPaths(one: Samples) {
  return [
    ...['', 'name=ana', 'name=ana%20silva', 'name=zulmira', 'taxId=52998224725'].map(
      (query) => `/api/customers?${query}`,
    ),
    ...[`/api/customers?email=${one.email}`, `/api/customers/${one.customer}`],
    `/api/customers?name=silva&createdTo=${daysAgo(600)}`,
    ...['', 'type=transaction.approved', 'type=transaction.held'].map(
      (query) => `/api/events?${query}`,
    ),
    ...[`/api/events?transactionId=${one.payment}`, `/api/events?paymentLinkId=${one.busy_link}`],
    ...[`/api/events/${one.event}`, '/api/disputes', '/api/disputes?status=open'],
    ...[`/api/disputes/${one.dispute}`, '/api/webhook-endpoints'],
    ...['day', 'week', 'month', 'method', 'tag', 'link'].flatMap((by) =>
      [30, 365].map(
        (days) => `/api/reports/revenue?groupBy=${by}&from=${dayOf(days)}&to=${dayOf(0)}`,
      ),
    ),
    // Of months in which none of those that brought most ever brought anything.
    `/api/reports/revenue?groupBy=link&from=${dayOf(730)}&to=${dayOf(365)}`,
  ]
}

function listDashboardPaths(one: Samples) {
  const pages = [
    ...['', '/links', '/links?q=cenoura', '/links?q=nada+assim', '/links?ordem=antigos'],
    '/links?ordem=maior-valor',
    ...['antigos', 'maior-valor', `maior-valor&de=${dayOf(30)}`].map(
      (order) => `/transacoes?ordem=${order}`,
    ),
    ...['/links?ordem=antigos&status=expired', '/links?tag=festa-7', `/links/${one.link}`],
    ...[`/links/${one.busy_link}`, `/links/${one.busy_link}/editar`, '/links.csv'],
    ...['/transacoes', '/transacoes?verificar=sim', '/transacoes/contestacoes'],
    ...['/transacoes/contestacoes?status=open', '/transacoes?q=ana', '/transacoes?q=ana+silva'],
    ...[
      '/transacoes?q=cenoura+limao',
      '/transacoes?q=ceno+lima',
      '/transacoes?q=cenoura+limao&status=declined',
    ],
    ...[`/transacoes?q=${one.txid}`, `/transacoes?q=${one.end_to_end_id}`, '/transacoes?q=nada'],
    ...[`/transacoes?q=${one.paid_reference}`, `/transacoes?link=${one.busy_link}`],
    ...[`/transacoes?cliente=${one.customer}`, `/transacoes/${one.payment}`, '/transacoes.csv'],
    ...[`/transacoes/${one.payment}/devolver`, '/transacoes?de=2025-12-01&ate=2025-12-01'],
    ...['/clientes', '/clientes?q=ana', '/clientes?q=ana+silva'],
    `/clientes?q=${one.email}`,
    ...[
      `/clientes/${one.customer}`,
      '/chaves',
      '/equipe',
      '/registro',
      '/registro?acao=link_paused',
    ],
    ...['/registro?acao=key_created', '/recebimentos', '/ajustes', '/conta', '/integracoes'],
    ...[
      `/integracoes/${one.endpoint}`,
      '/integracoes/entregas',
      `/integracoes/entregas/${one.delivery}`,
    ],
    ...['delivered', 'failed', 'given_up', 'queued'].map(
      (of) => `/integracoes/entregas?status=${of}`,
    ),
    ...['/integracoes/entregas?dias=7', '/integracoes/entregas?type=transaction.held'],
    ...['mes', 'meio', 'link', 'etiqueta'].flatMap((by) =>
      ['este-mes', '30-dias', '12-meses'].map((of) => `/relatorios?por=${by}&periodo=${of}`),
    ),
    ...['/relatorios.csv?por=mes', '/relatorios.csv?por=link', '/relatorios/fechamento'],
    ...['dias', 'pagamentos'].map((table) => `/relatorios/fechamento/${table}.csv`),
    ...['/recebimentos/calendario'],
    ...listSearches(one).map((q) => `/busca?${new URLSearchParams({ q })}`),
  ]
  return pages.map((path) => `/painel${path}`)
}

/** What most have, what few have, what many had once, what nobody has; with a day, with an amount. */
function listSearches(one: Samples) {
  const names = ['ana', 'ana silva', 'joao', 'jo', 'zulmira', 'ana ontem', 'ana silva hoje 150,00']
  const amounts = ['150,00', 'R$ 499,90', '15']
  const day = dayOf(40)
  const things = [
    'cenoura',
    'cenoura limao',
    'cenoura limao violao consulta',
    'pessoa1 pessoa2',
    'pedido-1 pedido-2',
    'cenoura pessoa123 limao',
    'cesta natal',
    'natal',
    'pedido-1234',
    'nada assim',
    'cenoura carvalho machado',
    'R$ 150,00 cenoura',
    'R$ 150,00 ana',
    'pedido-12 cenoura silva',
    'pessoa77 cenoura silva',
  ]
  const ids = [one.payment, one.txid, one.end_to_end_id, one.paid_reference, one.slug, one.email]
  return [...names, ...amounts, ...things, day, `ana ${day}`, '00000001234', ...ids.map(String)]
}
