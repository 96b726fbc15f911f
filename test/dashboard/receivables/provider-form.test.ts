// The form of an account at a bank: what stays, what is refused and where, and what is done with the
// account that was saved.

import { afterEach, expect, test } from 'vitest'
import { providerPageTexts } from '../../../src/dashboard/receivables/texts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import { providerAccountTexts } from '../../../src/providers/texts.ts'
import { openFakeBank } from '../../support/fake-bank.ts'
import { openHouse } from '../../support/house.ts'
import { errorsIn, read } from '../../support/link-desk.ts'
import { textOf } from '../../support/payer.ts'
import {
  BANK_PAGE,
  BANK_SECRET,
  bankForm,
  openProviderDesk,
  sendBank,
} from '../../support/provider-desk.ts'

const house = await openHouse({ local: true })
const { db, clock } = house
const { openDesk, channelsOf, accountOf, auditOf } = openProviderDesk(house)
const plain = await openFakeBank()

afterEach(() => plain.heal())

test('what is left blank stays, but not at another bank, nor where that is asked for', async () => {
  const { company, desk } = await openDesk()
  await sendBank(desk, bankForm(plain.url))

  const kept = await sendBank(desk, bankForm(plain.url, { clientSecret: '', scope: 'cob.read' }))
  const config = (await accountOf(company, 'pix-api'))!.config
  const other = await sendBank(desk, bankForm(plain.url, { preset: 'santander', clientSecret: '' }))
  const anew = await sendBank(desk, bankForm(plain.url, { clientSecret: '', semManter: 'on' }))

  expect(kept.statusCode).toBe(303)
  expect(config).toMatchObject({ clientSecret: BANK_SECRET, scope: 'cob.read' })
  expect(errorsIn(other.body)).toContainEqual(['clientSecret', 'Informe o Client Secret.'])
  expect(errorsIn(anew.body)).toEqual([['clientSecret', 'Informe o Client Secret.']])
  expect((await accountOf(company, 'pix-api'))!.config).toEqual(config)
})

test('what is wrong stands at its field, what was typed stays, secrets do not', async () => {
  const { company, desk } = await openDesk()
  const form = bankForm('http://banco.example.com', {
    ...{ clientId: '', clientSecret: 'segredo-que-nao-volta', pixKey: '<script>' },
    ...{ extraHeaders: 'sem dois pontos', merchantCity: 'Uma cidade comprida demais' },
  })

  const answer = await sendBank(desk, form)
  const pairs = await sendBank(desk, { ...form, extraHeaders: '' })

  expect(answer.statusCode).toBe(422)
  expect(errorsIn(answer.body)).toEqual([
    ['extraHeaders', 'Escreva um por linha, como nome: valor.'],
  ])
  expect(errorsIn(pairs.body).map(([field]) => field)).toEqual([
    ...['baseUrl', 'tokenUrl', 'clientId', 'pixKey', 'merchantCity'],
  ])
  expect(errorsIn(pairs.body)).toContainEqual(['clientId', 'Preencha: Client ID.'])
  for (const { body } of [answer, pairs]) {
    expect(body).toContain('value="&lt;script&gt;"')
    expect(body).toContain('Uma cidade comprida demais')
    expect(body).not.toContain('segredo-que-nao-volta')
  }
  expect(await accountOf(company, 'pix-api')).toBeUndefined()
})

test('headers, parameters and lists are read as they are written, and shown again', async () => {
  const { company, desk } = await openDesk()
  const more = {
    extraHeaders: 'x-conta: 123\r\nx-id: {uuid}',
    extraQuery: 'a: b',
    'extraQuery.gw-dev-app-key': 'chave-de-desenvolvedor',
    copyPasteFields: 'pixCopiaECola, qr',
    ...{ tokenAuth: 'body', grantInQuery: 'nao', skipMtlsHeader: 'sim' },
  }

  await sendBank(desk, bankForm(plain.url, more))
  const page = await read(desk, BANK_PAGE)

  expect((await accountOf(company, 'pix-api'))!.config).toMatchObject({
    extraHeaders: { 'x-conta': '123', 'x-id': '{uuid}' },
    extraQuery: { a: 'b', 'gw-dev-app-key': 'chave-de-desenvolvedor' },
    copyPasteFields: ['pixCopiaECola', 'qr'],
    ...{ tokenAuth: 'body', grantInQuery: false, skipMtlsHeader: true },
  })
  expect(page).toContain('x-conta: 123\nx-id: {uuid}</textarea>')
  expect(page).toContain('>a: b</textarea>')
  expect(page).toContain('value="pixCopiaECola, qr"')
  expect(page).toMatch(/value="nao" selected/)
  expect(page).not.toContain('chave-de-desenvolvedor')
})

