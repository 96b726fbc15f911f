// Owners who give their company a colour and a logo.
import sharp from 'sharp'
import { listAudit } from '../../src/companies/audit.ts'
import { findCompany } from '../../src/companies/company.ts'
import { signedIn } from './desk.ts'
import type { House, TestCompany } from './house.ts'

export const BRAND = '/painel/ajustes/marca'
export const REMOVE_LOGO = '/painel/ajustes/logo/remover'

export function image(background: string) {
  return sharp({ create: { width: 60, height: 30, channels: 3, background } })
}

export const PNG = await image('#b4531f').png().toBuffer()

/** The form as browsers send it: with an empty file of a field that nobody filled in. */
export function brandForm(color: string, logo?: Buffer) {
  const form = new FormData()
  form.append('color', color)
  form.append('logo', new Blob(logo ? [new Uint8Array(logo)] : []), logo ? 'logo.png' : '')
  return form
}

export function openBrandDesk(house: House) {
  const { db, newCompany } = house

  async function openDesk(role: 'owner' | 'member' = 'owner') {
    const company = await newCompany()
    return { company, desk: await signedIn(house, { companyId: company.id, role }) }
  }

  async function logoOf({ id }: TestCompany) {
    return (await findCompany(db, id))!.logoUrl
  }

  /** What was done, the last first. */
  async function actionsOf({ id }: TestCompany) {
    return (await listAudit(db, id, { limit: 9 })).map(({ action }) => action)
  }

  return { openDesk, logoOf, actionsOf }
}
