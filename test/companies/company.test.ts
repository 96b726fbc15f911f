// What a company sets for itself.
import { expect, test } from 'vitest'
import { findCompany, updateCompany } from '../../src/companies/company.ts'
import { newId } from '../../src/database/id.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, newCompany } = await openTestApp()

const NOW = new Date('2026-03-01T12:00:00.000Z')

test('what is given changes, all else stays, and other companies too', async () => {
  const [ours, theirs] = [await newCompany('Padaria Sol'), await newCompany('Café Ão')]
  const [before, others] = [await findCompany(db, ours.id), await findCompany(db, theirs.id)]
  const changes = { city: 'RECIFE', supportEmail: 'oi@padaria.com.br', interestRateBps: 0 }

  const changed = await updateCompany(db, ours.id, changes, NOW)

  const company = { ...before, ...changes, updatedAt: NOW.toISOString() }
  expect(changed).toEqual({ kind: 'updated', company })
  expect(await findCompany(db, ours.id)).toEqual(company)
  expect(await findCompany(db, theirs.id)).toEqual(others)
})

test('a value can be taken back, and nothing given changes nothing but the time', async () => {
  const { id } = await newCompany()
  await updateCompany(db, id, { color: '#00aa77', askPhone: true }, NOW)

  const cleared = await updateCompany(db, id, { color: null, askPhone: false }, NOW)

  expect(cleared).toMatchObject({ kind: 'updated', company: { color: null, askPhone: false } })
  expect(await updateCompany(db, id, {}, NOW)).toEqual(cleared)
  expect(await updateCompany(db, newId(), { name: 'X' }, NOW)).toEqual({ kind: 'notFound' })
})
