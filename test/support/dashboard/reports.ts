// The reports of a company, seen by somebody of it at some instant.
import { openPayments } from '../payments.ts'
import { openTestApp } from '../test-app.ts'
import { openDashboardClient } from './client.ts'

export const REPORTS = '/painel/relatorios'
/** Within the period that reports begin with at the instant that `openClient` goes to by itself. */
export const IN = '2026-11-10T15:00:00.000Z'

export async function openReports() {
  const testApp = await openTestApp()
  const payments = openPayments(testApp)
  const { clock } = testApp

  /** A company with somebody at its desk, at that instant. */
  async function openClient(at = '2026-11-21T15:00:00.000Z') {
    clock.offsetMs = Date.parse(at) - Date.now()
    const testMerchant = await payments.newMerchant()
    const { companyId } = testMerchant
    const dashboardClient = await openDashboardClient(testApp, { companyId, role: 'member' })
    return { testMerchant, dashboardClient }
  }

  return { clock, ...payments, openClient }
}

/** The first day and the last, as the form of the period has them. */
export function readPeriod(html: string) {
  return ['de', 'ate'].map((id) => html.match(`<input id="${id}"[^>]*? value="([^"]*)"`)?.[1])
}
