// Prism stands between an adapter of ours and a fake provider of ours, and holds both to the provider's
// official description. The descriptions are cut to the calls that we make: Banco Central's API Pix 2.9.0
// (bacen/pix-api) and Mercado Pago's orders (mercadopago/openapi), both under Apache 2.0, and Woovi's
// (Open-Pix/openpix-developers), under MIT.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, request } from 'undici'
import { afterAll } from 'vitest'
import { reservePort } from '../support/port.ts'

const PRISM = '@stoplight/prism-cli@5.14.2'
const DESCRIPTIONS = join(import.meta.dirname, 'descriptions')
const STARTS_WITHIN_MS = 180_000
const PRISM_ERROR = /stoplight\.io\/prism\/errors#.*/
const OF_THE_LINE = ['connection', 'keep-alive', 'transfer-encoding', 'content-length']

export function findDescription(provider: 'mercadopago' | 'openpix' | 'pix-api') {
  return join(DESCRIPTIONS, `${provider}.json`)
}

/**
 * A copy of it where values that it is known to have wrong are right, each by its JSON pointer, and with the
 * paths that it was cut off.
 */
export function correctDescription(
  path: string,
  values: Record<string, unknown>,
  cutOff: Record<string, object> = {},
): string {
  const description = JSON.parse(readFileSync(path, 'utf8'))
  Object.assign(description.paths, cutOff)
  for (const [pointer, value] of Object.entries(values)) {
    const names = pointer.slice(1).split('/')
    const last = names.pop()!
    const holder = names.reduce((node, name) => node[name], description)
    if (!Object.hasOwn(holder, last)) throw new Error(`${basename(path)} has no ${pointer}`)
    holder[last] = value
  }
  const folder = mkdtempSync(join(tmpdir(), 'description-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const corrected = join(folder, basename(path))
  writeFileSync(corrected, JSON.stringify(description))
  return corrected
}

/**
 * Listens in front of `upstream`. What either side says against the description is answered as an error
 * (422 for ours, 500 for the fake's) and kept in `violations`, one sentence each.
 */
export async function openPrism(description: string, upstream: string) {
  const port = await reservePort()
  const args = ['--yes', '-p', PRISM, 'prism', 'proxy', description, upstream]
  const child = spawn('npx', [...args, '--errors', '-h', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    env: { ...process.env, NO_COLOR: '1' },
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  }
  afterAll(() => end(child))
  await untilListening(child, () => said.join(''))
  return watched(`http://127.0.0.1:${port}`)
}

/** Adapters swallow some errors; here every answer of Prism is seen. */
async function watched(prism: string) {
  const violations: string[] = []
  const server = createServer(async (asked, response) => {
    const { method = 'GET', url = '/' } = asked
    const body = Buffer.concat(await asked.toArray())
    const answer = await request(prism + url, {
      method: method as Dispatcher.HttpMethod,
      headers: without(asked.headers, [...OF_THE_LINE, 'host']),
      ...(body.length > 0 && { body }),
    })
    const text = await answer.body.text()
    const said = answer.headers['sl-violations'] ?? PRISM_ERROR.exec(text)?.[0]
    if (said) violations.push(`${method} ${url}: ${said}`)
    const kept = without(answer.headers, OF_THE_LINE)
    response.writeHead(answer.statusCode, kept).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, violations }
}

function without(headers: IncomingHttpHeaders, names: string[]) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

async function untilListening(child: ChildProcess, said: () => string) {
  const until = performance.now() + STARTS_WITHIN_MS
  while (!said().includes('Prism is listening on')) {
    if (child.exitCode !== null) throw new Error(`Prism ended: ${said()}`)
    if (performance.now() > until) throw new Error(`Prism did not start: ${said()}`)
    await sleep(100)
  }
}

/** Prism runs below npx: the whole group goes. */
function end({ pid, exitCode }: ChildProcess) {
  if (pid === undefined || exitCode !== null) return
  process.kill(process.platform === 'win32' ? pid : -pid)
}
