// Payers at the checkout: browsers without JavaScript that keep their cookies and send the form that
// they were shown.
import type { FastifyInstance } from 'fastify'
import { quoteForm } from '../../src/checkout/quotes.ts'
import { findCompany } from '../../src/companies/company.ts'
import type { Database } from '../../src/database/connect.ts'
import { and, eq, orm } from '../../src/database/drizzle.ts'
import { newId, newToken, TOKEN_LENGTH } from '../../src/database/id.ts'
import {
  companies,
  events,
  paymentLinks,
  sandboxCharges,
  transactions,
} from '../../src/database/tables.ts'
import { createPaymentLink, findLinkWithCompany } from '../../src/payment-links/payment-link.ts'
import { NewPaymentLink } from '../../src/payment-links/schema.ts'
import { findTransaction, findTransactionByToken } from '../../src/transactions/transaction.ts'
import type { TestApp, TestCompany } from './test-app.ts'

export const MARIA = {
  name: 'Maria da Silva',
  taxId: '529.982.247-25',
  email: 'maria@exemplo.com.br',
}

export const PIX = { method: 'pix' }

/** The address of a form that is asked for by who knows of all that was paid until now. */
export const AGAIN = '?new=9999999999999'

let cardCount = 0
let payerCount = 0

/** What the sandbox's card script leaves in the form for a test card of this scenario; each is another. */
export function buildTestCard(scenario: string, more: object = {}) {
  return {
    method: 'credit_card',
    cardToken: `sbx_${scenario}_0a1b2c3d4e5f`,
    cardBrand: 'visa',
    cardLast4: String(1_000 + (cardCount++ % 9_000)),
    cardHolder: 'Maria Silva',
    ...more,
  }
}

export type TestLink = { id: string; slug: string; companyId: string }

const LINK = {
  title: 'Bolo de cenoura',
  amountCents: 10_000,
  methods: ['pix', 'credit_card'],
}

export function openCheckout({ app, clock, db, newCompany }: TestApp) {
  /** As the API makes it. */
  async function newLink(more: object = {}, company?: TestCompany): Promise<TestLink> {
    const { id: companyId } = company ?? (await newCompany())
    const fields = NewPaymentLink.parse({ ...LINK, ...more })
    const made = { id: newId(), now: clock.now() }
    const owner = (await findCompany(db, companyId))!
    const { link } = await createPaymentLink(db, owner, fields, made)
    return { id: link.id, slug: link.slug, companyId }
  }

  /** A payer fills in the form of a link and sends it. */
  async function pay(link: TestLink, filled: object = PIX, browser = openPayerBrowser(app)) {
    const send = await fillBlindly(link, filled, browser)
    const response = await send()
    const url = response.headers.location ?? ''
    const row = (await findTransactionByToken(db, /[^/?]*(?=(\?.*)?$)/.exec(url)?.[0] ?? ''))!
    return { browser, response, url, row }
  }

  /** Fills in the form without its page, which costs as much as the payment. */
  async function fillBlindly(link: TestLink, filled: object, browser: PayerBrowser) {
    const form = { ...(await buildBlankForm(db, link)), ...MARIA, ...filled }
    return () => browser.post(`/pagar/${link.slug}/payments`, form)
  }

  async function read(id: string) {
    return (await findTransaction(db, id))!
  }

  async function paymentsOf({ id }: Pick<TestLink, 'id'>) {
    return db
      .select()
      .from(transactions)
      .where(eq(transactions.paymentLinkId, id))
      .orderBy(transactions.id)
  }

  async function readLink(id: string) {
    const [link] = await db.select().from(paymentLinks).where(eq(paymentLinks.id, id))
    return link!
  }

  async function editLink(id: string, changes: Partial<typeof paymentLinks.$inferInsert>) {
    await db.update(paymentLinks).set(changes).where(eq(paymentLinks.id, id))
  }

  async function editCompany(id: string, changes: Partial<typeof companies.$inferInsert>) {
    await db.update(companies).set(changes).where(eq(companies.id, id))
  }

  /** What the simulated bank holds for this payment. */
  async function chargeOf(transactionId: string) {
    const [charge] = await db
      .select()
      .from(sandboxCharges)
      .where(eq(sandboxCharges.reference, `sbx_${transactionId}`))
    return charge
  }

  /** The types of all that was told about a company's payments, in order; without money that names no payment. */
  async function listEventTypes({ companyId }: Pick<TestLink, 'companyId'>) {
    const told = await db
      .select({ type: events.type })
      .from(events)
      .where(and(eq(events.companyId, companyId), orm.notLike(events.type, 'incoming_payment.%')))
      .orderBy(events.id)
    return told.map(({ type }) => type)
  }

  return {
    newLink,
    pay,
    fillBlindly,
    read,
    paymentsOf,
    readLink,
    editLink,
    editCompany,
    chargeOf,
    listEventTypes,
  }
}

