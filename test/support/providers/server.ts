// A provider of our own over HTTP, as all fakes of the tests are. It keeps what it was asked; it can be told to be slow, to
// fail before or after its work, to answer garbage. Deadlines of calls to it end when it goes silent, and not before: no
// test waits for one.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureVersion } from 'node:tls'
import { afterAll } from 'vitest'
import type { FaultyNetwork } from './harness.ts'

export type Asked = {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  text: string
  /** Of JSON and of forms; else without fields. */
  body: Record<string, unknown>
}
export type Answer = { status: number; body?: unknown; type?: string }

type Page = { status: number; html?: string; location?: string }

type FakeProvider = {
  answer(asked: Asked): Answer | Promise<Answer>
  /** How it writes what it answers. */
  speak?(body: unknown): unknown
  /** A page for payers, which is neither kept nor broken; undefined of a call of its API. */
  page?(asked: Asked): Page | undefined
  /** Serves over TLS: its certificate, and the authority of the client certificates that it accepts. */
  /** What all of its paths begin with, and what is left out of those that are kept. */
  root?: string
  tls?: { key: string; cert: string; ca: string; maxVersion?: SecureVersion } | undefined
}

export async function openFakeServer({
  answer,
  page,
  tls,
  root = '',
  speak = (body) => body,
}: FakeProvider) {
  const [asked, faults]: [Asked[], WireFault[]] = [[], []]
  const { createDeadline, endDeadlines } = openDeadlines()
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch(() => response.destroy())
  }
  const server = tls
    ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, listen)
    : createServer(listen)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  afterAll(shut)

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const one = await readAsked(request, root)
    const shown = page?.(one)
    if (shown) sendPage(response, shown)
    else await serveCall(one, response)
  }

  async function serveCall(one: Asked, response: ServerResponse) {
    asked.push(one)
    const fault = takeFault(faults, `${one.method} ${one.path}`)
    const given = await obey(one, fault)
    if (!breakResponse(response, fault)) sendAnswer(response, given)
    if (fault?.does === 'hang') endDeadlines()
  }

  async function obey(one: Asked, fault: WireFault | undefined): Promise<Answer> {
    if (!isWorking(fault)) return { status: 503 }
    const given = structuredClone(await answer(one))
    if (given.body) given.body = speak(given.body)
    if (fault?.does === 'wait') await fault.until
    if (fault?.does === 'say') fault.change(given.body as Record<string, unknown>)
    return given
  }

  /** Stops listening. */
  function shut() {
    server.close()
    server.closeAllConnections()
  }

  return {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    asked,
    /** For a caller that gives up when the fake hangs. */
    createDeadline,
    calls: (on: RegExp) => asked.filter(({ method, path }) => on.test(`${method} ${path}`)),
    /** What happens to the next calls. */
    next: (...more: WireFault[]) => void faults.push(...more),
    /** Behaves well again. */
    heal(): void {
      faults.splice(0)
    },
    shut,
  }
}

function openDeadlines() {
  const open = new Set<AbortController>()

  function createDeadline() {
    const ending = new AbortController()
    open.add(ending)
    return ending.signal
  }

  /** Ends the deadlines of all calls under way. */
  function endDeadlines() {
    for (const ending of open) ending.abort(new DOMException('The deadline came', 'TimeoutError'))
    open.clear()
  }

  return { createDeadline, endDeadlines }
}

async function readAsked(request: IncomingMessage, root: string): Promise<Asked> {
  const { method = 'GET', headers, url = '' } = request
  const { pathname, searchParams } = new URL(url, 'http://fake')
  const text = Buffer.concat(await request.toArray()).toString()
  return {
    method,
    path: pathname.startsWith(root) ? pathname.slice(root.length) : `outside ${pathname}`,
    query: Object.fromEntries(searchParams),
    headers,
    text,
    body: parseBody(text, headers['content-type'] ?? ''),
  }
}

function parseBody(text: string, type: string) {
  if (type.includes('json')) return JSON.parse(text)
  return type.includes('urlencoded') ? Object.fromEntries(new URLSearchParams(text)) : {}
}

