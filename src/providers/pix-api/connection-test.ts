// "Testar conexão": a real token, a real read and the webhook of the key, with each failure in words that the company's
// people understand.

import { DAY_MS, HOUR_MS } from '../../database/instant.ts'
import { formatDay } from '../../format.ts'
import { readSystemError, toError } from '../../system-error.ts'
import { runConnectionStep } from '../connection.ts'
import { type ConnectionStep, ProviderDown } from '../provider.ts'
import { findRefusal, type ProviderRefusal } from '../refusal.ts'
import type { BankClient } from './client.ts'
import { readCertificateTerm } from './config.ts'
import { CobList } from './responses.ts'
import { pixApiTexts } from './texts.ts'
import { findWebhookUrl } from './webhook.ts'

const { connection: sentences } = pixApiTexts

export async function testBankConnection(bank: BankClient, now: Date): Promise<ConnectionStep[]> {
  const unfit = findIdentityProblem(bank, now)
  if (unfit) return [{ step: 'token', ok: false, reason: unfit }]
  const token = await runConnectionStep('token', () => bank.logIn(), describeBankFailure)
  if (!token.ok) return [token]
  return [
    token,
    await runConnectionStep('read', () => readCharges(bank, now), describeBankFailure),
    await testWebhook(bank),
  ]
}

/** A missing webhook is no failure: without the permission payments are found by asking. */
async function testWebhook(bank: BankClient): Promise<ConnectionStep> {
  let isForbidden = false
  const read = async () => {
    try {
      await findWebhookUrl(bank)
    } catch (error) {
      isForbidden = isTokenRefused(error)
      throw error
    }
  }
  const step = await runConnectionStep('webhook', read, describeBankFailure)
  if (step.ok || !isForbidden) return step
  return { ...step, reason: sentences.noWebhooks, isOptional: true }
}

/** A token for charges was already given, so a refusal concerns the permission. */
function isTokenRefused(error: unknown) {
  const status = findRefusal(error)?.status ?? 0
  return error instanceof ProviderDown && [400, 401, 403].includes(status)
}

/** Finds a problem of the company's certificate before any call. */
function findIdentityProblem(bank: BankClient, now: Date) {
  try {
    const own = readCertificateTerm(bank.getSecureContext())
    if (!own) return undefined
    if (own.until <= now) return sentences.ourExpired(formatDay(own.until))
    if (own.from > now) return sentences.ourNotYet(formatDay(own.from))
    return undefined
  } catch (error) {
    return describeCertificateError(readSystemError(error))
  }
}

function describeCertificateError({ code, message }: ReturnType<typeof readSystemError>) {
  if (code === 'ERR_OSSL_BAD_DECRYPT' || /mac verify failure/.test(message)) {
    return sentences.wrongPassphrase
  }
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return sentences.keyMismatch
  return /Unsupported PKCS12/.test(message) ? sentences.oldPfx : sentences.unreadableCertificate
}

async function readCharges(bank: BankClient, now: Date) {
  const query = {
    // A bank with a clock behind ours refuses a period that ends in its future.
    inicio: new Date(now.getTime() - DAY_MS - HOUR_MS).toISOString(),
    fim: new Date(now.getTime() - DAY_MS).toISOString(),
    // Other systems may have made many charges in that period.
    'paginacao.itensPorPagina': '1',
  }
  await bank.read(CobList, { method: 'GET', path: '/cob', query })
}

/** Describes the first known cause, since the one nearest to the network says most. */
function describeBankFailure(error: unknown, step: ConnectionStep['step']): string {
  const refusal = findRefusal(error)
  if (refusal) return describeRefusal(refusal, step)
  const root = toError(listCauses(error).at(-1))
  const { code } = readSystemError(root)
  if (root.name === 'TimeoutError' || root.name === 'AbortError') return sentences.timeout
  if (/^(ENOTFOUND|EAI_\w+)$/.test(code)) {
    return sentences.hostNotFound('hostname' in root ? String(root.hostname) : '')
  }
  return (
    REASONS_BY_ERROR_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? describeOtherError(root)
  )
}

function listCauses(error: unknown) {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at)
  return chain
}

const REASONS_BY_ERROR_CODE: [RegExp, string][] = [
  [/^CERT_HAS_EXPIRED$/, sentences.theirExpired],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, sentences.theirName],
  [/^(SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_|INVALID_CA)/, sentences.theirUnknown],
  [/^ERR_SSL_.*ALERT_/, sentences.ourRefused],
  [/^(ERR_SSL_|EPROTO)/, sentences.notTls],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, sentences.timeout],
  [/^(ECONNRESET|UND_ERR_SOCKET|EPIPE)$/, sentences.closed],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, sentences.refused],
  [/^ERR_PRIVATE_ADDRESS$/, sentences.privateAddress],
]

function describeOtherError({ message }: Error) {
  return /before secure TLS connection/.test(message) ? sentences.closed : sentences.garbage
}

function describeRefusal(refusal: ProviderRefusal, step: ConnectionStep['step']) {
  const { kind, detail } = refusal
  const bank = [kind, detail].filter(Boolean).join(': ')
  const reason = describeRefusalStatus(refusal, step)
  return bank ? sentences.said(reason, bank) : reason
}

function describeRefusalStatus(
  { status, kind, isFromApi }: ProviderRefusal,
  step: ConnectionStep['step'],
) {
  if (kind === 'invalid_scope') return sentences.scope
  // A bank's gateway checks the certificate before the bank checks the credentials.
  if (!isFromApi && [400, 403, 495, 496].includes(status)) return sentences.ourRefused
  if (status === 404 || status === 405) return sentences.notThere
  if ([400, 401, 403].includes(status)) return FORBIDDEN_REASONS[step]
  return status === 429 || status >= 500 ? sentences.unavailable : sentences.garbage
}

const FORBIDDEN_REASONS: Record<ConnectionStep['step'], string> = {
  token: sentences.credentials,
  read: sentences.scope,
  webhook: sentences.notTheKey,
  register: sentences.notTheKey,
  payments: sentences.scope,
  clock: sentences.scope,
}