/** What the page of the link would hold. It knows of all payments, as that of AGAIN does. */
async function buildBlankForm(db: Database, { id }: TestLink) {
  const { name: quote } = quoteForm((await findLinkWithCompany(db, id))!)
  return { attempt: newToken(), quote, installments: '1' }
}

type PayerBrowser = ReturnType<typeof openPayerBrowser>

/** A browser at this address, or at an address of its own. */
export function openPayerBrowser(app: FastifyInstance, remoteAddress = newPayerAddress()) {
  const cookies = new Map<string, string>()

  async function ask(method: 'GET' | 'POST', url: string, form?: object, headers: object = {}) {
    const response = await app.inject({
      method,
      url,
      remoteAddress,
      cookies: Object.fromEntries(cookies),
      headers: { ...(form && { 'content-type': FORM_TYPE }), ...headers },
      ...(form && { payload: new URLSearchParams(form as Record<string, string>).toString() }),
    })
    for (const { name, value } of response.cookies) cookies.set(name, value)
    return response
  }

  const get = (url: string) => ask('GET', url)
  const post = (url: string, form: object, headers?: object) => ask('POST', url, form, headers)

  /** Opens the form and fills it in; the function that it returns sends it, with what else is typed. */
  async function fill({ slug }: { slug: string }, filled: object = {}, query = '') {
    const form = readFormFields((await get(`/pagar/${slug}${query}`)).body)
    return (more: object = {}, headers?: object) =>
      post(`/pagar/${slug}/payments`, { ...form, ...MARIA, ...filled, ...more }, headers)
  }

  async function pay(link: { slug: string }, filled: object, query = '') {
    const send = await fill(link, filled, query)
    return send()
  }

  return { address: remoteAddress, get, post, fill, pay, cookies }
}

export function newPayerAddress() {
  const number = payerCount++
  return `198.18.${(number >> 8) & 255}.${number & 255}`
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What a browser would send of a page's inputs as they stand. */
export function readFormFields(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input\s[^>]*>/g)].map(([tag]) => tag)
  const sent = inputs.filter((tag) => !tag.includes('type="radio"') || /\schecked\b/.test(tag))
  return Object.fromEntries(
    sent.flatMap((tag) => {
      const name = /\sname="([^"]*)"/.exec(tag)?.[1]
      return name ? [[name, readPageText(/\svalue="([^"]*)"/.exec(tag)?.[1] ?? '')]] : []
    }),
  )
}

/** What stays of a form's attempt when the page is shown again: the rest says until when it knows of payments. */
export function readAttemptToken(html: string) {
  return readFormFields(html).attempt!.slice(0, TOKEN_LENGTH)
}

const ENTITIES: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" },
  ...{ mdash: '—', hellip: '…' },
}

/** What a person reads: no tags, spaces as they look. */
export function readPageText(html: string) {
  return html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|mdash|hellip);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Where a payment's page leads to the form once more. */
export function findAgainHref(html: string) {
  const [, href = ''] = /href="([^"]*[?]new=[^"]*)"/.exec(html) ?? []
  return href.replaceAll('&amp;', '&').replace(/#.*/, '')
}
