// The programs that are compared, each in a process of its own, and what they weigh.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '../support/port.ts'
import { PROGRAM_ENV } from '../support/processes/program.ts'
import { REPOSITORY } from '../support/processes/repository-copy.ts'
import { readCpuUs } from './cpu.ts'
import type { Seeded } from './seed.ts'

export type Program = {
  /** No trailing slash. */
  url: string
  /** From its start to its first answer. */
  startMs: number
  /** Resident memory, in MB of 10^6 bytes. */
  memoryMb(): number
  /** What it has used of the processors so far. */
  cpuUs(): number
  stop(): Promise<void>
}

type ServiceOptions = {
  /** For Node, before the program. */
  flags?: string[]
  env?: Record<string, string>
}

const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 8_000
const LOOK_MS = 5

/**
 * As users run it behind a proxy: the address of its database, its secret, its port, nothing else, but
 * that webhooks may go to this machine.
 */
export function startService(
  { serviceUrl, secretKey }: Pick<Seeded, 'serviceUrl' | 'secretKey'>,
  { flags = [], env = {} }: ServiceOptions = {},
) {
  const secret = secretKey.toString('base64')
  const own = { DATABASE_URL: serviceUrl, SECRET_KEY: secret, TRUST_PROXY: '1' }
  const all = { ...own, WEBHOOK_ALLOW_PRIVATE: 'true', ...env }
  return startProgram([...flags, 'src/main.ts'], all, '/readyz')
}

/** @param slim on a table of its own, with a rendered page (control.ts) */
export function startControl({ controlUrl, companyId, customerId }: Seeded, slim: boolean) {
  const env = { DATABASE_URL: controlUrl, COMPANY_ID: companyId, CUSTOMER_ID: customerId }
  return startProgram(['test/bench/control.ts'], { ...env, ...(slim && { SLIM: '1' }) }, '/ready')
}

export async function startProgram(
  args: string[],
  env: Record<string, string>,
  ready: string,
): Promise<Program> {
  const port = await reservePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: REPOSITORY,
    env: { ...PROGRAM_ENV, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    // A Ctrl-C is for us, who stop it.
    detached: true,
  })
  const url = `http://127.0.0.1:${port}`
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  await awaitFirstAnswer(child, url + ready)
  const pid = Number(child.pid)
  return {
    url,
    startMs: performance.now() - startedAt,
    memoryMb: () => (readResidentKib(pid) * 1_024) / 1_000_000,
    cpuUs: () => readCpuUs(pid),
    async stop() {
      await endProcess(child)
      process.off('exit', killed)
    },
  }
}

export async function awaitFirstAnswer(child: ChildProcess, url: string) {
  for (const since = performance.now(); performance.now() - since < START_LIMIT_MS; ) {
    if (child.exitCode !== null)
      throw new Error(`It ended with ${child.exitCode}: ${child.spawnargs}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await sleep(LOOK_MS)
  }
  throw new Error(`No answer from ${url}`)
}

export async function endProcess(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await once(child, 'exit')
  clearTimeout(late)
}

function readResidentKib(pid: number) {
  if (process.platform !== 'linux') {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
  }
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
