// Many links chosen in the list and changed at once, as a browser without JavaScript does it.
import { expect } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import type { TestApp, TestCompany } from '../test-app.ts'
import type { DashboardClient } from './client.ts'
import { readFormFields } from './html.ts'
import { openLinkDashboard } from './links.ts'
import { readMainText } from './webhooks.ts'

export const LINKS = '/painel/links'
const BULK = `${LINKS}/lote`

type BulkChoice = { link?: string[]; acao: string; etiqueta?: string; todos?: 'on' }

export function openLinkBulks(testApp: TestApp) {
  const { openClient, create, readLink } = openLinkDashboard(testApp)

  /** A company with these links, at the list of them. */
  async function openLinks(...fields: object[]) {
    const { company, dashboardClient } = await openClient()
    const links = []
    for (const one of fields) links.push(await create(company, one))
    return {
      company,
      client: dashboardClient,
      ids: links.map(({ id }) => id),
      ...openBulks(dashboardClient),
    }
  }

  async function statesOf(ids: string[]) {
    const links = await Promise.all(ids.map((id) => readLink(id)))
    return links.map(({ status }) => status)
  }

  async function auditOf(company: TestCompany) {
    const entries = await listAudit(testApp.db, company.id, { limit: 9 })
    return entries.map(({ action, subject, details }) => [action, subject, details.links])
  }

  return { openLinks, statesOf, auditOf }
}

export function openBulks(client: DashboardClient) {
  /** The form of the list as it is shown now. */
  async function openForm(query = '') {
    const { body } = await client.get(LINKS + query)
    const { lote = [], ate = [], filtro = [] } = readFormFields(body, BULK)
    return { lote, ate, filtro }
  }

  /** Answers where that leads. */
  async function send(form: Record<string, string[]>, choice: BulkChoice) {
    const answer = await client.post(BULK, { ...form, ...choice })
    expect(answer.statusCode).toBe(303)
    return String(answer.headers.location)
  }

  /** What the list says then. */
  async function readNotice(address: string) {
    const { body } = await client.get(address)
    const start = body.indexOf('class="notice')
    return start === -1
      ? null
      : readMainText(`<main ${body.slice(start, body.indexOf('</div>', start))}`).trim()
  }

  async function act(choice: BulkChoice, query = '') {
    return send(await openForm(query), choice)
  }

  return { openForm, send, act, readNotice }
}
