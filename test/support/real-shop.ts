// Shops whose Pix goes to a bank of our own and whose cards go to a Mercado Pago of our own, on the real
// program, which may be killed.
import { afterAll, afterEach, expect } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { createCipher } from '../../src/database/encryption.ts'
import { EVENT_TYPES, type PaymentMethod } from '../../src/database/enums.ts'
import { createLogger } from '../../src/http/log.ts'
import { buildNotifyUrl, saveAccount } from '../../src/providers/accounts.ts'
import { chooseProvider } from '../../src/providers/choose.ts'
import type { RealProvider } from '../../src/providers/registry.ts'
import { openDatabase } from './database.ts'
import { openFakeBank } from './fake-bank.ts'
import { openFakeMercadoPago } from './fake-mercadopago.ts'
import { openLedger } from './ledger.ts'
import { KEYS } from './mercadopago.ts'
import { mercadoPagoCard } from './mercadopago-shop.ts'
import { receive } from './receiver.ts'
import { SECRET_KEY, type Service, startService } from './service.ts'
import { fillIn, openShop, TRUSTING } from './traffic.ts'

export const PRICE = 10_000

let cards = 0

/** A card that this Mercado Pago approves; each is another. */
export function goodCard() {
  return mercadoPagoCard('ok', { cardLast4: String(1_000 + (cards++ % 9_000)) })
}

export async function openRealMoney() {
  const { db, url } = await openDatabase()
  const [bank, market] = [await openFakeBank(), await openFakeMercadoPago()]
  const ledger = openLedger(db, { bank, market })
  const services: Service[] = []

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')))
    await db.$client.query('truncate companies cascade')
    bank.forget()
    market.forget()
  })
  afterAll(() => market.close())

  async function start() {
    const service = await startService(url, TRUSTING)
    services.push(service)
    return service
  }

  /** Its Pix is real, its cards are tests. */
  async function open(baseUrl: string) {
    const { url: receiverUrl, hits } = await receive()
    const shop = await openShop(db, baseUrl, { receiverUrl, events: EVENT_TYPES })
    const { companyId, slug, headers } = shop
    const pix = { method: 'pix', provider: 'pix-api' } as const
    const pixAddress = await collect(db, companyId, pix, { ...bank.config, test: false })
    const card = { method: 'credit_card', provider: 'mercadopago' } as const
    const cardAddress = await collect(db, companyId, card, { ...KEYS, baseUrl: market.url })

    /** A payment that is approved; its id. */
    async function paid(filled: object) {
      await (await fillIn(baseUrl, slug, filled))()
      const { id, pix_txid: txid } = await ledger.theOnly('transactions')
      if (txid) bank.pay(txid, PRICE)
      if (txid) await notify(baseUrl + pixAddress, txid)
      expect(await ledger.theOnly('transactions')).toMatchObject({ status: 'approved' })
      return id
    }

    function refund(at: string, id: string, amountCents: number) {
      return fetch(`${at}/api/transactions/${id}/refunds`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `refund-of-${id}-${amountCents}` },
        body: JSON.stringify({ amountCents }),
      })
    }

    const fill = (filled: object, at = baseUrl) => fillIn(at, slug, filled)
    return { ...shop, hits, pixAddress, cardAddress, fill, paid, refund }
  }

  /** Two processes, and a shop that both of them serve. */
  async function openTwo() {
    const [victim, survivor] = await Promise.all([start(), start()])
    return { victim, survivor, shop: await open(victim.baseUrl) }
  }

  return { db, bank, market, start, open, openTwo, ...ledger }
}

/** What the bank sends when this charge was paid. */
export function notify(to: string, txid: string) {
  const body = JSON.stringify({ pix: [{ txid, endToEndId: 'E0', valor: '1.00' }] })
  return fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
}

/** Answers the path where that provider notifies. */
async function collect(
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