function sendPage(response: ServerResponse, { status, html, location }: Page) {
  const type = { 'content-type': 'text/html; charset=utf-8' }
  response.writeHead(status, { ...(html && type), ...(location && { location }) }).end(html)
}

function sendAnswer(response: ServerResponse, { status, body, type }: Answer) {
  if (body === undefined) return void response.writeHead(status).end()
  response
    .writeHead(status, { 'content-type': type ?? 'application/json' })
    .end(JSON.stringify(body))
}

type IdempotencyRules = {
  /** Where a call's key stands. */
  header: string
  /** Whether an answer is that of the next call with its key too. */
  isKept?(answer: Answer): boolean
  /** How a key that is known is refused: with another body, or at all. */
  refuse?(isOtherBody: boolean): Answer | undefined
}

/** The same key again answers the same. */
export function openIdempotencyKeys({ header, isKept = () => true, refuse }: IdempotencyRules) {
  const answered = new Map<string, { text: string; answer: Answer }>()
  return { once: answerOnce, forget: () => answered.clear() }

  function answerOnce({ method, path, headers, text }: Asked, act: () => Answer): Answer {
    const key = headers[header]
    if (method === 'GET' || !key) return act()
    const name = `${method} ${path} ${key}`
    const known = answered.get(name)
    const refusal = known && refuse?.(known.text !== text)
    if (refusal) return refusal
    const answer = known?.answer ?? act()
    if (isKept(answer)) answered.set(name, { text, answer: structuredClone(answer) })
    return answer
  }
}

/** What happens to the next call, or to the next that `on` matches, e.g. `/^PUT .cob/`. */
export type WireFault = {
  on?: RegExp
  /** Whether the fake does what it was asked before it fails. */
  works?: boolean
  /** How often; once when absent. */
  times?: number
} & (
  | { does: 'answer'; status: number; body?: string; headers?: Record<string, string> }
  | { does: 'hang' | 'reset' | 'flood' }
  /** Nothing: the call goes well, and the next fault waits for the next call. */
  | { does: 'pass' }
  /** Answers as it would, but not before. */
  | { does: 'wait'; until: Promise<void> }
  /** Answers this instead of what it would. */
  | { does: 'say'; change: (said: Record<string, unknown>) => void }
)

/** Out of those that are to come. */
function takeFault(faults: WireFault[], call: string) {
  const index = faults.findIndex(({ on }) => on?.test(call) ?? true)
  const fault = faults[index]
  if (!fault) return undefined
  fault.times = (fault.times ?? 1) - 1
  if (fault.times < 1) faults.splice(index, 1)
  return fault
}

/** Whether the fake does what it was asked. */
function isWorking(fault: WireFault | undefined) {
  return !fault || fault.works || ['say', 'wait', 'pass'].includes(fault.does)
}

/** Whether there is no more to answer. */
function breakResponse(response: ServerResponse, fault: WireFault | undefined): boolean {
  switch (fault?.does) {
    case 'hang':
      return true
    case 'reset':
      response.socket?.resetAndDestroy()
      return true
    case 'flood':
      response.writeHead(200).end('x'.repeat(3 * 1024 * 1024))
      return true
    case 'answer':
      response
        .writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers })
        .end(fault.body ?? '<h1>Erro</h1>')
      return true
    default:
      return false
  }
}

/**
 * The way to such a fake, as the cases of all providers break it.
 * @param on the calls that charge and refund
 * @param setAmount makes an answer tell of this amount
 */
export function buildFaultyNetwork(
  fake: { next(fault: WireFault): void },
  on: RegExp,
  setAmount: (said: Record<string, unknown>, cents: number) => void,
): FaultyNetwork {
  const worked = { on, works: true }
  return {
    makeSlow: () => fake.next({ ...worked, does: 'hang' }),
    failNext: (status) => fake.next({ on, does: 'answer', status }),
    failAfter: (status) => fake.next({ ...worked, does: 'answer', status }),
    answerGarbage: () => fake.next({ ...worked, does: 'answer', status: 200 }),
    breakOff: () => fake.next({ ...worked, does: 'reset' }),
    changeAmount: (cents) =>
      fake.next({ on, does: 'say', change: (said) => setAmount(said, cents) }),
  }
}
