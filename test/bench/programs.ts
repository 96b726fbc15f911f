// The programs that are compared, each in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '../support/port.ts'
import { PROGRAM_ENV } from '../support/processes/program.ts'
import { reapAtExit } from '../support/processes/reaper.ts'
import { REPOSITORY } from '../support/processes/repository-copy.ts'
import type { Seeded } from './seed.ts'

export type Program = Awaited<ReturnType<typeof startProgram>>

const LOOK_MS = 5

/** As users run it behind a proxy, but that webhooks may go to this machine. */
export function startService(url: string, secretKey: Buffer, more: Record<string, string> = {}) {
  const own = { DATABASE_URL: url, SECRET_KEY: secretKey.toString('base64'), TRUST_PROXY: '1' }
  return startProgram('src/main.ts', '/readyz', { ...own, WEBHOOK_ALLOW_PRIVATE: 'true', ...more })
}

export function startControl({ controlUrl, companyId, customerId }: Seeded) {
  const env = { DATABASE_URL: controlUrl, COMPANY_ID: companyId, CUSTOMER_ID: customerId }
  return startProgram('test/bench/control.ts', '/ready', env)
}

/** Answers when it answers at `ready` for the first time. */
export async function startProgram(file: string, ready: string, env: Record<string, string> = {}) {
  const port = await reservePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = reapAtExit(
    spawn(process.execPath, [file], {
      cwd: REPOSITORY,
      env: { ...PROGRAM_ENV, PORT: String(port), ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  while (!(await fetch(url + ready).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`)
    await sleep(LOOK_MS)
  }
  return {
    url,
    startMs: performance.now() - startedAt,
    /** Resident, in MB of 10^6 bytes; not a number but on Linux. */
    memoryMb: () => readResidentKib(Number(child.pid)) * 0.001_024,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function readResidentKib(pid: number) {
  if (process.platform !== 'linux') return Number.NaN
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
