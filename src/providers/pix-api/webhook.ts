// Registers our address for a bank's notifications about a Pix key. A key has one address: registering ours removes the
// former one.

import type { NotificationTarget, Registration, RegistrationOptions } from '../notification.ts'
import type { BankClient } from './client.ts'
import { isNotFound } from './errors.ts'
import { RegisteredWebhook } from './responses.ts'

/** Keeps an address that is not ours, unless `replace` is set; an unreadable address counts as not ours. */
export async function registerWebhook(
  bank: BankClient,
  notifyUrl: string,
  { replace }: RegistrationOptions = { replace: false },
): Promise<Registration> {
  const standing = replace ? null : await findWebhookTarget(bank, notifyUrl)
  if (standing?.kind === 'other') return { kind: 'kept', url: standing.url }
  const { skipMtlsHeader } = bank.settings
  await bank.call({
    method: 'PUT',
    path: buildWebhookPath(bank),
    body: { webhookUrl: notifyUrl },
    ...(skipMtlsHeader && { headers: { 'x-skip-mtls-checking': 'true' } }),
  })
  return { kind: 'registered' }
}

export async function findWebhookTarget(
  bank: BankClient,
  notifyUrl: string,
): Promise<NotificationTarget> {
  const url = await findWebhookUrl(bank)
  if (!url) return { kind: 'none' }
  const isOurs = normalizeWebhookUrl(url) === normalizeWebhookUrl(notifyUrl)
  return isOurs ? { kind: 'ours' } : { kind: 'other', url }
}

export async function findWebhookUrl(bank: BankClient) {
  try {
    const path = buildWebhookPath(bank)
    const { webhookUrl } = await bank.read(RegisteredWebhook, { method: 'GET', path })
    return webhookUrl ?? null
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** Banks append `/pix` when they notify; some show the address with it. */
function normalizeWebhookUrl(url: string) {
  return url.replace(/\/+$/, '').replace(/\/pix$/, '')
}

function buildWebhookPath({ settings }: BankClient) {
  return `/webhook/${encodeURIComponent(settings.pixKey)}`
}
