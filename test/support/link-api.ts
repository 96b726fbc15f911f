// A company's calls on links that exist.
import { expect } from 'vitest'
import { findCompany } from '../../src/companies/company.ts'
import { newId } from '../../src/database/id.ts'
import { duplicatePaymentLink } from '../../src/payment-links/change/change.ts'
import { requirePaymentLink } from '../../src/payment-links/payment-link.ts'
import type { PaymentLink } from '../../src/payment-links/schema.ts'
import { openCheckout } from './payer.ts'
import { CHECKOUT_URL, MINIMAL_LINK, type TestApp, type TestCompany } from './test-app.ts'
import { settle } from './transactions/settle.ts'

export const LINKS_PATH = '/api/payment-links'
export const HOUR_MS = 3600 * 1000

/** A form with a file that is no image: what is refused before it is looked at is refused all the same. */
export const IMAGE_FORM = {
  type: 'multipart/form-data; boundary=b',
  payload:
    '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nx\r\n--b--\r\n',
}

export function openLinkApi(testApp: TestApp) {
  const { app, db, clock, newCompany } = testApp
  const { newLink, pay, read } = openCheckout(testApp)

  const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString()

  async function create(company: TestCompany, fields: object = {}): Promise<PaymentLink> {
    const response = await company.post(LINKS_PATH, { ...MINIMAL_LINK, ...fields })
    expect(response.statusCode).toBe(201)
    return response.json()
  }

  function send(
    method: 'PATCH' | 'DELETE',
    { key }: TestCompany,
    idOrSlug: string,
    payload?: object,
  ) {
    const headers = { authorization: `Bearer ${key}` }
    return app.inject({
      method,
      url: `${LINKS_PATH}/${idOrSlug}`,
      headers,
      ...(payload && { payload }),
    })
  }

  const patch = (company: TestCompany, { id }: { id: string }, changes: object) =>
    send('PATCH', company, id, changes)
  const archive = (company: TestCompany, idOrSlug: string) => send('DELETE', company, idOrSlug)

  /** As the dashboard's button does it. */
  async function duplicateLink(company: TestCompany, id: string) {
    const source = await requirePaymentLink(db, company.id, id)
    const owner = (await findCompany(db, company.id))!
    const made = { id: newId(), now: clock.now() }
    return (await duplicatePaymentLink(db, owner, source, made)).link
  }

  /** A link with one payment that came, as a company of its own has it. */
  async function paidLink(fields: object = {}) {
    const company = await newCompany()
    const link = await newLink({ methods: ['pix'], ...fields }, company)
    const { row } = await pay(link)
    await approve(row.id)
    return { company, link }
  }

  async function approve(id: string) {
    const row = await read(id)
    const at = clock.now().toISOString()
    const paid = { reference: id, paidCents: row.totalCents, paidAt: at }
    const context = { checkoutUrl: CHECKOUT_URL, now: clock.now() }
    return settle(db, row, { status: 'approved', ...paid }, context)
  }

  return { inHours, create, send, patch, archive, duplicateLink, paidLink, approve }
}
