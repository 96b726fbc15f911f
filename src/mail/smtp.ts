// The mail server that e-mails leave through. Connections are few and kept open between mails.
import { createTransport } from 'nodemailer'
import type { Sender } from '../config.ts'

/** As many mails as may be under way at a time in this process. */
export const CONNECTIONS = 5

const CONNECT_MS = 10_000
const SOCKET_MS = 20_000
const IDLE_MS = 30_000
// Nodemailer takes a text for a list of addresses; only what is one address may pass as one.
const ONE_ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/

export type Message = {
  /** The same however often it is sent, so that readers can drop what comes twice. */
  id: string
  recipient: string
  replyTo: string | null
  subject: string
  html: string
  text: string
}

export type Smtp = {
  /** Throws a Refused when trying again would change nothing, any other error when it might. */
  send(message: Message, signal: AbortSignal): Promise<void>
  close(): void
}

export class Refused extends Error {}

/** Further settings of Nodemailer's may stand in the URL's query, such as `?requireTLS=false`. */
export function openSmtp(url: string, from: Sender): Smtp {
  const { password, hostname } = new URL(url)
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    idleTimeout: IDLE_MS,
    // Or whoever sits on the line could have the password by leaving STARTTLS out.
    requireTLS: password !== '' && !isLocal(hostname),
    url,
  })

  return {
    async send({ id, recipient, replyTo, ...message }, signal) {
      if (!ONE_ADDRESS.test(recipient)) throw new Refused('not an e-mail address')
      try {
        await transport.sendMail({
          ...message,
          from,
          to: { name: '', address: recipient },
          ...(replyTo && ONE_ADDRESS.test(replyTo) && { replyTo: { name: '', address: replyTo } }),
          messageId: `<${id}@${from.address.split('@')[1]}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal,
        })
      } catch (error) {
        throw isFinal(error) ? new Refused((error as Error).message, { cause: error }) : error
      }
    },
    close: () => transport.close(),
  }
}

/** The server will not have this recipient or this message. What it says of us may change. */
function isFinal(error: unknown) {
  const { code, command, responseCode = 0 } = error as Failure
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  return (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500
}

type Failure = { code?: string; command?: string; responseCode?: number }

function isLocal(hostname: string) {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
