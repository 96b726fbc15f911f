// Charges at a bank ("cob"), each under our txid: asked for twice it is one charge. A Pix that the bank
// has received counts whatever the charge's own status says, so that none is lost.

import { HOUR_MS } from '../../database/instant.ts'
import { buildBrCode, computeCrc16, formatDecimal } from '../br-code.ts'
import { PIX_CHARGE_LIMIT_MS, rethrowAsUnknown } from '../call.ts'
import {
  type Charge,
  type ChargeKey,
  type ChargeOutcome,
  ProviderDown,
  type ReceivedPix,
} from '../provider.ts'
import type { BankClient } from './client.ts'
import { correctPix, readClockOffset } from './clock.ts'
import type { BankSettings } from './config.ts'
import { isMedDevolution, listMedDisputes } from './disputes.ts'
import { BankRefusal, isNotFound } from './errors.ts'
import { listReceivedPix } from './received.ts'
import { refundWholePix } from './refunds.ts'
import { Cob, type Pix, parseBankResponse } from './responses.ts'

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
  const outcome = await rethrowAsUnknown(toCobOutcome(bank, cob, { ...charge, now }))
  // The bank's clock is not ours: a second more or less is not shown to the payer.
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
  if (!cob) return { status: 'unknown' }
  return toCobOutcome(bank, cob, { ...key, merchant: NO_MERCHANT, now })
}

/** Takes the charge back; what was paid on it before goes back in full. */
export async function cancelCharge(bank: BankClient, key: ChargeKey, now: Date): Promise<void> {
  const txid = key.pixTxid ?? key.reference
  if (!txid) return
  const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
  try {
    await bank.call({ method: 'PATCH', path: buildCobPath(txid), body })
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error
    await refundReceivedPix(bank, key, txid, now, error)
  }
}

async function refundReceivedPix(
  bank: BankClient,
  key: ChargeKey,
  txid: string,
  now: Date,
  refusal: BankRefusal,
) {
  const cob = await getCob(bank, txid)
  if (!cob) return
  const offsetMs = readClockOffset(bank, cob, { ...key, now }) * HOUR_MS
  const received = await listReceivedPix(bank, cob, { ...key, now, offsetMs })
  for (const [index, pix] of received.entries()) {
    await refundWholePix(bank, pix, `C${key.transactionId.replaceAll('-', '')}${index}`)
  }
  const open =
    received.length === 0 &&
    cob.status === 'ATIVA' &&
    getCobExpiry(cob, offsetMs) > now.toISOString()
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
    return parseBankResponse(
      Cob,
      await bank.call({
        method: 'PUT',
        path: buildCobPath(txid),
        body,
        limitMs: PIX_CHARGE_LIMIT_MS,
      }),
    )
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error
    // A bank may refuse to make what it has made before.
    const standing =
      [400, 409, 422].includes(error.status) && (await rethrowAsUnknown(getCob(bank, txid)))
    if (standing) return standing
    // A payer's document or name, or a title, that it does not take must not stand between payer and code.
    const { devedor, solicitacaoPagador, ...required } = body
    const isLean = !devedor && !solicitacaoPagador
    if (isLean || ![400, 422].includes(error.status))
      throw new ProviderDown(error.message, { cause: error })
    return putOrFindCob(bank, txid, required)
  }
}

