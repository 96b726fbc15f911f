// The contact for security reports about this installation.
import { expect, test } from 'vitest'
import { updateCompany } from '../../src/companies/company.ts'
import { DAY_MS } from '../../src/database/instant.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp({ baseUrl: 'https://vintem.example.com' })
const { app, db, clock, newCompany } = testApp

async function readFields() {
  const { statusCode, headers, body } = await app.inject('/.well-known/security.txt')
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(body).toMatch(/^([A-Z][\w-]+: \S[^\n]*\n)+$/)
  return Object.fromEntries(
    body
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2)),
  )
}

test('security.txt names the contact of the oldest company, and till then the mailbox of the host', async () => {
  const [first, second] = [await newCompany(), await newCompany()]

  const before = await readFields()
  await updateCompany(db, second.realId, { supportEmail: 'oi@outra.example' }, clock.now())
  await updateCompany(db, first.realId, { supportEmail: 'oi@padaria.example' }, clock.now())
  const after = await readFields()

  expect(before).toEqual({
    Contact: 'mailto:security@vintem.example.com',
    Expires: expect.any(String),
    'Preferred-Languages': 'pt-BR, en',
    Canonical: 'https://vintem.example.com/.well-known/security.txt',
  })
  expect(after.Contact).toBe('mailto:oi@padaria.example')
  const daysLeft = (Date.parse(before.Expires!) - clock.now().getTime()) / DAY_MS
  expect(daysLeft).toBeGreaterThan(30)
  expect(daysLeft).toBeLessThan(365)
})
