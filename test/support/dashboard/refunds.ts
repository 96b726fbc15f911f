// Refunds at the dashboard: a payment that can be given back, and the forms that its owner fills in.

import { readFormFields } from '../payer.ts'
import type { TestApp } from '../test-app.ts'
import { openRefunds } from '../transactions/refunds.ts'
import { type DashboardClient, openDashboardClient } from './client.ts'
import { readPage } from './links.ts'

export function buildPaymentPath(id: string, path = '') {
  return `/painel/transacoes/${id}${path}`
}

export function openRefundDashboard(testApp: TestApp) {
  const { newApprovedPayment } = openRefunds(testApp)

  /** A person at the dashboard of a company that was paid R$ 100,00 by card. */
  async function openClient(role: 'owner' | 'member' = 'owner') {
    const paid = await newApprovedPayment()
    return {
      ...paid,
      dashboardClient: await openDashboardClient(testApp, { companyId: paid.company.id, role }),
    }
  }

  /** Opens the form, fills this in and sends it on to the question. */
  async function fill(
    dashboardClient: DashboardClient,
    id: string,
    filled: Record<string, string> = {},
  ) {
    const form = readLastForm(await readPage(dashboardClient, buildPaymentPath(id, '/devolver')))
    return dashboardClient.post(buildPaymentPath(id, '/devolver'), { ...form, ...filled })
  }

  /** Answers the question. */
  async function confirm(dashboardClient: DashboardClient, id: string, question: string) {
    return dashboardClient.post(buildPaymentPath(id, '/devolver/confirmar'), readLastForm(question))
  }

  return { openClient, fill, confirm }
}

/** The fields of a page's last form; the client adds its own token. */
export function readLastForm(html: string) {
  const form = html.slice(html.lastIndexOf('<form'), html.lastIndexOf('</form>'))
  const { _csrf, ...fields } = readFormFields(form)
  return fields
}