test('an account in use is not overwritten by one that does not work, unless that is said', async () => {
  const { company, desk } = await openDesk()
  await sendBank(desk, bankForm(plain.url))
  await chooseProvider(db, {
    companyId: company.id,
    method: 'pix',
    provider: 'pix-api',
    now: clock.now(),
  })
  const wrong = bankForm(plain.url, { clientSecret: 'outro-segredo-9999' })

  const refused = await sendBank(desk, wrong)
  const kept = (await accountOf(company, 'pix-api'))!.config
  const forced = await sendBank(desk, { ...wrong, mesmoAssim: 'on' })

  expect(errorsIn(refused.body)).toEqual([['mesmoAssim', providerPageTexts.notSaved]])
  expect(refused.body).toContain('id="mesmoAssim"')
  expect(kept.clientSecret).toBe(BANK_SECRET)
  expect(forced.statusCode).toBe(303)
  expect((await accountOf(company, 'pix-api'))!.config.clientSecret).toBe('outro-segredo-9999')
})

test('the bank is told where to send its notifications, and the page says when it would not be', async () => {
  const { company, desk } = await openDesk()
  await sendBank(desk, bankForm(plain.url))
  const { notifyToken } = (await accountOf(company, 'pix-api'))!

  const done = await desk.post(`${BANK_PAGE}/notificacoes`)
  plain.next({ on: /^PUT .webhook/, does: 'answer', status: 400, body: '{}' })
  const refused = await desk.post(`${BANK_PAGE}/notificacoes`)

  const [told] = plain.calls(/^PUT .webhook/).map(({ text }) => JSON.parse(text).webhookUrl)
  expect(told).toBe(`${house.needs.baseUrl}/webhooks/pix-api/${notifyToken}`)
  expect(done.headers.location).toBe(`${BANK_PAGE}?feito=notificacoes-registradas`)
  expect(refused.statusCode).toBe(422)
  expect(errorsIn(refused.body)).toEqual([['notificacoes', providerAccountTexts.notRegistered]])
})

test('an account is removed after a question, but not while it is in use', async () => {
  const { company, desk } = await openDesk()
  await sendBank(desk, bankForm(plain.url))
  const choice = { companyId: company.id, method: 'pix', now: clock.now() } as const
  await chooseProvider(db, { ...choice, provider: 'pix-api' })

  const question = await read(desk, `${BANK_PAGE}/remover`)
  const refused = await desk.post(`${BANK_PAGE}/remover`)
  await chooseProvider(db, { ...choice, provider: 'sandbox' })
  const removed = await desk.post(`${BANK_PAGE}/remover`)
  const twice = await desk.post(`${BANK_PAGE}/remover`)

  expect(textOf(question)).toContain('Remover a conta Pix do seu banco?')
  expect(refused.statusCode).toBe(422)
  expect(textOf(refused.body)).toContain(providerAccountTexts.chosenRemoved)
  expect(removed.headers.location).toBe('/painel/recebimentos?feito=conta-removida')
  expect(twice.statusCode).toBe(303)
  expect(await accountOf(company, 'pix-api')).toBeUndefined()
  expect((await auditOf(company))[0]).toBe('provider_account_removed Pix do seu banco')
  expect(await channelsOf(company)).toEqual(['sandbox', true, 'sandbox', true])
})

test('an account whose secrets cannot be read any more says so, and can be set up anew', async () => {
  const { company, desk } = await openDesk()
  await sendBank(desk, bankForm(plain.url))
  await db.$client.query(`update provider_accounts set config = '\\x00' where company_id = $1`, [
    company.id,
  ])

  const page = await read(desk, `${BANK_PAGE}?banco=custom`)
  const tried = await desk.post(`${BANK_PAGE}/testar`)
  const notified = await desk.post(`${BANK_PAGE}/notificacoes`)
  const anew = await sendBank(desk, bankForm(plain.url))

  expect(textOf(page)).toContain(providerAccountTexts.unreadable)
  expect(textOf(tried.body)).toContain(providerAccountTexts.unreadable)
  expect(notified.statusCode).toBe(422)
  expect(anew.headers.location).toBe(`${BANK_PAGE}?feito=conta-salva-e-testada`)
})