async function getCob(bank: BankClient, txid: string): Promise<Cob | undefined> {
  let answer: string
  try {
    answer = await bank.call({ method: 'GET', path: buildCobPath(txid) })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
  const cob = parseBankResponse(Cob, answer)
  if (cob.txid !== txid) throw buildMismatchError(txid, `txid ${cob.txid}`)
  return cob
}

/** Of what was just made; the account may have another key since an older one. */
function assertOwnCharge(cob: Cob, { pixKey }: BankSettings, txid: string, cents: number) {
  const { original } = cob.valor
  if (cob.txid !== txid) throw buildMismatchError(txid, `txid ${cob.txid}`)
  if (original !== cents) throw buildMismatchError(txid, `${original} cents`)
  if (cob.chave && cob.chave.toLowerCase() !== pixKey.toLowerCase()) {
    throw buildMismatchError(txid, 'another Pix key')
  }
}

function buildMismatchError(txid: string, what: string) {
  return new Error(`The bank answered ${txid} with another charge: ${what}`)
}

type CobContext = {
  merchant: Merchant
  createdAt: string
  endToEndIds?: readonly string[]
  now: Date
}

async function toCobOutcome(
  bank: BankClient,
  cob: Cob,
  { merchant, createdAt, endToEndIds = [], now }: CobContext,
): Promise<ChargeOutcome> {
  const reference = cob.txid
  const offsetHours = readClockOffset(bank, cob, { createdAt, now })
  const offsetMs = offsetHours * HOUR_MS
  const received = await listReceivedPix(bank, cob, { endToEndIds, now, offsetMs })
  if (received.length > 0) return toCobApproval(reference, received, { offsetMs, now })
  if (/^REMOVID[AO]_/.test(cob.status)) return { status: 'canceled', reference }
  if (cob.status !== 'ATIVA') throw new Error(`The bank calls ${reference} ${cob.status}`)
  const pixBrCode = getBrCode(cob, bank.settings, merchant)
  const expiresAt = getCobExpiry(cob, offsetMs)
  const isJustMade = now.getTime() - Date.parse(createdAt) < HOUR_MS / 2
  const isNews = isJustMade && offsetHours !== bank.clock.offsetHours
  if (isNews) bank.clock.offsetHours = offsetHours
  const news = isNews && { clockOffsetHours: offsetHours }
  return { status: 'pending', reference, pixBrCode, expiresAt, ...news }
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
    received: received.map((pix) => correctPix(toReceivedPix(pix), offsetMs)),
    ...(disputes.length > 0 && { disputes }),
  }
}

/** What a dispute took is not a refund. */
function toReceivedPix({ endToEndId, valor, horario, pagador, devolucoes }: Pix): ReceivedPix {
  const returned = (devolucoes ?? []).filter(
    (devolution) => devolution.status === 'DEVOLVIDO' && !isMedDevolution(devolution),
  )
  return {
    endToEndId,
    amountCents: valor,
    paidAt: horario,
    ...(pagador && {
      payer: { name: pagador.nome?.trim() || null, taxId: pagador.cpf ?? pagador.cnpj ?? null },
    }),
    refundedCents: sumAmounts(returned),
    ...(returned.length > 0 && {
      returns: returned.flatMap(({ id }) => (id ? { reference: id } : [])),
    }),
  }
}

function getBrCode(cob: Cob, settings: BankSettings, merchant: Merchant) {
  const given = settings.copyPasteFields.map((name) => cob[name]).find(isBrCode)
  if (given) return given
  const location = (cob.location ?? cob.loc?.location)?.replace(/^https?:\/\//, '')
  if (!location) throw new Error(`The bank gave no BR Code for ${cob.txid}`)
  return buildBrCode({
    location,
    amountCents: cob.valor.original,
    merchantName: settings.merchantName ?? merchant.name,
    merchantCity: settings.merchantCity ?? merchant.city,
  })
}

function isBrCode(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 20 || value.length > MAX_BR_CODE_LENGTH)
    return false
  return value.slice(-4).toUpperCase() === computeCrc16(value.slice(0, -4))
}

function getCobExpiry({ calendario: { criacao, expiracao } }: Cob, offsetMs: number) {
  return new Date(Date.parse(criacao) - offsetMs + expiracao * 1000).toISOString()
}

function sumAmounts(amounts: readonly { valor: number }[]) {
  return amounts.reduce((cents, { valor }) => cents + valor, 0)
}

function buildCobPath(txid: string) {
  return `/cob/${encodeURIComponent(txid)}`
}

function truncateText(text: string, max: number) {
  return [...text].slice(0, max).join('')
}
