// Companies that receive webhooks: a database with what they need to be sent, and receivers of every
// kind, the bad ones included.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type ListenOptions,
  type Server as TcpServer,
} from 'node:net'
import { onTestFinished } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { newId } from '../../src/database/id.ts'
import { companies, webhookDeliveries } from '../../src/database/tables.ts'
import { createGuardedAgent } from '../../src/http/outbound.ts'
import { findDelivery } from '../../src/webhooks/deliveries/history.ts'
import { createEndpoint, type NewEndpoint } from '../../src/webhooks/endpoints/endpoint.ts'
import { type NewEvent, recordEvent } from '../../src/webhooks/events/event.ts'
import { reservePort } from './port.ts'
import { openDatabase } from './postgres/database.ts'

export async function openWebhooks() {
  const { db, url } = await openDatabase()
  const cipher = createCipher(randomBytes(32))
  const needs = { db, cipher, agent: createGuardedAgent({ allowPrivate: true }), deadlineMs: 5_000 }

  async function newCompany() {
    const id = newId()
    await db.insert(companies).values({ id, name: 'Padaria Sol', redirectSecret: randomBytes(32) })
    return id
  }

  function addReceiver(companyId: string, url: string, more: Partial<NewEndpoint> = {}) {
    return createEndpoint(db, cipher, { companyId, url, allowPrivate: true, ...more })
  }

  /** A new company that has its payments sent to this URL. */
  async function companyWith(url: string) {
    const companyId = await newCompany()
    const endpoint = await addReceiver(companyId, url)
    return { companyId, endpointId: endpoint.id, secret: endpoint.secret }
  }

  /** An approved payment, as far as webhooks are concerned. */
  function emit(companyId: string, now: Date, more: Partial<NewEvent> = {}) {
    const data = { transaction: { id: newId() } }
    const event = { companyId, type: 'transaction.approved', testMode: true, data, now } as const
    return db.transaction((tx) => recordEvent(tx, { ...event, ...more }))
  }

  async function deliveriesOf(eventId: string) {
    return db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId))
  }

  /** An approved payment of a new company with its receiver at this URL. */
  async function approvedFor(url: string, now: Date) {
    const company = await companyWith(url)
    const { eventId } = await emit(company.companyId, now)
    const [{ id } = { id: '' }] = await deliveriesOf(eventId)
    return { ...company, eventId, id, read: async () => (await findDelivery(db, id))! }
  }

  const company = { newCompany, addReceiver, companyWith, approvedFor }
  return { db, url, cipher, needs, ...company, emit, deliveriesOf }
}

type ReceivedHook = { headers: IncomingHttpHeaders; body: string; at: number }

/** Listens on loopback until the test ends, and keeps what it was sent. */
export async function openReceiver(answer: RequestListener = answerWith(204)) {
  const hits: ReceivedHook[] = []
  const load = { now: 0, most: 0 }
  const server = createServer(async (request, response) => {
    load.most = Math.max(load.most, ++load.now)
    response.once('close', () => load.now--)
    const body = Buffer.concat(await request.toArray()).toString()
    hits.push({ headers: request.headers, body, at: performance.now() })
    answer(request, response)
  })
  const port = await listenOnLoopback(server)
  return { url: `http://127.0.0.1:${port}/`, port, hits, load }
}

export function answerWith(
  status: number,
  headers: Record<string, string> = {},
  body = '',
): RequestListener {
  return (_request, response) => response.writeHead(status, headers).end(body)
}

/** Answers the nth request with the nth status and all later ones with the last. */
export function answerInTurn(...statuses: number[]): RequestListener {
  let turn = 0
  return (_request, response) => {
    response.writeHead(statuses[Math.min(turn++, statuses.length - 1)]!).end()
  }
}

export const neverAnswer: RequestListener = () => {}

export const resetConnection: RequestListener = (request) => request.socket.resetAndDestroy()

/** Says 200 and then one byte at a time, for ever. */
export const dripBytes: RequestListener = (_request, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 20)
  response.once('close', () => clearInterval(timer))
}

/** Says 200 and then as much as the connection takes, for ever; `sent` counts the bytes. */
export function floodBytes(sent = { bytes: 0 }): RequestListener {
  const chunk = Buffer.alloc(65_536, 'x')
  return (_request, response) => {
    response.writeHead(200)
    response.on('drain', pour)
    pour()

    function pour() {
      do sent.bytes += chunk.length
      while (!response.destroyed && response.write(chunk))
    }
  }
}

/** An address without a listener. */
export async function findRefusingUrl() {
  return `http://127.0.0.1:${await reservePort()}/`
}

/** Counts connections and accepts none of what they say: no request is needed to be noticed. */
export async function openProbe() {
  const seen = { connections: 0 }
  const server = createTcpServer((socket) => {
    seen.connections++
    socket.destroy()
  })
  return { port: await listenOnLoopback(server, {}), seen }
}

/** Ends the connection as soon as anything was said. */
export async function openHangUpServer() {
  const server = createTcpServer((socket) => socket.once('data', () => socket.end()))
  return { port: await listenOnLoopback(server) }
}

/** https with a self-signed certificate. */
export async function openSelfSignedReceiver() {
  const hits: string[] = []
  const server = createTlsServer(createSelfSignedCertificate(), (request, response) => {
    hits.push(request.url ?? '')
    response.end()
  })
  return { url: `https://localhost:${await listenOnLoopback(server)}/`, hits }
}

async function listenOnLoopback(server: TcpServer, to: ListenOptions = { host: '127.0.0.1' }) {
  server.listen({ port: 0, ...to })
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    if (server instanceof Server) server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

function createSelfSignedCertificate() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = encodeDer(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
  const commonName = [Buffer.from('0603550403', 'hex'), encodeDer(0x0c, Buffer.from('localhost'))]
  const name = encodeDer(0x30, encodeDer(0x31, encodeDer(0x30, ...commonName)))
  const dates = ['250101000000Z', '491231235959Z'].map((date) => encodeDer(0x17, Buffer.from(date)))
  const subject = [name, encodeDer(0x30, ...dates), name]
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const content = encodeDer(0x30, encodeDer(0x02, Buffer.from([1])), algorithm, ...subject, spki)
  const signature = encodeDer(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const certificate = encodeDer(0x30, content, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  }
}

function encodeDer(tag: number, ...parts: Buffer[]) {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
