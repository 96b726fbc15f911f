// Owners who set up their company's accounts at providers.

import { listAudit } from '../../../src/companies/audit.ts'
import { findCompany, updateCompany } from '../../../src/companies/company.ts'
import { findAccount } from '../../../src/providers/accounts.ts'
import type { RealProvider } from '../../../src/providers/registry.ts'
import { buildBankConfig, PIX_KEY } from '../providers/bank/fake.ts'
import type { TestApp, TestCompany } from '../test-app.ts'
import { type DashboardClient, openCompanyClient, openDashboardClient } from './client.ts'

export const BANK_PATH = '/painel/recebimentos/pix-api'
export const BANK_SECRET = buildBankConfig('').clientSecret!
export const MERCADO_PAGO_PATH = '/painel/recebimentos/mercadopago'

export type UploadFields = Record<string, string | Buffer>

/** As a browser sends it: files as uploads. */
export function submitAccount(
  dashboardClient: DashboardClient,
  page: string,
  fields: UploadFields,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)]), `${name}.bin`)
  }
  return dashboardClient.upload(page, form)
}

/** The form of another bank, filled in as browsers send it: everything, much of it blank. */
export function buildBankForm(url: string, more: UploadFields = {}): UploadFields {
  return {
    ...{ preset: 'custom', test: 'homologacao', baseUrl: url, tokenUrl: `${url}/oauth/token` },
    ...{ clientId: 'padaria', clientSecret: BANK_SECRET, pixKey: PIX_KEY, pfx: Buffer.alloc(0) },
    ...{ 'cert.texto': '', 'key.texto': '', passphrase: '', tokenAuth: '', extraHeaders: '' },
    ...more,
  }
}

export function submitBankAccount(dashboardClient: DashboardClient, fields: UploadFields) {
  return submitAccount(dashboardClient, BANK_PATH, fields)
}

export function openProviderDashboard(testApp: TestApp) {
  const { db, clock, cipher, newCompany, openReal } = testApp

  const openClient = () => openCompanyClient(testApp)

  /** In the real environment. */
  async function openRealClient() {
    const company = await openReal(await newCompany())
    return {
      company,
      dashboardClient: await openDashboardClient(testApp, { companyId: company.id }),
    }
  }

  /** All that a company must have told before it may go live. */
  async function prepare({ id }: TestCompany, changes: object = {}) {
    const whole = { taxId: '11222333000181', supportEmail: 'oi@padaria.example' }
    await updateCompany(db, id, { ...whole, ...changes }, clock.now())
  }

  async function providersOf({ id }: Pick<TestCompany, 'id'>) {
    const { pixProvider, cardProvider } = (await findCompany(db, id))!
    return [pixProvider, cardProvider]
  }

  async function accountOf({ id }: TestCompany, provider: RealProvider) {
    const row = await findAccount(db, id, provider)
    return (
      row && {
        ...row,
        config: JSON.parse(
          cipher.decrypt(
            row.config,
            'provider_accounts.config',
            `${row.companyId} ${row.provider}`,
          ),
        ),
      }
    )
  }

  /** What was done, the last first. */
  async function auditOf({ id }: TestCompany) {
    const entries = await listAudit(db, id, { limit: 20 })
    return entries.map(({ action, subject }) => `${action} ${subject}`)
  }

  return { openClient, openRealClient, prepare, providersOf, accountOf, auditOf }
}
