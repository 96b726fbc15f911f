// Owners who give their company a colour and a logo.
import sharp from 'sharp'
import { listAudit } from '../../../src/companies/audit.ts'
import { findCompany } from '../../../src/companies/company.ts'
import type { TestApp, TestCompany } from '../test-app.ts'
import { openCompanyClient } from './client.ts'

export const BRAND_PATH = '/painel/ajustes/marca'
export const REMOVE_LOGO_PATH = '/painel/ajustes/logo/remover'

export function createImage(background: string, width = 60) {
  return sharp({ create: { width, height: 30, channels: 3, background } })
}

export const PNG = await createImage('#b4531f').png().toBuffer()

/** The form as browsers send it: with an empty file for a field that was left blank. */
export function buildBrandForm(color: string, logo?: Buffer) {
  const form = new FormData()
  form.append('color', color)
  form.append('logo', new Blob(logo ? [new Uint8Array(logo)] : []), logo ? 'logo.png' : '')
  return form
}

export function openBrandDashboard(testApp: TestApp) {
  const { db } = testApp

  const openClient = () => openCompanyClient(testApp)

  async function logoOf({ id }: TestCompany) {
    return (await findCompany(db, id))!.logoUrl
  }

  /** What was done, the last first. */
  async function actionsOf({ id }: TestCompany) {
    return (await listAudit(db, id, { limit: 9 })).map(({ action }) => action)
  }

  return { openClient, logoOf, actionsOf }
}
