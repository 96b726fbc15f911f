// Shops with Pix at a fake bank and cards at a fake acquirer, on the real program, which may be killed.
import { afterAll, afterEach, expect } from 'vitest'
import type { Database } from '../../../src/database/connect.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { EVENT_TYPES, type PaymentMethod } from '../../../src/database/enums.ts'
import { createLogger } from '../../../src/http/log.ts'
import { buildNotifyUrl, saveAccount } from '../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import type { RealProvider } from '../../../src/providers/registry.ts'
import { emptyDatabase, openDatabase } from '../postgres/database.ts'
import { openConsistencyChecks } from '../processes/consistency-checks.ts'
import { openServices, SECRET_KEY, type Service, startService } from '../processes/service.ts'
import { createTestMerchant, fillCheckoutForm, TRUSTING_ENVIRONMENT } from '../processes/traffic.ts'
import { openReceiver } from '../receiver.ts'
import { type FakeAcquirer, openAcquirers } from './acquirers.ts'
import { openFakeBank } from './bank/fake.ts'

/** All that becomes of a payment once it was begun. */
const OUTCOMES = EVENT_TYPES.filter((type) => type !== 'transaction.created')

/** Each acquirer costs its own processes; the nightly suite tries all of them. */
const TRIED_ACQUIRERS = (process.env.TRIED_ACQUIRERS ?? 'mercadopago').split(',')

export const PRICE_CENTS = 10_000

export async function openRealProviders() {
  const { db, url } = await openDatabase()
  const bank = await openFakeBank()
  const acquirers = (await openAcquirers()).filter(({ provider }) =>
    TRIED_ACQUIRERS.includes(provider),
  )
  const ledger = openConsistencyChecks(db, { bank, acquirers })
  const { start, killAll } = openServices(url, TRUSTING_ENVIRONMENT)
  const findStanding = openStandingServices(url)

  afterEach(async () => {
    await killAll()
    await emptyDatabase(db)
    bank.forget()
    for (const acquirer of acquirers) acquirer.forget()
  })

  const findSurvivor = () => findStanding(1)

  /** Its accounts are for tests, as its environment is. */
  async function open(baseUrl: string, acquirer: FakeAcquirer = acquirers[0]!) {
    const { url: receiverUrl, hits } = await openReceiver()
    const testMerchant = await createTestMerchant(db, baseUrl, { receiverUrl, events: OUTCOMES })
    const { companyId, slug, headers } = testMerchant
    const pix = { method: 'pix', provider: 'pix-api' } as const
    const pixAddress = await saveRealAccount(db, companyId, pix, bank.config)
    const card = { method: 'credit_card', provider: acquirer.provider } as const
    const cardAddress = await saveRealAccount(db, companyId, card, acquirer.config)

    /** A payment that is approved; its id. */
    async function paid(filled: object) {
      await (await fillCheckoutForm(baseUrl, slug, filled))()
      const { id, pix_txid: txid } = await ledger.theOnly('transactions')
      if (txid) bank.pay(txid, PRICE_CENTS)
      if (txid) await sendPixNotification(baseUrl + pixAddress, txid)
      else if (acquirer.isElsewhere) await approve(id, baseUrl)
      expect(await ledger.theOnly('transactions')).toMatchObject({ status: 'approved' })
      return id
    }

    /** Of a card: its payer pays at the acquirer's page, or the acquirer has decided. */
    async function approve(id: string, at: string) {
      acquirer.approve(id)
      return notifyOfCard(id, at)
    }

    function notifyOfCard(id: string, at: string, how: object = {}) {
      const { headers, query, body } = acquirer.notification(id, how)
      return fetch(`${at}${cardAddress}?${new URLSearchParams(query)}`, {
        method: 'POST',
        body: body.toString(),
        headers: { ...headers, 'content-type': 'application/json' },
      })
    }

    function refund(at: string, id: string, amountCents: number, incomingPaymentId?: string) {
      return fetch(`${at}/api/transactions/${id}/refunds`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `refund-of-${id}-${amountCents}` },
        body: JSON.stringify({ amountCents, incomingPaymentId }),
      })
    }

    const fill = (filled: object, at = baseUrl) => fillCheckoutForm(at, slug, filled)
    const ofCard = { approve, notifyOfCard }
    return { ...testMerchant, hits, pixAddress, fill, paid, refund, ...ofCard }
  }

  /** Two processes, and a shop that both of them serve. */
  async function openTwoServices(acquirer?: FakeAcquirer) {
    const [victim, survivor] = await Promise.all([findStanding(0), findSurvivor()])
    return { victim, survivor, testMerchant: await open(victim.baseUrl, acquirer) }
  }

  return { db, bank, acquirers, start, findSurvivor, open, openTwoServices, ...ledger }
}

/** Starting one takes longer than most tests, so each serves one test after the other until it is killed. */
function openStandingServices(url: string) {
  const standing: Service[] = []
  afterAll(() => Promise.all(standing.map((service) => service.end('SIGKILL'))))

  return async function findStanding(place: 0 | 1) {
    const found = standing[place]
    const isAlive = found?.process.exitCode === null && found.process.signalCode === null
    const service = found && isAlive ? found : await startService(url, TRUSTING_ENVIRONMENT)
    standing[place] = service
    return service
  }
}

/** What the bank sends when this charge was paid. */
export function sendPixNotification(to: string, txid: string) {
  const body = JSON.stringify({ pix: [{ txid, endToEndId: 'E0', valor: '1.00' }] })
  return fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
}

/** Answers the path where that provider notifies. */
async function saveRealAccount(
  db: Database,
  companyId: string,
  choice: { method: PaymentMethod; provider: RealProvider },
  config: Record<string, unknown>,
) {
  const now = new Date()
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const needs = { db, cipher, log: createLogger('silent'), allowPrivate: true }
  const tested = { config, steps: [{ step: 'token', ok: true } as const] }
  const account = await saveAccount(needs, { companyId, ...choice, ...tested, now })
  await chooseProvider(db, { companyId, ...choice, now })
  return buildNotifyUrl('', account)
}
