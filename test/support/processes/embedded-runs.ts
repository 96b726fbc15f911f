// Runs embedded-program.ts, and clears up after it whatever became of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import { findRunningServer } from '../../../src/database/embedded/cluster.ts'
import type { OsUser } from '../../../src/database/embedded/os-user.ts'
import { REPOSITORY } from './repository-copy.ts'

type RunOptions = {
  checkout?: string
  account?: OsUser
  /** A command that runs the program. */
  launcher?: string[]
}

/** @param scratch the folder for temporary files. */
export function openEmbeddedRuns(scratch: string) {
  const programs: ChildProcess[] = []
  const dataDirs = new Set<string>()

  afterAll(() => {
    for (const program of programs) program.kill('SIGKILL')
    for (const dataDir of dataDirs) {
      const running = findRunningServer(join(dataDir, 'postgres'))
      if (running) process.kill(running.pid, 'SIGKILL')
    }
  })

  return { run, strange }

  async function run(
    dataDir: string,
    { checkout = REPOSITORY, account = {}, launcher = [] }: RunOptions = {},
  ) {
    dataDirs.add(dataDir)
    const entry = join(checkout, 'test/support/processes/embedded-program.ts')
    const [command = '', ...args] = [...launcher, process.execPath, entry, dataDir]
    const program = spawn(command, args, {
      ...account,
      cwd: '/',
      detached: true,
      env: { ...process.env, TMPDIR: scratch },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    programs.push(program)
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
    const { url = '', refused } = await next()
    return {
      program,
      url,
      refused,
      next,
      kill: () => end('SIGKILL'),
      end: () => end('SIGTERM'),
    }

    async function next(): Promise<{ url?: string; refused?: string; still?: number }> {
      const { value = '{}' } = await lines.next()
      return JSON.parse(value)
    }

    async function end(signal: NodeJS.Signals) {
      program.kill(signal)
      await awaitExit(program)
    }
  }

  /** A process that has nothing to do with any database. */
  function strange(account: OsUser) {
    const stranger = spawn('sleep', ['60'], { ...account, cwd: '/', stdio: 'ignore' })
    programs.push(stranger)
    return stranger
  }
}

export async function awaitExit(program: ChildProcess) {
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
}

export function readServerPid(dataDir: string) {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}
