// Sends the mails of the outbox until it is stopped. If the process or the database dies right after sending, the mail
// is sent again after its lease, with the same Message-ID, so that mail programs recognise it.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Cipher } from '../database/encryption/cipher.ts'
import { toRecord } from '../http/fields.ts'
import type { MailOutcome, Metrics } from '../http/metrics.ts'
import { releaseClaim } from '../queue/lease.ts'
import { trackOutage } from '../queue/outage-log.ts'
import { type Jobs, runDueJobs, startWorker } from '../queue/worker.ts'
import { toError } from '../system-error.ts'
import {
  type ClaimedMail,
  claimMails,
  MAIL_QUEUE,
  type MailFailureKind,
  MailOverError,
  recordMailFailure,
  recordMailSent,
} from './claim.ts'
import type { MailBranding, MailData } from './data.ts'
import { decryptSecretLink, isSecretLinkOver } from './outbox.ts'
import { renderMail } from './render.ts'
import { MailRejectedError, MailServerError, SMTP_CONNECTIONS, type Smtp } from './smtp.ts'
import { isTemplateName } from './templates.ts'

const MAIL_POLL_INTERVAL_MS = 2_000
/** The timeout of one attempt, including the connection; shorter than the lease. */
const MAIL_TIMEOUT_MS = 45_000
const SEND_FAILURE_MESSAGE =
  'e-mails cannot be sent for now; each is tried again: check SMTP_URL, or run "doctor"'

export type MailWorkerNeeds = {
  db: Database
  smtp: Smtp
  cipher: Cipher
  baseUrl: string
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  metrics?: Metrics | undefined
  now: () => Date
  pollMs?: number
  /** Throws a MailOverError for a mail that is not to be sent, and any other error for one that is not to be yet. */
  requireDue?: (mail: ClaimedMail) => Promise<void>
}

/** Sends all mails that are due at `now()`, and returns the number of attempts. */
export async function sendDueMails(needs: MailWorkerNeeds) {
  return runDueJobs(createMailJobs(needs))
}

/** Returns a function that stops the worker: no more claims, and attempts longer than `waitMs` are released. */
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

type MailOutage = ReturnType<typeof trackOutage>

function createMailJobs(needs: MailWorkerNeeds): Jobs<ClaimedMail> {
  const { db, log, now, metrics } = needs
  const outage = trackOutage(
    (failure) => log.warn(failure, SEND_FAILURE_MESSAGE),
    () => log.info('e-mails are sent again'),
  )
  return {
    claim: (limit) => claimMails(db, now(), limit),
    run: (mail, interrupted) =>
      sendMail(needs, outage, mail, interrupted)
        .then((outcome) => outcome && metrics?.countMail(outcome))
        .catch((err) => {
          log.warn({ err, mailId: mail.id }, 'the result of an e-mail could not be recorded')
        }),
    concurrency: SMTP_CONNECTIONS,
  }
}

/** Returns undefined for a mail that is no longer true, and for one that was released because the worker stops. */
async function sendMail(
  needs: MailWorkerNeeds,
  outage: MailOutage,
  mail: ClaimedMail,
  interrupted?: AbortSignal,
): Promise<MailOutcome | undefined> {
  const { db, smtp, now } = needs
  const { id, recipient } = mail
  const deadline = AbortSignal.timeout(MAIL_TIMEOUT_MS)
  const signal = interrupted ? AbortSignal.any([deadline, interrupted]) : deadline
  try {
    if (isSecretLinkOver(mail, now())) throw new MailRejectedError('its link is over')
    await needs.requireDue?.(mail)
    const message = renderClaimedMail(needs, mail)
    await smtp.send({ id, date: now(), recipient, ...message }, signal)
  } catch (error) {
    if (!interrupted?.aborted) return recordFailure(needs, outage, mail, error)
    await releaseClaim(db, MAIL_QUEUE, mail, now())
    return undefined
  }
  await recordMailSent(db, mail, now())
  outage.noteSuccess()
  return 'sent'
}

async function recordFailure(
  { db, log, now }: MailWorkerNeeds,
  outage: MailOutage,
  mail: ClaimedMail,
  error: unknown,
): Promise<MailOutcome | undefined> {
  const kind = getFailureKind(error)
  const { message: reason, cause = error } = toError(error)
  // The reason is left out, since servers repeat the recipient in it.
  const { name, code, responseCode } = toRecord(cause)
  const failure = { name, code, responseCode }
  const logged = { mailId: mail.id, template: mail.template, ...failure }
  const next = await recordMailFailure(db, mail, { kind, reason, now: now() })
  if (kind === 'over') {
    log.info(logged, 'an e-mail is over, and was not sent')
    return undefined
  }
  // A failed mail does not say whether the server is back.
  if (next.kind === 'givenUp') {
    log.warn(logged, 'an e-mail was given up')
    return 'failed'
  }
  if (kind === 'deferred') log.info(logged, 'an e-mail was postponed')
  else outage.noteFailure({ ...failure, reason })
  return 'retried'
}

function getFailureKind(error: unknown): MailFailureKind {
  if (error instanceof MailRejectedError) return 'rejected'
  if (error instanceof MailOverError) return 'over'
  return error instanceof MailServerError ? 'unreachable' : 'deferred'
}

function renderClaimedMail(
  { cipher, baseUrl }: MailWorkerNeeds,
  { id, template, data, company }: ClaimedMail,
) {
  const head: MailBranding = { baseUrl, company }
  if (!isTemplateName(template)) throw new MailRejectedError(`no mail is called ${template}`)
  // The column accepts any data; queueMail writes that of the template.
  const opened = decryptSecretLink(cipher, id, data) as MailData[typeof template]
  return renderMail(template, opened, head)
}
