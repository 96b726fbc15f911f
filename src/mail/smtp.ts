// Sends e-mails through the SMTP server, over a few connections that stay open between mails.

import type { Sender } from '../config.ts'
import { toRecord } from '../http/fields.ts'
import { toError } from '../system-error.ts'

/** The most mails that this process sends at a time. */
export const SMTP_CONNECTIONS = 5

const SMTP_CONNECT_TIMEOUT_MS = 10_000
const SMTP_SOCKET_TIMEOUT_MS = 20_000
const SMTP_IDLE_TIMEOUT_MS = 30_000
// Nodemailer parses a text as a list of addresses; this pattern allows only one.
const SINGLE_ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/

type SmtpMessage = {
  /** The same at each attempt, so that mail programs recognise duplicates. */
  id: string
  /** The date that the reader sees. */
  date: Date
  recipient: string
  /** Null for the name in MAIL_FROM. */
  senderName: string | null
  replyTo: string | null
  /** The page that stops such mails, also by a single POST (RFC 8058); null when the reader cannot stop them. */
  stopUrl: string | null
  subject: string
  html: string
  text: string
}

export type Smtp = ReturnType<typeof openSmtp>

export class MailRejectedError extends Error {}

/** The server was unreachable, refused our login or broke the connection: it did not check the mail itself. */
export class MailServerError extends Error {}

/** Further settings of Nodemailer may be in the URL's query, such as `?requireTLS=false`. */
export function openSmtp(url: string, from: Sender) {
  const opening = openTransport(url)

  return {
    /**
     * Throws a MailRejectedError when trying again is useless, a MailServerError when no mail can be sent for now, and
     * any other error when this mail cannot be sent.
     */
    async send(
      { id, recipient, senderName, replyTo, stopUrl, ...message }: SmtpMessage,
      signal: AbortSignal,
    ) {
      if (!SINGLE_ADDRESS.test(recipient)) throw new MailRejectedError('not an e-mail address')
      try {
        const transport = await opening
        await transport.sendMail({
          ...message,
          from: { ...from, ...(senderName && { name: senderName }) },
          to: { name: '', address: recipient },
          ...(replyTo &&
            SINGLE_ADDRESS.test(replyTo) && { replyTo: { name: '', address: replyTo } }),
          messageId: `<${id}@${from.address.split('@')[1]}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(stopUrl && {
              'List-Unsubscribe': `<${stopUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal,
        })
      } catch (error) {
        throw toMailError(error)
      }
    },
    /** Connects and logs in, without sending anything; throws what stands in the way. */
    async verify() {
      const transport = await opening
      await transport.verify()
    },
    async close() {
      const transport = await opening
      transport.close()
    },
  }
}

/** Nodemailer is loaded only when there is a mail server. */
async function openTransport(url: string) {
  const { password, hostname } = new URL(url)
  const { createTransport } = await import('nodemailer')
  return createTransport({
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    connectionTimeout: SMTP_CONNECT_TIMEOUT_MS,
    greetingTimeout: SMTP_CONNECT_TIMEOUT_MS,
    socketTimeout: SMTP_SOCKET_TIMEOUT_MS,
    idleTimeout: SMTP_IDLE_TIMEOUT_MS,
    // Otherwise an attacker on the network could get the password by removing STARTTLS.
    requireTLS: password !== '' && !isLoopbackHost(hostname),
    url,
  })
}

/** Keeps the server's message for a refused recipient or mail; other failures concern the connection and may pass. */
function toMailError(error: unknown) {
  const { code, command, responseCode, response } = toRecord(error)
  const { message } = toError(error)
  const isAnswer = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isAnswer || (command !== 'RCPT TO' && command !== 'DATA'))
    return new MailServerError(message, { cause: error })
  const said = typeof response === 'string' ? response : message
  return Number(responseCode) >= 500
    ? new MailRejectedError(said, { cause: error })
    : new Error(said, { cause: error })
}

function isLoopbackHost(hostname: string) {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
