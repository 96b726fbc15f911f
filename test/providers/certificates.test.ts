// The certificates of banks that companies gave us, and when they end.
import { expect, test } from 'vitest'
import { saveAccount } from '../../src/providers/accounts.ts'
import { keepEnding, listCertificates } from '../../src/providers/certificates.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import { openDashboardClient } from '../support/dashboard/client.ts'
import { readPageText } from '../support/payer.ts'
import { openCertificates } from '../support/providers/certificates.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, cipher, clock, needs, newCompany } = testApp
const certificates = openCertificates()
const { issue } = await certificates.authority()

const DAY_MS = 86_400_000

/** Of a company that is paid by it, or by the sandbox still. */
async function saveBank(identity: object, { chosen = true } = {}) {
  const { id: companyId } = await newCompany()
  const address = { baseUrl: 'https://127.0.0.1:1/pix/v2', tokenUrl: 'https://127.0.0.1:1/token' }
  const client = { clientId: 'id', clientSecret: 'segredo', pixKey: 'pix@padaria.com.br' }
  await saveAccount(
    { db, cipher, log: needs.log, allowPrivate: true },
    {
      ...{ companyId, provider: 'pix-api', now: clock.now() },
      config: { preset: 'custom', test: true, ...address, ...client, ...identity },
    },
  )
  if (chosen) {
    const choice = { companyId, method: 'pix', provider: 'pix-api', now: clock.now() } as const
    await chooseProvider(db, choice)
  }
  return companyId
}

test('each certificate is told with its end, the first to end first; what cannot be read or is not used is left out', async () => {
  const long = await saveBank(await issue({ days: 90 }))
  const ended = await saveBank(await issue({ days: -1 }))
  const short = await saveBank(await certificates.pfxOf(await issue({ days: 20 })))
  const { cert, key } = await issue({ days: 40 })
  const inOneFile = await saveBank({ cert: `${key}${cert}` })
  const inTheOtherField = await saveBank({ key: `${cert}${key}` })
  await saveBank({})
  await saveBank(await issue({ days: -1 }), { chosen: false })
  const unreadable = await saveBank(await issue({ days: 5 }))
  await db.$client.query('update provider_accounts set config = $1 where company_id = $2', [
    Buffer.from('not sealed by us'),
    unreadable,
  ])

  const listed = await listCertificates(db, cipher)

  expect(listed.map(({ companyId }) => companyId)).toEqual([
    ...[ended, short, inOneFile, inTheOtherField, long],
  ])
  const days = listed.map(({ until }) =>
    Math.round((until.getTime() - clock.now().getTime()) / DAY_MS),
  )
  expect(days).toEqual([-1, 20, 40, 40, 90])
  expect(keepEnding(listed, clock.now()).map(({ companyId }) => companyId)).toEqual([ended, short])
})

test.each([
  [20, /O certificado do banco vale até \d\d\/\d\d\/\d{4}, e depois disso não há Pix/],
  [-1, /O certificado do banco venceu em \d\d\/\d\d\/\d{4}, e sem ele não há Pix/],
])(
  'the start page tells who may change a certificate that it ends in %i days',
  async (days, told) => {
    const companyId = await saveBank(await issue({ days }))
    const readStart = async (role: 'owner' | 'accountant') => {
      const client = await openDashboardClient(testApp, { companyId, role })
      return readPageText((await client.get('/painel')).body)
    }

    expect(await readStart('owner')).toMatch(told)
    expect(await readStart('accountant')).not.toContain('certificado do banco')
  },
)
