// People who upload files of links, and confirm what the page of the check says.
import { eq } from '../../../src/database/drizzle.ts'
import { paymentLinks } from '../../../src/database/tables.ts'
import type { TestApp, TestCompany } from '../test-app.ts'
import { openDashboardClient } from './client.ts'

export const IMPORTS_PATH = '/painel/links/importar'

type Client = Awaited<ReturnType<typeof openDashboardClient>>
type FileContent = string | Uint8Array<ArrayBuffer>

export function openLinkImports(testApp: TestApp) {
  const { db, newCompany } = testApp

  async function openClient(role: 'owner' | 'member' = 'member') {
    const company = await newCompany()
    return { company, client: await openDashboardClient(testApp, { companyId: company.id, role }) }
  }

  function upload(client: Client, content: FileContent, name = 'links.csv') {
    const form = new FormData()
    form.append('arquivo', new Blob([content]), name)
    return client.upload(IMPORTS_PATH, form)
  }

  /** Uploads and answers the page that says what would be made. */
  async function checkFile(client: Client, content: FileContent, name?: string) {
    return (await upload(client, content, name)).body
  }

  /** Presses the button of that page. */
  function confirm(client: Client, page: string, ticked: Record<string, string | string[]> = {}) {
    return client.post(`${IMPORTS_PATH}/confirmar`, { conferido: readPacked(page), ...ticked })
  }

  async function linksOf({ id }: TestCompany) {
    return db
      .select()
      .from(paymentLinks)
      .where(eq(paymentLinks.companyId, id))
      .orderBy(paymentLinks.id)
  }

  return { openClient, upload, checkFile, confirm, linksOf }
}

/** What the page carries to the press of its button. */
export function readPacked(page: string) {
  return page.match(/name="conferido" value="([^"]+)"/)?.[1] ?? ''
}

/** The faults that a page shows: line, column, sentence. */
export function readFaults(html: string): string[][] {
  return [...html.matchAll(/<th scope="row">Linha (\d+)<\/th>([\s\S]*?)<\/tr>/g)].flatMap(
    ([, line, row]) =>
      [...row!.matchAll(/<li>(?:<code>(.*?)<\/code> )?(.*?)<\/li>/g)].map(([, column, message]) => [
        line!,
        column ?? '',
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
