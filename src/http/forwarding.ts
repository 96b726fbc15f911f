// Decides which proxies are trusted to name the address that a request comes from. When a real proxy is not trusted,
// all payers seem to have one address; when a stranger is trusted, one client may pretend to have many. An ignored
// header is reported once in the log, and to `doctor`.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Database, Db } from '../database/connect.ts'
import { eq, sql } from '../database/drizzle.ts'
import { installation } from '../database/tables.ts'
import { createNetworkMatcher, parseNetwork, readForwardedAddress } from './ip.ts'

type TrustProxy = Config['trustProxy']

const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip']
const IGNORED_FORWARDING_ENTRY = 'ignored_forwarding'

/** The networks that `TRUST_PROXY` may name by a word. */
const NAMED_NETWORKS: Record<string, string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Keeps in `X-Forwarded-For` only the addresses that the nearest proxies wrote, without ports. The list ends at an
 * entry that is no address; the proxy that wrote it then counts as the client.
 */
export function parseForwarding(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const { 'x-forwarded-for': written } = headers
    if (written !== undefined) headers['x-forwarded-for'] = cleanForwardedFor(String(written))
    done()
  })
}

function cleanForwardedFor(written: string) {
  const addresses = written.split(',').map(readForwardedAddress)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ')
}

/** Logs an ignored header once for each process; the table `installation` keeps the last one for `doctor`. */
export function reportIgnoredForwarding(app: FastifyInstance, db: Database) {
  let reported = false
  app.addHook('onRequest', (request, _reply, done) => {
    const header = reported ? undefined : findIgnoredHeader(request)
    if (header) {
      reported = true
      const { ip: peer, log } = request
      log.warn(
        { header, peer },
        'a forwarding header was ignored: if it comes from your proxy, name the proxy in TRUST_PROXY',
      )
      recordIgnoredForwarding(db, peer).catch((err: unknown) => {
        log.warn({ err }, 'an ignored forwarding header could not be recorded for doctor')
      })
    }
    done()
  })
}

export async function findIgnoredForwarding(db: Db) {
  const [row] = await db
    .select({ peer: installation.value, at: installation.createdAt })
    .from(installation)
    .where(eq(installation.name, IGNORED_FORWARDING_ENTRY))
  return row
}

export function isTrustedProxy(trust: TrustProxy, address: string) {
  if (typeof trust === 'function') return trust(address, 0)
  if (trust === false) return false
  const networks = trust.split(',').flatMap(expandNetwork).map(parseNetwork)
  return createNetworkMatcher(networks.filter((one) => one !== undefined))(address)
}

function expandNetwork(text: string) {
  const name = text.trim()
  return NAMED_NETWORKS[name] ?? [name]
}

/** Finds an ignored forwarding header. Behind a trusted proxy a request has more than one address. */
function findIgnoredHeader(request: FastifyRequest) {
  const { headers } = request
  const header = FORWARDING_HEADERS.find((name) => headers[name] !== undefined)
  // Only with a header, since `request.ips` costs work.
  return header && (request.ips ?? []).length < 2 ? header : undefined
}

async function recordIgnoredForwarding(db: Database, peer: string) {
  await db
    .insert(installation)
    .values({ name: IGNORED_FORWARDING_ENTRY, value: peer })
    .onConflictDoUpdate({
      target: installation.name,
      set: { value: peer, createdAt: sql`now()` },
    })
}
