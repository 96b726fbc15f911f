// Creates and reads charges at a bank ("cob"), each with our txid, so that a repeated request charges once. A received
// Pix counts even if the charge's status says otherwise, so that none is lost.

import { HOUR_MS } from '../../database/instant.ts'
import { equalsIgnoringCase } from '../answers.ts'
import { buildBrCode, computeCrc16, formatDecimal } from '../br-code.ts'
import { PIX_CHARGE_LIMIT_MS, rethrowAsUnknown } from '../call.ts'
import {
  type CancelOptions,
  type Charge,
  type ChargeKey,
  type ChargeOutcome,
  ProviderDown,
} from '../provider.ts'
import { ProviderRefusal } from '../refusal.ts'
import type { BankClient } from './client.ts'
import { readClockOffset } from './clock.ts'
import type { BankSettings } from './config.ts'
import { listMedDisputes } from './disputes.ts'
import { isNotFound } from './errors.ts'
import { listReceivedPix, toReceivedPix } from './received.ts'
import { refundWholePix } from './refunds.ts'
import { Cob, type Pix } from './responses.ts'

const COB_TXID_PATTERN = /^[A-Za-z0-9]{26,35}$/
const MAX_TITLE_LENGTH = 140
const MAX_NAME_LENGTH = 200
const MAX_BR_CODE_LENGTH = 512

type PixCharge = Charge & { method: 'pix' }
type Merchant = { name: string; city: string }
const NO_MERCHANT: Merchant = { name: '', city: '' }

export async function createCharge(
  bank: BankClient,
  charge: PixCharge,
  now: Date,
): Promise<ChargeOutcome> {
  const { txid } = charge
  if (!COB_TXID_PATTERN.test(txid)) throw new ProviderDown(`No bank takes ${txid} for a txid`)
  const body = buildCobBody(bank.settings, charge, now)
  const cob = await putOrFindCob(bank, txid, body)
  assertOwnCharge(cob, bank.settings, txid, charge.totalCents)
  const outcome = await rethrowAsUnknown(toCobOutcome(bank, cob, { ...charge, txid, now }))
  // A few seconds between the bank's clock and ours are not shown to the payer.
  const asAsked = cob.calendario.expiracao === body.calendario.expiracao
  return outcome.status === 'pending' && asAsked
    ? { ...outcome, expiresAt: charge.expiresAt }
    : outcome
}

export async function findCharge(
  bank: BankClient,
  key: ChargeKey,
  now: Date,
): Promise<ChargeOutcome> {
  const txid = key.pixTxid ?? key.reference
  const cob = txid ? await getCob(bank, txid) : undefined
  if (!txid || !cob) return { status: 'unknown' }
  return toCobOutcome(bank, cob, { ...key, txid, merchant: NO_MERCHANT, now })
}

/** Cancels the charge; money that was paid before is refunded in full, unless it is to stay. */
export async function cancelCharge(
  bank: BankClient,
  key: ChargeKey,
  now: Date,
  { keepsPaid = false }: CancelOptions = {},
): Promise<void> {
  const txid = key.pixTxid ?? key.reference
  if (!txid) return
  const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
  try {
    await bank.call({ method: 'PATCH', path: buildCobPath(txid), body })
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    if (keepsPaid) return
    await refundReceivedPix(bank, key, txid, now, error)
  }
}

async function refundReceivedPix(
  bank: BankClient,
  key: ChargeKey,
  txid: string,
  now: Date,
  refusal: ProviderRefusal,
) {
  const cob = await getCob(bank, txid)
  if (!cob) return
  const offsetMs = readClockOffset(bank, cob, { ...key, now }) * HOUR_MS
  const { received, unreadable } = await listReceivedPix(bank, cob, { ...key, txid, now, offsetMs })
  for (const [index, pix] of received.entries()) {
    await refundWholePix(bank, pix, `C${key.transactionId.replaceAll('-', '')}${index}`)
  }
  if (unreadable) throw new Error(`The bank calls ${txid} paid and shows no payment`)
  const open =
    received.length === 0 &&
    cob.status === 'ATIVA' &&
    getCobExpiry(cob, key.createdAt, offsetMs) > now.toISOString()
  if (open) throw refusal
}

function buildCobBody({ pixKey }: BankSettings, charge: PixCharge, now: Date) {
  const { expiresAt, totalCents, title, payer } = charge
  const seconds = Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1000)
  return {
    calendario: { expiracao: Math.max(seconds, 1) },
    ...(payer.taxId && payer.name && { devedor: buildDebtor(payer.taxId, payer.name) }),
    valor: { original: formatDecimal(totalCents) },
    chave: pixKey,
    ...(title && { solicitacaoPagador: truncateText(title, MAX_TITLE_LENGTH) }),
  }
}

function buildDebtor(taxId: string, name: string) {
  const nome = truncateText(name, MAX_NAME_LENGTH)
  return taxId.length === 11 ? { cpf: taxId, nome } : { cnpj: taxId, nome }
}

type CobBody = ReturnType<typeof buildCobBody>

