// Links at the dashboard: a company with somebody at its desk, and the forms that pages show them.
import { expect } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { withWords } from '../../../src/customers/customer.ts'
import { eq } from '../../../src/database/drizzle.ts'
import { newId } from '../../../src/database/id.ts'
import { customers, paymentLinks } from '../../../src/database/tables.ts'
import type { PaymentLink } from '../../../src/payment-links/schema.ts'
import { MINIMAL_LINK, type TestApp, type TestCompany } from '../test-app.ts'
import { type DashboardClient, openCompanyClient } from './client.ts'
import { readFormFields } from './html.ts'

export const TAX_ID = '52998224725'

/** The form as it is sent by who fills in no more than must be. */
export const FILLED_LINK_FORM = {
  title: 'Bolo de cenoura',
  amount: '19,90',
  methods: ['pix'],
  maxInstallments: '1',
  interestMode: 'absorb',
  uses: 'unlimited',
}

export function openLinkDashboard(testApp: TestApp) {
  const { db } = testApp

  function openClient(role: 'owner' | 'member' = 'member') {
    return openCompanyClient(testApp, role)
  }

  async function create(company: TestCompany, fields: object = {}): Promise<PaymentLink> {
    const response = await company.post('/api/payment-links', { ...MINIMAL_LINK, ...fields })
    expect(response.statusCode).toBe(201)
    return response.json()
  }

  async function newCustomer(company: TestCompany, fields: object = {}) {
    const id = newId()
    const known = { name: 'Maria Silva', email: null, taxId: TAX_ID, phone: null, ...fields }
    await db.insert(customers).values(withWords({ id, companyId: company.id, ...known }))
    return id
  }

  async function linksOf(company: TestCompany) {
    return db.select().from(paymentLinks).where(eq(paymentLinks.companyId, company.id))
  }

  async function readLink(id: string) {
    const [link] = await db.select().from(paymentLinks).where(eq(paymentLinks.id, id))
    return link!
  }

  /** What was done, the last first. */
  async function actionsOf(company: TestCompany) {
    const entries = await listAudit(db, company.id, { limit: 20 })
    return entries.map(({ action, subject }) => [action, subject])
  }

  return { openClient, create, newCustomer, linksOf, readLink, actionsOf }
}

export async function readPage(dashboardClient: DashboardClient, path: string) {
  const response = await dashboardClient.get(path)
  expect(response.statusCode).toBe(200)
  return response.body
}

/** The titles of a table's rows, in their order. */
export function readRowTitles(html: string) {
  return [...html.matchAll(/<a class="row-link"[^>]*>([^<]*)</g)].map(([, title]) => title)
}

/** The sentences of the summary, and the fields that they lead to. */
export function readFormErrors(html: string) {
  const found = html.matchAll(/<li><a href="#(\w+)">([^<]*)</g)
  return [...found].map(([, field, text]) => [field, text!.replaceAll('&quot;', '"')])
}

/** The form of a link as the page holds it, to be sent back. */
export async function readLinkForm(dashboardClient: DashboardClient, path: string) {
  const html = await readPage(dashboardClient, path)
  return readFormFields(html, path.split('?')[0]!)
}
