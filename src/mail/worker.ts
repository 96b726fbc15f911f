// Sends what is in the outbox until it is stopped. A mail that was sent right before this process died,
// or the database, is sent once more when its lease ends; its Message-ID is the same, so that readers
// can tell.
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Seal } from '../database/encryption.ts'
import { repeat } from '../queue/interval.ts'
import { type Claimed, claimMails, giveBack, recordFailure, recordSent } from './claim.ts'
import { forgetOldMails } from './outbox.ts'
import { renderMail } from './render.ts'
import { openLink } from './secret-link.ts'
import { CONNECTIONS, Refused, type Smtp } from './smtp.ts'
import type { Letterhead, MailData, Template } from './templates.ts'

const POLL_MS = 1_000
/** Of one attempt in all, connecting included; less than the lease. */
const DEADLINE_MS = 45_000
const FORGET_EVERY_MS = 3_600_000
const FAILURE = 'e-mails cannot be sent for now; each is tried again'

export type MailNeeds = {
  db: Database
  smtp: Smtp
  seal: Seal
  baseUrl: string
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  now: () => Date
}

/** Sends one round of what is due at `now()`: how many mails that were, and what kept one of them back. */
export async function sendDue(needs: MailNeeds, interrupted?: AbortSignal) {
  const claimed = await claimMails(needs.db, needs.now(), CONNECTIONS)
  const failures = await Promise.all(
    claimed.map((mail) =>
      send(needs, mail, interrupted).catch((err) => {
        needs.log.warn({ err, mailId: mail.id }, 'what became of an e-mail could not be recorded')
      }),
    ),
  )
  return { attempted: claimed.length, failure: failures.find((failure) => failure !== undefined) }
}

/** The answer stops it: nothing more is claimed, and what takes longer than `waitMs` is given back. */
export function startMailer(needs: MailNeeds) {
  const { log, smtp } = needs
  const interrupting = new AbortController()
  let failing = false
  const stop = repeat({ pauseMs: POLL_MS, log, failure: FAILURE }, async () => {
    const { attempted, failure } = await sendDue(needs, interrupting.signal)
    if (attempted > 0) note(failure)
    return attempted === CONNECTIONS
  })

  return async (waitMs: number) => {
    const interrupt = setTimeout(() => interrupting.abort(), waitMs)
    await stop()
    clearTimeout(interrupt)
    smtp.close()
  }

  // One line for an outage of the mail server, however many mails wait for its end.
  function note(failure: Failure | undefined) {
    if (failure && !failing) log.warn(failure, FAILURE)
    if (!failure && failing) log.info('e-mails are sent again')
    failing = failure !== undefined
  }
}

/** Forgets old mails once an hour, until stopped. */
export function startForgettingMails({ db, log, now }: Pick<MailNeeds, 'db' | 'log' | 'now'>) {
  const failure = 'old e-mails cannot be forgotten for now'
  return repeat({ pauseMs: FORGET_EVERY_MS, log, failure }, async () => {
    await forgetOldMails(db, now())
    return false
  })
}

/** Undefined unless the mail is to be tried again. */
async function send(
  needs: MailNeeds,
  mail: Claimed,
  interrupted?: AbortSignal,
): Promise<Failure | undefined> {
  const { db, smtp, log, now } = needs
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  const signal = interrupted ? AbortSignal.any([deadline, interrupted]) : deadline
  try {
    await smtp.send({ id: mail.id, recipient: mail.recipient, ...rendered(needs, mail) }, signal)
  } catch (error) {
    if (interrupted?.aborted) {
      await giveBack(db, mail, now())
      return undefined
    }
    const { message: reason } = error as Error
    const final = error instanceof Refused
    const failure = failureOf(final ? error.cause : error)
    const over = await recordFailure(db, mail, { reason, final, now: now() })
    if (!over) return failure
    log.warn({ mailId: mail.id, template: mail.template, ...failure }, 'an e-mail was given up')
    return undefined
  }
  await recordSent(db, mail, now())
  return undefined
}

/** Not the message, in which servers repeat the recipient. */
function failureOf(error: unknown): Failure {
  const { name, code, responseCode } = (error ?? {}) as Failure
  return { name, code, responseCode }
}

type Failure = { name?: string | undefined; code?: unknown; responseCode?: unknown }

function rendered({ seal, baseUrl }: MailNeeds, { template, data, company }: Claimed) {
  const head: Letterhead = { baseUrl, company }
  return renderMail(template as Template, openLink(seal, data) as MailData[Template], head)
}
