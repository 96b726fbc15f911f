// What is asked of a database of a million payments: lists, searches, pages, reports and tables.
import { bindCursor } from '../../../src/api/list-query.ts'
import { runStatement } from '../../support/postgres/statement.ts'

/** Of the newest `count`, or of as many as there are, the oldest. */
const newest = (column: string, from: string, count: number) =>
  `(select ${column} from (select * from ${from} order by id desc limit ${count}) newest order by id limit 1)`

const LINKS = 'payment_links where company_id = $c'
const PAYMENTS = 'transactions where company_id = $c'

const SAMPLES = `
select
  (select id from ${LINKS} order by id limit 1) as busy_link,
  (select slug from ${LINKS} order by id limit 1) as busy_slug,
  ${newest('slug', `${LINKS} and status = 'active' and expires_at is null`, 5_000)} as slug,
  ${newest('id', LINKS, 50_000)} as old_link,
  ${newest('id', `${PAYMENTS} and status = 'approved'`, 1_000)} as payment,
  ${newest('id', PAYMENTS, 500_000)} as old_payment,
  ${newest('external_reference', `${PAYMENTS} and external_reference is not null`, 1_000)} as reference,
  ${newest('pix_txid', `${PAYMENTS} and method = 'pix'`, 1_000)} as txid,
  ${newest('id', 'customers where company_id = $c', 1_000)} as customer,
  ${newest('email', 'customers where company_id = $c', 1_000)} as email,
  ${newest('id', 'events where company_id = $c', 1_000)} as event`

const cursorOf = (list: string, id: string | undefined) =>
  bindCursor(list, Buffer.from(String(id)).toString('base64url'))
const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

export async function listPaths(url: string, companyId: string): Promise<string[]> {
  const [one] = await runStatement(url, SAMPLES.replaceAll('$c', `'${companyId}'`))
  const long = `createdFrom=${dayOf(400)}T00:00:00Z&createdTo=${dayOf(399)}T00:00:00Z`
  const links = [
    ...['', `cursor=${cursorOf('/api/payment-links', one.old_link)}`, 'limit=100', long],
    ...['status=archived', 'status=expired', 'method=pix&status=expired', 'tag=festa-7'],
    ...['tag=encomenda&tag=festa-7', 'tag=nenhuma', 'q=cenoura', 'q=cenoura%20limao', 'q=bo'],
    ...[`q=${one.slug}`, 'q=nada%20assim', 'q=cenoura&status=archived'],
  ]
  const payments = [
    ...['', `cursor=${cursorOf('/api/transactions', one.old_payment)}`, 'limit=100', long],
    ...['status=declined', 'status=charged_back', 'method=pix&status=declined', 'tag=festa-7'],
    ...['tag=nenhuma', `paymentLinkId=${one.busy_link}`, `customerId=${one.customer}`],
    ...[`externalReference=${one.reference}`, `paymentLinkId=${one.busy_link}&status=canceled`],
  ]
  const customers = ['', 'name=ana%20silva', 'name=zulmira', `email=${one.email}`]
  const reports = ['day', 'week', 'month', 'method', 'tag', 'link'].flatMap((by) =>
    [30, 365].map((days) => `groupBy=${by}&from=${dayOf(days)}&to=${dayOf(0)}`),
  )
  return [
    ...links.map((query) => `/api/payment-links?${query}`),
    ...payments.map((query) => `/api/transactions?${query}`),
    ...customers.map((query) => `/api/customers?${query}`),
    ...['', `transactionId=${one.payment}`, 'type=transaction.held'].map(
      (query) => `/api/events?${query}`,
    ),
    ...reports.map((query) => `/api/reports/revenue?${query}`),
    ...[`/api/transactions/${one.payment}`, `/api/events/${one.event}`, '/api/disputes'],
    ...['/api/payment-links.csv', '/api/transactions.csv?tag=festa-7&status=charged_back'],
    ...[`/pagar/${one.slug}`, `/pagar/${one.busy_slug}`],
    ...listPages(one).map((path) => `/painel${path}`),
  ]
}

function listPages(one: Record<string, string>) {
  const searches = [
    ...['ana', 'ana silva', 'zulmira', 'ana silva hoje 150,00', 'R$ 499,90', 'cenoura limao'],
    ...['cenoura pessoa123 limao', 'pedido-12 cenoura silva', 'nada assim', dayOf(40)],
    ...[one.payment, one.txid, one.reference, one.slug, one.email].map(String),
  ]
  return [
    ...['', '/links', '/links?q=cenoura', '/links?ordem=maior-valor', '/links?tag=festa-7'],
    ...[`/links/${one.busy_link}`, '/links.csv', '/transacoes', '/transacoes?verificar=sim'],
    ...['/transacoes?ordem=maior-valor', '/transacoes?q=cenoura+limao', '/transacoes.csv'],
    ...[`/transacoes?link=${one.busy_link}`, `/transacoes/${one.payment}`, '/clientes'],
    ...['/clientes?q=ana+silva', `/clientes/${one.customer}`, '/integracoes/entregas'],
    ...['mes', 'meio', 'link', 'etiqueta'].flatMap((by) =>
      ['este-mes', '12-meses'].map((period) => `/relatorios?por=${by}&periodo=${period}`),
    ),
    ...['/relatorios/fechamento', '/relatorios/fechamento/movimentos.csv'],
    ...searches.map((q) => `/busca?${new URLSearchParams({ q })}`),
  ]
}
