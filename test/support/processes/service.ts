// The real program in a process of its own, on a database of the test's.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '../port.ts'
import { PROGRAM_ENV } from './program.ts'
import { reapAtExit } from './reaper.ts'

export const SECRET_KEY = randomBytes(32).toString('base64')

const READY_WITHIN_MS = 120_000

export type Service = {
  baseUrl: string
  process: ChildProcess
  /** Every line it wrote, standard error included. */
  lines: string[]
  /** Ends it and answers its exit code, or the signal that killed it. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/** Starts it and waits until it is ready. */
export async function startService(
  databaseUrl: string,
  { port, ...environment }: Record<string, string> = {},
): Promise<Service> {
  const PORT = port ?? String(await reservePort())
  const child = reapAtExit(
    spawn(process.execPath, ['src/main.ts'], {
      env: { ...PROGRAM_ENV, PORT, DATABASE_URL: databaseUrl, SECRET_KEY, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => lines.push(line))
  }
  const baseUrl = `http://localhost:${PORT}`
  const service: Service = {
    baseUrl,
    process: child,
    lines,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
      return (child.exitCode ?? child.signalCode) as number | NodeJS.Signals
    },
  }
  await awaitServiceReady(service)
  return service
}

/**
 * Several at once or after each other, to be killed together.
 * @param environment of all of them
 */
export function openServices(databaseUrl: string, environment: Record<string, string>) {
  const services: Service[] = []

  async function start(more: Record<string, string> = {}) {
    const service = await startService(databaseUrl, { ...environment, ...more })
    services.push(service)
    return service
  }

  async function killAll() {
    await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')))
  }

  return { start, killAll }
}

async function awaitServiceReady({ baseUrl, process: child, lines }: Service) {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(`${baseUrl}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await sleep(25)
  }
  child.kill('SIGKILL')
  throw new Error(`The service did not become ready:\n${lines.join('\n')}`)
}