async function putOrFindCob(bank: BankClient, txid: string, body: CobBody): Promise<Cob> {
  try {
    const limitMs = PIX_CHARGE_LIMIT_MS
    return await bank.read(Cob, { method: 'PUT', path: buildCobPath(txid), body, limitMs })
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    // A bank may refuse to create a charge that exists already.
    const standing =
      [400, 409, 422].includes(error.status) && (await rethrowAsUnknown(getCob(bank, txid)))
    if (standing) return standing
    // A payer's document or name, or a title, that the bank refuses must not keep the payer from getting a code.
    const { devedor, solicitacaoPagador, ...required } = body
    const isLean = !devedor && !solicitacaoPagador
    if (isLean || ![400, 422].includes(error.status))
      throw new ProviderDown(error.message, { cause: error })
    return putOrFindCob(bank, txid, required)
  }
}

async function getCob(bank: BankClient, txid: string): Promise<Cob | undefined> {
  try {
    const cob = await bank.read(Cob, { method: 'GET', path: buildCobPath(txid) })
    assertOwnTxid(cob, txid)
    return cob
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Checks a new charge by what the bank says of it. The account's key may differ for an older one. */
function assertOwnCharge(cob: Cob, { pixKey }: BankSettings, txid: string, cents: number) {
  assertOwnTxid(cob, txid)
  if ((cob.valor ?? cents) !== cents) throw buildMismatchError(txid, `${cob.valor} cents`)
  if (cob.chave && !equalsIgnoringCase(cob.chave, pixKey)) {
    throw buildMismatchError(txid, 'another Pix key')
  }
}

/** Checks the txid, which a bank may leave out or write in capitals; the address of the request has it too. */
function assertOwnTxid(cob: Cob, txid: string) {
  if (cob.txid && !equalsIgnoringCase(cob.txid, txid)) {
    throw buildMismatchError(txid, `txid ${cob.txid}`)
  }
}

function buildMismatchError(txid: string, what: string) {
  return new Error(`The bank answered ${txid} with another charge: ${what}`)
}

type CobContext = {
  txid: string
  merchant: Merchant
  createdAt: string
  endToEndIds?: readonly string[]
  now: Date
}

async function toCobOutcome(
  bank: BankClient,
  cob: Cob,
  { txid: reference, merchant, createdAt, endToEndIds = [], now }: CobContext,
): Promise<ChargeOutcome> {
  const offsetHours = readClockOffset(bank, cob, { createdAt, now })
  const offsetMs = offsetHours * HOUR_MS
  const money = { txid: reference, createdAt, endToEndIds, now, offsetMs }
  const { received, unreadable } = await listReceivedPix(bank, cob, money)
  if (received.length > 0) return toCobApproval(reference, received, { offsetMs, now })
  if (unreadable) return { status: 'unreadable', reference, ...unreadable }
  if (cob.status === 'REMOVIDA_PELO_PSP') return { status: 'canceled', reference }
  if (cob.status !== 'ATIVA') throw new Error(`The bank calls ${reference} ${cob.status}`)
  const pixBrCode = getBrCode(cob, bank.settings, merchant)
  const expiresAt = getCobExpiry(cob, createdAt, offsetMs)
  const isJustMade = now.getTime() - Date.parse(createdAt) < HOUR_MS / 2
  const isChanged = isJustMade && offsetHours !== bank.clock.offsetHours
  if (isChanged) bank.clock.offsetHours = offsetHours
  const changed = isChanged && { clockOffsetHours: offsetHours }
  return { status: 'pending', reference, pixBrCode, expiresAt, ...changed }
}

function toCobApproval(
  reference: string,
  received: Pix[],
  { offsetMs, now }: { offsetMs: number; now: Date },
): ChargeOutcome {
  const disputes = listMedDisputes(received, { offsetMs, now })
  return {
    status: 'approved',
    reference,
    received: received.map((pix) => toReceivedPix(pix, { offsetMs, now })),
    ...(disputes.length > 0 && { disputes }),
  }
}

/** Finds the BR Code in any field: its check digits distinguish it from other text. */
function getBrCode(cob: Cob, settings: BankSettings, merchant: Merchant) {
  const named = settings.copyPasteFields.map((name) => cob[name])
  const given = [...named, ...Object.values(cob)].find(isBrCode)
  if (given) return given
  const location = (cob.location ?? cob.loc?.location)?.replace(/^https?:\/\//, '')
  if (!location || !cob.valor) throw new Error(`The bank gave no BR Code for ${cob.txid}`)
  return buildBrCode({
    location,
    amountCents: cob.valor,
    merchantName: settings.merchantName ?? merchant.name,
    merchantCity: settings.merchantCity ?? merchant.city,
  })
}

function isBrCode(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 20 || value.length > MAX_BR_CODE_LENGTH)
    return false
  return value.slice(-4).toUpperCase() === computeCrc16(value.slice(0, -4))
}

/** Uses the time of our request when the bank does not say when the charge was created. */
function getCobExpiry({ calendario }: Cob, createdAt: string, offsetMs: number) {
  const { criacao, expiracao } = calendario
  const madeMs = criacao ? Date.parse(criacao) - offsetMs : Date.parse(createdAt)
  return new Date(madeMs + expiracao * 1000).toISOString()
}

function buildCobPath(txid: string) {
  return `/cob/${encodeURIComponent(txid)}`
}

function truncateText(text: string, max: number) {
  return [...text].slice(0, max).join('')
}
