// The messages about a payment: webhooks, attempt by attempt, and e-mails.

import { MAIL_UNREACHABLE } from '../../database/enums.ts'
import type { MailRow } from '../../mail/outbox.ts'
import type { ListedWebhookAttempt } from '../../webhooks/deliveries/history.ts'
import { addEntryDetail, type TimelineEntry, toDayAndTime } from './entry.ts'
import { timelineTexts } from './texts.ts'

export function buildWebhookEntry(attempt: ListedWebhookAttempt): TimelineEntry {
  const { deliveryId, eventType, url, startedAt, outcome } = attempt
  const host = getUrlHost(url)
  const common = { kind: 'webhook', deliveryId } as const
  if (startedAt === null || outcome === null) {
    const text = timelineTexts.webhooks.queued(eventType, host)
    return { ...common, at: attempt.createdAt, text, tone: 'waiting' }
  }
  const delivered = outcome === 'delivered'
  const text = timelineTexts.webhooks[delivered ? 'delivered' : 'failed'](eventType, host)
  const entry: TimelineEntry = { ...common, at: startedAt, text, tone: delivered ? 'good' : 'bad' }
  return addEntryDetail(
    entry,
    formatWebhookAnswer(attempt),
    formatDuration(attempt.durationMs ?? 0),
    attempt.number === 1 ? null : timelineTexts.webhooks.attempt(attempt.number ?? 1),
    delivered ? null : formatNextAttempt(attempt),
  )
}

const MAIL_NAMES: Record<string, string> = timelineTexts.mails.what

export function buildMailEntry({
  template,
  recipient,
  sentAt,
  dueAt,
  failure,
  createdAt,
}: MailRow): TimelineEntry {
  const what = MAIL_NAMES[template] ?? timelineTexts.mails.other
  const kind = 'mail'
  if (sentAt)
    return { at: sentAt, kind, text: timelineTexts.mails.sent(what, recipient), tone: 'good' }
  if (!failure) {
    return {
      at: createdAt,
      kind,
      text: timelineTexts.mails.queued(what, recipient),
      tone: 'waiting',
    }
  }
  const reason = failure === MAIL_UNREACHABLE ? timelineTexts.mails.unreachable : failure
  const tells = dueAt === null ? 'failed' : 'delayed'
  const next = dueAt === null ? timelineTexts.givenUp : timelineTexts.next(...toDayAndTime(dueAt))
  const text = timelineTexts.mails[tells](what, recipient)
  const tone = dueAt === null ? 'bad' : 'waiting'
  return addEntryDetail({ at: createdAt, kind, text, tone }, reason, next)
}

function formatWebhookAnswer({ outcome, statusCode }: ListedWebhookAttempt) {
  return statusCode === null ? outcome && timelineTexts.outcomes[outcome] : `HTTP ${statusCode}`
}

function formatDuration(ms: number) {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1).replace('.', ',')} s`
}

/** Only the last attempt of a delivery shows the next one. */
function formatNextAttempt({ number, attempts, status, dueAt }: ListedWebhookAttempt) {
  if (number !== attempts) return null
  if (status === 'failed') return timelineTexts.givenUp
  return dueAt && timelineTexts.next(...toDayAndTime(dueAt))
}

function getUrlHost(url: string) {
  return URL.parse(url)?.host ?? url
}
