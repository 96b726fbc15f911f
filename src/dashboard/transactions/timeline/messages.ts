// The messages about a payment: webhooks, attempt by attempt, and e-mails.

import { MAIL_UNREACHABLE } from '../../../database/enums.ts'
import { formatDayAndTime, formatDuration } from '../../../format.ts'
import type { MailRow } from '../../../mail/outbox.ts'
import type { ListedWebhookAttempt } from '../../../webhooks/deliveries/history.ts'
import { webhookTexts } from '../../../webhooks/texts.ts'
import { buildEntry, type TimelineEntry } from './entries.ts'
import { timelineTexts } from './texts.ts'

export function buildWebhookEntry(attempt: ListedWebhookAttempt): TimelineEntry {
  const { deliveryId, eventType, url, startedAt, outcome, durationMs } = attempt
  const { queued, delivered, failed, attempt: formatNumber } = timelineTexts.webhooks
  const host = URL.parse(url)?.host ?? url
  const [event] = webhookTexts.events[eventType]
  if (startedAt === null || outcome === null) {
    const text = queued(event, host)
    return { ...buildEntry(attempt.createdAt, 'webhook', 'waiting', text), deliveryId }
  }
  const isDelivered = outcome === 'delivered'
  const number = attempt.number ?? 1
  const entry = buildEntry(
    startedAt,
    'webhook',
    isDelivered ? 'good' : 'bad',
    (isDelivered ? delivered : failed)(event, host),
    !isDelivered && timelineTexts.outcomes[outcome],
    formatDuration(durationMs ?? 0),
    number > 1 && formatNumber(number),
    !isDelivered && formatNextAttempt(attempt),
  )
  return { ...entry, deliveryId }
}

/** Only the last attempt of a delivery shows the next one. */
function formatNextAttempt({ number, attempts, status, dueAt }: ListedWebhookAttempt) {
  if (number !== attempts) return null
  if (status === 'failed') return timelineTexts.givenUp
  return dueAt && timelineTexts.next(formatDayAndTime(dueAt))
}

const MAIL_NAMES: Record<string, string> = timelineTexts.mails.what

export function buildMailEntry({ template, recipient, ...mail }: MailRow): TimelineEntry {
  const { sentAt, dueAt, failure, createdAt } = mail
  const { sent, queued, failed, delayed, unreachable, other } = timelineTexts.mails
  const what = MAIL_NAMES[template] ?? other
  if (sentAt) return buildEntry(sentAt, 'mail', 'good', sent(what, recipient))
  if (!failure) return buildEntry(createdAt, 'mail', 'waiting', queued(what, recipient))
  const reason = failure === MAIL_UNREACHABLE ? unreachable : failure
  if (dueAt === null) {
    const text = failed(what, recipient)
    return buildEntry(createdAt, 'mail', 'bad', text, reason, timelineTexts.givenUp)
  }
  const next = timelineTexts.next(formatDayAndTime(dueAt))
  return buildEntry(createdAt, 'mail', 'waiting', delayed(what, recipient), reason, next)
}
