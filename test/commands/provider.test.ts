// The operators' way to a company's accounts at providers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listAudit, OPERATOR } from '../../src/companies/audit.ts'
import { findCompany } from '../../src/companies/company.ts'
import { findAccount } from '../../src/providers/accounts.ts'
import { BANK_CONFIG } from '../support/providers/accounts.ts'
import { openFakeBank, PIX_KEY } from '../support/providers/bank/fake.ts'
import { openFakeMercadoPago } from '../support/providers/mercadopago/fake.ts'
import { openFakeOpenPix } from '../support/providers/openpix/fake.ts'
import { type Answer, runCommand } from '../support/run-command.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, url, cipher, secretKey, newCompany, stored } = await openTestApp()
const folder = mkdtempSync(join(tmpdir(), 'vintem-provider-'))

afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: object | string) {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function cli(...args: string[]): Promise<Answer> {
  const env = {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    BASE_URL: 'https://vintem.example.com',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  return runCommand(['provider', ...args], env)
}

const SANDBOX_PIX = ['--method', 'pix', '--provider', 'sandbox']

function setPix(companyId: string, ...more: string[]) {
  return cli('set', '--company', companyId, '--method', 'pix', '--provider', 'pix-api', ...more)
}

async function pixOf(companyId: string) {
  return (await findCompany(db, companyId))?.pixProvider
}

test('an account without a working connection is not chosen, unless that is asked for', async () => {
  const { id: testId, realId: id } = await newCompany()
  const file = write('bank.json', { ...BANK_CONFIG, test: false })

  const refused = await setPix(testId, '--live', '--config', file)
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /^Nothing was changed, because the connection does not work: .*recusou/,
  )
  expect(await findAccount(db, id, 'pix-api')).toBeUndefined()
  const set = await setPix(id, '--live', '--config', file, '--untested', '--json')

  const account = (await findAccount(db, id, 'pix-api'))!
  expect(set.status).toBe(0)
  expect(JSON.parse(set.stdout)).toMatchObject({
    companyId: id,
    method: 'pix',
    provider: 'pix-api',
    testMode: false,
    notifyUrl: `https://vintem.example.com/webhooks/pix-api/${account.notifyToken}`,
    steps: expect.arrayContaining([expect.objectContaining({ ok: false })]),
  })
  const log = await listAudit(db, id, { limit: 10 })
  expect(log.map(({ action }) => action)).toEqual(['provider_chosen', 'provider_account_saved'])
  expect(log[0]).toMatchObject({ actor: OPERATOR, details: { method: 'Pix' } })
  expect([await pixOf(id), await pixOf(testId)]).toEqual(['pix-api', 'sandbox'])
  expect(await stored()).not.toContain(Buffer.from(BANK_CONFIG.clientSecret).toString('hex'))
})

test('certificates are read from files beside the configuration', async () => {
  const { id } = await newCompany()
  write('bank.p12', 'not a certificate')
  const file = write('files.json', { ...BANK_CONFIG, pfxFile: 'bank.p12', passphrase: 'senha' })
  await setPix(id, '--config', file, '--untested')

  const { config } = (await findAccount(db, id, 'pix-api'))!

  const { pfx } = JSON.parse(cipher.decrypt(config, 'provider_accounts.config', `${id} pix-api`))
  expect(Buffer.from(pfx, 'base64').toString()).toBe('not a certificate')
})

test('what is shown holds no secret, and a test says what is wrong', async () => {
  const { id } = await newCompany()
  await setPix(id, '--config', write('shown.json', BANK_CONFIG), '--untested')

  const [text, json, tried] = await Promise.all([
    cli('show', '--company', id),
    cli('show', '--company', id, '--json'),
    cli('test', '--company', id, '--provider', 'pix-api', '--json'),
  ])

  expect(text.stdout).toContain('Test environment\npix: pix-api\ncredit_card: sandbox\n')
  expect(JSON.parse(json.stdout)).toMatchObject({
    testMode: true,
    chosen: { pix: 'pix-api', credit_card: 'sandbox' },
    accounts: [{ provider: 'pix-api', config: { clientSecret: '••••0042' } }],
  })
  expect(text.stdout + json.stdout).not.toContain(BANK_CONFIG.clientSecret)
  expect(tried.status).toBe(1)
  expect(JSON.parse(tried.stdout).steps[0]).toMatchObject({ step: 'token', ok: false })
})

test('Pix goes to Woovi by an AppID, and Woovi is told where to notify', async () => {
  const { id } = await newCompany()
  const woovi = await openFakeOpenPix()
  const file = write('woovi.json', woovi.config)
  const choice = ['--company', id, '--method', 'pix', '--provider', 'openpix', '--json']

  const set = await cli('set', ...choice, '--config', file)
  const shown = await cli('show', '--company', id, '--json')

  const { notifyUrl, steps } = JSON.parse(set.stdout)
  expect(steps.map(({ step, ok }: { step: string; ok: boolean }) => ok && step)).toEqual([
    ...['token', 'read', 'webhook', 'register'],
  ])
  expect(woovi.book.webhooks.length).toBeGreaterThan(0)
  expect(woovi.book.webhooks.every(({ url }) => url === notifyUrl)).toBe(true)
  expect(JSON.parse(shown.stdout).chosen.pix).toBe('openpix')
  expect(set.stdout + shown.stdout).not.toContain(woovi.config.appId)
  expect(await pixOf(id)).toBe('openpix')
})

test('the address of another system is shown and kept, until it is to be replaced', async () => {
  const { id } = await newCompany()
  const bank = await openFakeBank()
  const theirs = 'https://erp.example.com/pix'
  bank.book.webhooks.set(PIX_KEY, theirs)

  const kept = await setPix(id, '--config', write('kept.json', bank.config), '--json')
  const standing = bank.book.webhooks.get(PIX_KEY)
  const [said, shown] = [await setPix(id), await cli('show', '--company', id)]
  const replaced = await setPix(id, '--replace-webhook', '--json')

  expect(JSON.parse(kept.stdout)).toMatchObject({ registration: { kind: 'kept', url: theirs } })
  expect([kept.status, standing]).toEqual([0, theirs])
  expect(said.stdout).toContain(`${theirs} is registered there and was not replaced`)
  expect(said.stdout).toContain('--replace-webhook')
  expect(shown.stdout).toContain(`kept ${theirs}`)
  const { notifyUrl, registration } = JSON.parse(replaced.stdout)
  expect(registration).toEqual({ kind: 'registered' })
  expect(bank.book.webhooks.get(PIX_KEY)).toBe(notifyUrl)
})

test('credentials go with the environment that they are for, and the sandbox with tests', async () => {
  const { id, realId } = await newCompany()
  const [ofTests, ofReal] = [
    write('tests.json', BANK_CONFIG),
    write('real.json', { ...BANK_CONFIG, test: false }),
  ]

  const refused = [
    await setPix(id, '--config', ofReal, '--untested'),
    await setPix(id, '--test', '--config', ofReal, '--untested'),
    await setPix(id, '--live', '--config', ofTests, '--untested'),
    await cli('set', '--live', ...SANDBOX_PIX, '--company', id),
  ]

  for (const { status, stderr } of refused) {
    expect(status).toBe(1)
    expect(stderr).toBe(
      'Use --test for test credentials and the sandbox, and --live for credentials that move real money.\n',
    )
  }
  expect([await pixOf(id), await pixOf(realId)]).toEqual(['sandbox', null])
})

test('what is shown and set is of the test environment before the company goes live, and of the real one after', async () => {
  const { id, realId } = await newCompany()
  const show = async (...more: string[]) =>
    JSON.parse((await cli('show', '--company', id, '--json', ...more)).stdout)
  const before = await show()
  const live = write('live.json', { ...BANK_CONFIG, test: false })
  await setPix(id, '--live', '--config', live, '--untested')

  const after = [await show(), await show('--test'), await show('--live')]
  const back = await cli('set', ...SANDBOX_PIX, '--company', id, '--json')

  expect(before).toMatchObject({ companyId: id, testMode: true, chosen: { pix: 'sandbox' } })
  expect(after).toMatchObject([
    { companyId: realId, testMode: false, chosen: { pix: 'pix-api', credit_card: null } },
    { companyId: id, testMode: true },
    { companyId: realId, testMode: false },
  ])
  expect(JSON.parse(back.stdout)).toMatchObject({ companyId: id, testMode: true })
  expect(await pixOf(realId)).toBe('pix-api')
  expect(await findAccount(db, realId, 'pix-api')).toBeDefined()
})

test.each<[string, object | string, RegExp]>([
  ['no JSON', 'clientSecret: segredo', /is not a JSON object\.\n$/],
  ['an unknown field', { ...BANK_CONFIG, senha: 'x' }, /The configuration is refused\. senha: /],
  ['an unknown bank', { ...BANK_CONFIG, preset: 'x' }, /preset: Use um destes valores: /],
  ['a missing field', { ...BANK_CONFIG, clientId: undefined }, /clientId: Campo obrigatório\.\n$/],
  ['a number for a text', { ...BANK_CONFIG, clientId: 1 }, /clientId: Informe um texto\.\n$/],
  ['a file that is not there', { ...BANK_CONFIG, caFile: 'none.pem' }, /none\.pem cannot be read/],
])('%s is refused in one sentence that quotes no secret', async (_what, content, sentence) => {
  const { id } = await newCompany()

  const refused = await setPix(id, '--config', write('wrong.json', content))

  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toMatch(sentence)
  expect(refused.stderr).not.toContain('segredo')
})

test('a bank takes no cards, and without an account there is nothing to choose', async () => {
  const { id } = await newCompany()
  const file = write('cards.json', BANK_CONFIG)
  const cards = ['set', '--company', id, '--method', 'credit_card', '--provider', 'pix-api']

  const [wrong, missing] = await Promise.all([
    cli(...cards, '--config', file, '--untested'),
    setPix((await newCompany()).id),
  ])

  expect(wrong.stderr).toBe('The provider does not offer this method.\n')
  expect(missing.stderr).toBe(
    'The company has no account at pix-api: make one by provider set --config FILE.json.\n',
  )
})

test('at Mercado Pago who bears fraud is chosen, and both events to be ticked are named', async () => {
  const { id } = await newCompany()
  const fake = await openFakeMercadoPago()
  const account = fake.config
  const setCards = (liabilityShift: string) => {
    const file = write(`mercadopago-${liabilityShift}.json`, { ...account, liabilityShift })
    const choice = ['--method', 'credit_card', '--provider', 'mercadopago', '--config', file]
    return cli('set', '--company', id, ...choice)
  }

  const wrong = await setCards('never')
  const set = await setCards('preferred')
  const shown = await cli('show', '--company', id)

  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toContain('The configuration is refused. liabilityShift:')
  expect(set).toMatchObject({ status: 0, stderr: '' })
  expect(set.stdout).toContain('tick two events: Order (Mercado Pago) and Chargebacks.')
  expect(shown.stdout).toMatch(/liabilityShift +"preferred"/)
})
