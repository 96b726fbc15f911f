// The bare control: what Fastify and pg do when nothing else is asked of them. One statement per request, no key, no
// limit, no validation. The service is measured against it.
import { randomUUID } from 'node:crypto'
import formBody from '@fastify/formbody'
import Fastify from 'fastify'
import { nanoid } from 'nanoid'
import pg from 'pg'

type Fields = Record<string, string>
type OfLink = { Params: { link: string }; Body: Fields }

const { DATABASE_URL, PORT, COMPANY_ID, CUSTOMER_ID } = process.env
const CODE = `00020126580014br.gov.bcb.pix01367d9f0335-8dcc-4054-9bf9-0dbd61d36906520400005303986${'0'.repeat(70)}`

const INSERT_LINK = `insert into payment_links
  (id, company_id, slug, title, description, amount_cents, methods, max_installments, interest_mode,
   status, tags, redirect_url, external_reference, metadata)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 'absorb', 'active', $9, $10, $11, $12) returning *`
const INSERT_PAYMENT = `insert into transactions
  (id, company_id, payment_link_id, customer_id, attempt_token, token, status, method, amount_cents,
   interest_cents, total_cents, installments, installment_cents, interest_mode, interest_rate_bps,
   provider, provider_reference, payer_name, payer_email, payer_tax_id, pix_txid, pix_br_code,
   expires_at, test_mode, metadata, tags)
  values ($1, $2, $3, $4, $5, $6, 'pending', 'pix', 1990, 0, 1990, 1, 1990, 'absorb', 0, 'sandbox',
   $7, $8, $9, $10, $11, $12, $13, true, '{}', '{}')`

const app = Fastify()
const pool = new pg.Pool({ connectionString: DATABASE_URL })
await app.register(formBody)

app.get('/ready', () => ({ status: 'ok' }))

app.post<{ Body: Record<string, unknown> }>('/payment-links', async ({ body }, reply) => {
  const { title, description, amountCents, methods, maxInstallments } = body
  const { tags, redirectUrl, externalReference, metadata } = body
  const made = [randomUUID(), COMPANY_ID, nanoid(10), title, description, amountCents, methods]
  const chosen = [maxInstallments, tags, redirectUrl, externalReference, metadata]
  const { rows } = await pool.query(INSERT_LINK, [...made, ...chosen])
  return reply.code(201).send(rows[0])
})

app.get<{ Querystring: Fields }>('/payment-links', async ({ query }) => {
  const { rows } = await pool.query(
    'select * from payment_links where company_id = $1 and id < $2 order by id desc limit 20',
    [COMPANY_ID, query.below],
  )
  return { data: rows }
})

app.get<OfLink>('/pagar/:link', async ({ params }, reply) => {
  const { rows } = await pool.query('select * from payment_links where slug = $1', [params.link])
  const { title, amount_cents: cents } = rows[0]
  reply.type('text/html')
  return `<!DOCTYPE html><title>${title}</title><h1>${title}</h1><p>R$ ${cents / 100}</p>`
})

app.post<OfLink>('/pagar/:link/payments', async ({ params, body }, reply) => {
  const { attempt, name, email, taxId } = body
  const [id, token] = [randomUUID(), nanoid(24)]
  const made = [id, COMPANY_ID, params.link, CUSTOMER_ID, attempt, token, `sbx_${id}`]
  const payer = [name, email, taxId, id.slice(0, 25), CODE, new Date(Date.now() + 1.8e6)]
  await pool.query(INSERT_PAYMENT, [...made, ...payer])
  return reply.redirect(`/pagar/${params.link}/payments/${token}`, 303)
})

process.once('SIGTERM', async () => {
  await app.close()
  await pool.end()
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
