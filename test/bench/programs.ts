// The two programs that are compared, each in a process of its own, and what they weigh.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../src/database/embedded/cluster.ts'
import type { Seeded } from './seed.ts'

export type Program = {
  /** No trailing slash. */
  url: string
  /** From its start to its first answer. */
  startMs: number
  /** Resident memory, in MB of 10^6 bytes. */
  memoryMb(): number
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '../..')
const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 8_000
const LOOK_MS = 5

/** As users run it behind a proxy: the address of its database, its secret, its port, nothing else. */
export function startService({ serviceUrl, secretKey }: Seeded, flags: string[] = []) {
  const secret = secretKey.toString('base64')
  const env = { DATABASE_URL: serviceUrl, SECRET_KEY: secret, TRUST_PROXY: '1' }
  return start([...flags, 'src/main.ts'], env, '/readyz')
}

export function startControl({ controlUrl, companyId, customerId }: Seeded) {
  const env = { DATABASE_URL: controlUrl, COMPANY_ID: companyId, CUSTOMER_ID: customerId }
  return start(['test/bench/control.ts'], env, '/ready')
}

async function start(args: string[], env: Record<string, string>, ready: string): Promise<Program> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    // A Ctrl-C is for us, who stop it.
    detached: true,
  })
  const url = `http://127.0.0.1:${port}`
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  await firstAnswer(child, url + ready)
  return {
    url,
    startMs: performance.now() - startedAt,
    memoryMb: () => residentKb(child.pid as number) / 1_000,
    async stop() {
      await end(child)
      process.off('exit', killed)
    },
  }
}

async function firstAnswer(child: ChildProcess, url: string) {
  for (const since = performance.now(); performance.now() - since < START_LIMIT_MS; ) {
    if (child.exitCode !== null)
      throw new Error(`It ended with ${child.exitCode}: ${child.spawnargs}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await sleep(LOOK_MS)
  }
  throw new Error(`No answer from ${url}`)
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await once(child, 'exit')
  clearTimeout(late)
}

function residentKb(pid: number) {
  if (process.platform !== 'linux') {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
  }
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
