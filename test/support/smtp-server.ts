// A mail server on loopback, and whatever was put into it as its reader sees it.
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { openSmtp } from '../../src/mail/smtp.ts'
import { sendDueMails } from '../../src/mail/worker.ts'
import { BASE_URL, type TestApp } from './test-app.ts'

const SENDER = { name: 'Vintém', address: 'nao-responda@vintem.example.com' }

type ReceivedMail = Email & { envelope: { from: string; to: string[] } }

/** Listens until the test ends, or until it is closed. */
export async function openSmtpServer(options: SMTPServerOptions & { port?: number } = {}) {
  const { port = 0, ...behaviour } = options
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onData: async (stream, { envelope }, done) => {
      const source = Buffer.concat(await stream.toArray())
      const to = envelope.rcptTo.map(({ address }) => address)
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      received.push({ ...(await PostalMime.parse(source)), envelope: { from, to } })
      done()
    },
    ...behaviour,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(resolve))
  onTestFinished(close)
  const address = server.server.address() as { port: number }
  return { received, close, port: address.port, url: `smtp://127.0.0.1:${address.port}` }
}

/** What the house's outbox needs to be sent through this server. */
export function buildMailNeeds({ db, cipher, clock, needs }: TestApp, url: string) {
  const smtp = openSmtp(url, SENDER)
  onTestFinished(() => smtp.close())
  return { db, cipher, smtp, baseUrl: BASE_URL, log: needs.log, now: clock.now }
}

/** Sends all that is due now and answers how many attempts that took. */
export const sendAllMails = sendDueMails
