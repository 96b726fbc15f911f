// People who upload files of links, and the worker that makes them, a transaction at a time.
import { eq } from '../../../src/database/drizzle.ts'
import { linkImportRows, linkImports, paymentLinks } from '../../../src/database/tables.ts'
import { makeImportedLinks } from '../../../src/payment-links/import/run.ts'
import type { TestApp, TestCompany } from '../test-app.ts'
import { openDashboardClient } from './client.ts'

export const IMPORTS_PATH = '/painel/links/importar'

type Client = Awaited<ReturnType<typeof openDashboardClient>>

export function openLinkImports(testApp: TestApp) {
  const { db, newCompany, clock } = testApp

  async function openClient(role: 'owner' | 'member' = 'member') {
    const company = await newCompany()
    return { company, client: await openDashboardClient(testApp, { companyId: company.id, role }) }
  }

  function upload(client: Client, content: string | Uint8Array<ArrayBuffer>, name = 'links.csv') {
    const form = new FormData()
    form.append('arquivo', new Blob([content]), name)
    return client.upload(IMPORTS_PATH, form)
  }

  /** Uploads and answers the page of the preview. */
  async function uploadFile(client: Client, content: string | Uint8Array<ArrayBuffer>) {
    const response = await upload(client, content)
    const path = String(response.headers.location)
    return { path, id: path.split('/').at(-1)!, page: (await client.get(path)).body }
  }

  async function runToEnd() {
    while ((await makeImportedLinks(db, clock.now())).kind === 'worked');
  }

  /** Confirms, makes all, and answers the page of the outcome. */
  async function confirmAndRun(client: Client, path: string) {
    await client.post(`${path}/confirmar`)
    await runToEnd()
    return (await client.get(path)).body
  }

  async function linksOf({ id }: TestCompany) {
    return db
      .select()
      .from(paymentLinks)
      .where(eq(paymentLinks.companyId, id))
      .orderBy(paymentLinks.id)
  }

  async function rowsOf(id: string) {
    return db
      .select()
      .from(linkImportRows)
      .where(eq(linkImportRows.importId, id))
      .orderBy(linkImportRows.line)
  }

  async function readImport(id: string) {
    const [found] = await db.select().from(linkImports).where(eq(linkImports.id, id))
    return found
  }

  const running = { runToEnd, confirmAndRun }
  return { openClient, upload, uploadFile, ...running, linksOf, rowsOf, readImport }
}

/** The faults that a page shows: line, column, sentence. */
export function readFaults(html: string): string[][] {
  return [...html.matchAll(/<th scope="row">Linha (\d+)<\/th>([\s\S]*?)<\/tr>/g)].flatMap(
    ([, line, row]) =>
      [...row!.matchAll(/<li><code>(.*?)<\/code> (.*?)<\/li>/g)].map(([, column, message]) => [
        line!,
        column!,
        message!.replaceAll('&quot;', '"'),
      ]),
  )
}

/** The sentences at the file's field. */
export function readFileErrors(html: string) {
  return [...html.matchAll(/id="arquivo-error-\d+">.*?<\/span>(.*?)<\/p>/g)].map(([, message]) =>
    message!.replaceAll('&quot;', '"'),
  )
}
