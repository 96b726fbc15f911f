// Sends what is in the outbox until it is stopped. A mail that was sent right before this process died,
// or the database, is sent once more when its lease ends; its Message-ID is the same, so that readers
// can tell.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Cipher } from '../database/sealing/encryption.ts'
import { toRecord } from '../http/fields.ts'
import type { MailOutcome, Metrics } from '../http/metrics/metrics.ts'
import { releaseClaim } from '../queue/lease.ts'
import { trackOutage } from '../queue/outage-log.ts'
import { type Jobs, runDueJobs, startWorker } from '../queue/worker.ts'
import { toError } from '../system-error.ts'
import {
  type ClaimedMail,
  claimMails,
  MAIL_QUEUE,
  type MailFailureKind,
  recordMailFailure,
  recordMailSent,
} from './claim.ts'
import type { MailBranding, MailData } from './data.ts'
import { isSecretLinkOver } from './people.ts'
import { renderMail } from './render.ts'
import { decryptSecretLink } from './secret-link.ts'
import { MailRejectedError, MailServerError, SMTP_CONNECTIONS, type Smtp } from './smtp.ts'
import { isTemplateName } from './templates.ts'

const MAIL_POLL_INTERVAL_MS = 1_000
/** Of one attempt in all, connecting included; less than the lease. */
const MAIL_TIMEOUT_MS = 45_000
const SEND_FAILURE_MESSAGE = 'e-mails cannot be sent for now; each is tried again'

export type MailWorkerNeeds = {
  db: Database
  smtp: Smtp
  cipher: Cipher
  baseUrl: string
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  metrics?: Metrics | undefined
  now: () => Date
  pollMs?: number
}

/** Sends all that is due at `now()`, and answers how many attempts that took. */
export async function sendDueMails(needs: MailWorkerNeeds) {
  return runDueJobs(createMailJobs(needs))
}

/** The answer stops it: nothing more is claimed, and what takes longer than `waitMs` is released. */
export function startMailWorker(needs: MailWorkerNeeds) {
  const stop = startWorker({
    ...createMailJobs(needs),
    pollMs: needs.pollMs ?? MAIL_POLL_INTERVAL_MS,
    onOutage: (err) => needs.log.warn({ err }, SEND_FAILURE_MESSAGE),
  })

  return async (waitMs: number) => {
    await stop(waitMs)
    await needs.smtp.close()
  }
}

function createMailJobs(needs: MailWorkerNeeds): Jobs<ClaimedMail> {
  const { db, log, now } = needs
  const { noteSuccess, noteFailure } = trackOutage(
    (failure) => log.warn(failure, SEND_FAILURE_MESSAGE),
    () => log.info('e-mails are sent again'),
  )
  return {
    claim: (limit) => claimMails(db, now(), limit),
    run: (mail, interrupted) =>
      sendMail(needs, mail, interrupted)
        .then((sent) => {
          if (sent.kind !== 'released') needs.metrics?.countMail(OUTCOME_BY_RESULT[sent.kind])
          // What was released or given up is no word of the server's being back.
          if (sent.kind === 'sent') noteSuccess()
          if (sent.kind === 'unreachable') noteFailure(sent.failure)
        })
        .catch((err) => {
          log.warn({ err, mailId: mail.id }, 'what became of an e-mail could not be recorded')
        }),
    concurrency: SMTP_CONNECTIONS,
  }
}

type SendResult =
  | { kind: 'sent' }
  | { kind: 'released' }
  | { kind: Exclude<MailFailureKind, 'rejected'>; failure: LoggedFailure }
  | { kind: 'givenUp' }

const OUTCOME_BY_RESULT: Record<Exclude<SendResult['kind'], 'released'>, MailOutcome> = {
  sent: 'sent',
  deferred: 'retried',
  unreachable: 'retried',
  givenUp: 'failed',
}

async function sendMail(
  needs: MailWorkerNeeds,
  mail: ClaimedMail,
  interrupted?: AbortSignal,
): Promise<SendResult> {
  const { db, smtp, log, now } = needs
  const { id, recipient, template } = mail
  const deadline = AbortSignal.timeout(MAIL_TIMEOUT_MS)
  const signal = interrupted ? AbortSignal.any([deadline, interrupted]) : deadline
  try {
    if (isSecretLinkOver(mail, now())) throw new MailRejectedError('its link is over')
    const message = renderClaimedMail(needs, mail)
    await smtp.send({ id, date: now(), recipient, ...message }, signal)
  } catch (error) {
    if (interrupted?.aborted) {
      await releaseClaim(db, MAIL_QUEUE, mail, now())
      return { kind: 'released' }
    }
    const kind = getFailureKind(error)
    const { message: reason, cause = error } = toError(error)
    const failure = toLoggedFailure(cause)
    const { kind: next } = await recordMailFailure(db, mail, { kind, reason, now: now() })
    if (kind === 'rejected' || next === 'givenUp') {
      log.warn({ mailId: id, template, ...failure }, 'an e-mail was given up')
      return { kind: 'givenUp' }
    }
    if (kind === 'deferred') log.info({ mailId: id, template, ...failure }, 'an e-mail was put off')
    return { kind, failure }
  }
  await recordMailSent(db, mail, now())
  return { kind: 'sent' }
}

function getFailureKind(error: unknown): MailFailureKind {
  if (error instanceof MailRejectedError) return 'rejected'
  return error instanceof MailServerError ? 'unreachable' : 'deferred'
}

/** Not the message, in which servers repeat the recipient. */
function toLoggedFailure(error: unknown): LoggedFailure {
  const { name, code, responseCode } = toRecord(error)
  return { name, code, responseCode }
}

type LoggedFailure = { name?: unknown; code?: unknown; responseCode?: unknown }

function renderClaimedMail(
  { cipher, baseUrl }: MailWorkerNeeds,
  { id, template, data, company }: ClaimedMail,
) {
  const head: MailBranding = { baseUrl, company }
  if (!isTemplateName(template))
    throw new MailRejectedError(`no mail is called ${template} any more`)
  // The column takes any data; queueMail writes that of its template.
  const told = decryptSecretLink(cipher, id, data) as MailData[typeof template]
  return renderMail(template, told, head)
}
