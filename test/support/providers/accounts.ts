// Companies with an account at a bank, and a bank that does as it is told.
import { expect } from 'vitest'
import { findCompany } from '../../../src/companies/company.ts'
import { saveAccount } from '../../../src/providers/accounts.ts'
import { chooseProvider } from '../../../src/providers/choose.ts'
import type {
  Approval,
  ChargeOutcome,
  Provider,
  ProviderDispute,
  RefundOutcome,
} from '../../../src/providers/provider.ts'
import type { ListedPix, ReceivedPix } from '../../../src/providers/received.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { buildTxid } from '../../../src/transactions/txid.ts'
import { openCheckout, PIX } from '../payer.ts'
import type { TestApp } from '../test-app.ts'

/** Fields of an account at a bank that does not exist. */
export const BANK_CONFIG = {
  preset: 'custom',
  test: true,
  baseUrl: 'http://127.0.0.1:9/pix/v2',
  tokenUrl: 'http://127.0.0.1:9/oauth/token',
  clientId: 'padaria-sol',
  clientSecret: 'segredo-da-padaria-0042',
  pixKey: 'pix@padaria.com.br',
}

type StubCharge = {
  /** Of one Pix. */
  paidCents?: number
  refundedCents?: number
  /** Of several. */
  received?: ReceivedPix[]
  disputes?: ProviderDispute[]
  gone?: true
}

/** A bank in memory, for the port; by the id of the transaction. */
function createBankStub() {
  const charges = new Map<string, StubCharge>()
  const refunds = new Map<string, RefundOutcome>()
  const asked: string[] = []
  const bankState = { charges, refunds, asked, failing: undefined as Error | undefined }

  const provider: Provider & { testMode: boolean } = {
    name: 'pix-api',
    testMode: true,
    async charge({ transactionId, ...charge }) {
      if (bankState.failing) throw bankState.failing
      if (charge.method !== 'pix') throw new Error('A bank takes no cards')
      charges.set(transactionId, {})
      const { txid, expiresAt } = charge
      return { status: 'pending', reference: txid, pixBrCode: `code-${txid}`, expiresAt }
    },
    async find({ transactionId, pixTxid }, now): Promise<ChargeOutcome> {
      asked.push(transactionId)
      if (bankState.failing) throw bankState.failing
      const charge = charges.get(transactionId)
      if (!charge) return { status: 'unknown' }
      const reference = pixTxid!
      if (charge.gone) return { status: 'canceled', reference }
      if (charge.paidCents === undefined && !charge.received) {
        return { status: 'pending', reference, pixBrCode: 'x', expiresAt: now.toISOString() }
      }
      return buildApproval(reference, charge, now)
    },
    async list(_window, now) {
      if (bankState.failing) throw bankState.failing
      return { pix: listPix(charges, now), until: now.toISOString() }
    },
    async cancel({ transactionId }) {
      charges.set(transactionId, { gone: true })
    },
    async refund({ refundId, transactionId, amountCents, endToEndId }) {
      const outcome = refunds.get(refundId) ?? refunds.get('next')
      if (outcome) return outcome
      const charge = charges.get(transactionId!)!
      const pix = charge.received?.find((one) => one.endToEndId === endToEndId)
      const held = pix ?? charge
      held.refundedCents = (held.refundedCents ?? 0) + amountCents
      return { status: 'succeeded', reference: `d-${refundId}` }
    },
    async findRefund({ refundId }) {
      return refunds.get(refundId) ?? { status: 'unknown' }
    },
    readNotification({ body }) {
      const { forged, txids = [] } = JSON.parse(body.toString())
      const hints = txids.map((txid: string) => ({ kind: 'txid', txid }))
      return { kind: forged ? 'forged' : 'read', hints }
    },
    testConnection: async () => [{ step: 'token', ok: true }],
  }
  return { provider, charges, refunds, asked, bankState }
}

function buildApproval(
  reference: string,
  { paidCents, refundedCents, disputes, received }: StubCharge,
  now: Date,
): Approval {
  return {
    status: 'approved',
    reference,
    received: received ?? [
      {
        endToEndId: `E${reference}`,
        amountCents: paidCents!,
        paidAt: now.toISOString(),
        refundedCents: refundedCents ?? 0,
      },
    ],
    ...(disputes && { disputes }),
  }
}

/** All that came in for any charge. */
function listPix(charges: Map<string, StubCharge>, now: Date): ListedPix[] {
  return [...charges].flatMap(([id, charge]) => {
    if (charge.gone || (charge.paidCents === undefined && !charge.received)) return []
    const txid = buildTxid(id, 'pix-api')
    const received = buildApproval(txid, charge, now).received ?? []
    const disputeCount = charge.disputes?.length ?? 0
    return received.map((pix) => ({ ...pix, txid, disputeCount }))
  })
}

/** Companies that receive Pix at that bank. */
export function openAccountsAtBank(testApp: TestApp) {
  const { db, cipher, clock, needs, newCompany } = testApp
  const { newLink, pay } = openCheckout(testApp)
  const bank = createBankStub()
  needs.providers.standIns['pix-api'] = bank.provider
  const log = needs.log

  /** Saves the account of a company at the bank. */
  function save(companyId: string, config: Record<string, unknown>, more: object = {}) {
    const asked = { companyId, provider: 'pix-api', config, now: clock.now(), ...more } as const
    return saveAccount({ db, cipher, log, allowPrivate: true }, asked)
  }

  /** Has the bank move what is paid by Pix, unless told otherwise. */
  function choose(companyId: string, more: object = {}) {
    const choice = { companyId, method: 'pix', provider: 'pix-api', now: clock.now() } as const
    return chooseProvider(db, { ...choice, ...more })
  }

  /** Of Pix, then of cards. */
  async function listProviders(companyId: string) {
    const { pixProvider, cardProvider } = (await findCompany(db, companyId))!
    return [pixProvider, cardProvider]
  }

  async function newCollectingCompany(config: object = {}) {
    const company = await newCompany()
    const account = await save(company.id, { ...BANK_CONFIG, ...config })
    await choose(company.id)
    return { company, url: `/webhooks/pix-api/${account.notifyToken}` }
  }

  /** A Pix of R$ 100,00 that waits for its payer. */
  async function openPendingPix() {
    const owner = await newCollectingCompany()
    const link = await newLink({}, owner.company)
    const { row, browser, url } = await pay(link, PIX)
    return { ...owner, link, row, browser, page: url }
  }

  /** A Pix of R$ 100,00 that was paid; what the bank says of it may be changed. */
  async function openPaidPix() {
    const { row, ...rest } = await openPendingPix()
    const charge: StubCharge = { paidCents: 10_000 }
    bank.charges.set(row.id, charge)
    const approved = await checkPayment(needs, row)
    expect(approved).toMatchObject({ status: 'approved' })
    return { ...rest, row: approved, charge }
  }

  return { bank, save, choose, listProviders, newCollectingCompany, openPendingPix, openPaidPix }
}
