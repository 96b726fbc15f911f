// What a logo of an older version is, which its company's row did not say.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { findCompany, updateCompany } from '../../src/companies/company.ts'
import { sql } from '../../src/database/drizzle.ts'
import { listMigrations } from '../../src/database/migrations/files.ts'
import { companyLogos } from '../../src/database/tables.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, newCompany } = await openTestApp()

const NOW = new Date('2026-03-01T12:00:00.000Z')

test.each([
  ['a wide one on nothing', 300, '#00aa7780', { logoWide: true, logoOpaque: false }],
  ['a wide one of its own ground', 300, '#0a7', { logoWide: true, logoOpaque: true }],
  ['a square one', 100, '#0a7', { logoWide: false, logoOpaque: true }],
])(
  'what an older version knew not of %s is read from the logo itself',
  async (_what, width, ground, known) => {
    const { realId: companyId } = await newCompany()
    const create = { width, height: 100, channels: 4, background: ground } as const
    await db.insert(companyLogos).values({
      ...{ companyId, contentType: 'image/webp' },
      content: await sharp({ create }).webp().toBuffer(),
    })
    await updateCompany(db, companyId, { logoWide: false, logoOpaque: false }, NOW)
    const { statements } = listMigrations().find(({ tag }) => tag.endsWith('_logo_for_the_dark'))!

    await db.execute(sql.raw(statements.at(-1)!))

    expect(await findCompany(db, companyId)).toMatchObject(known)
  },
)
