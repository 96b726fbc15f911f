// Finds the server of a data folder, by Postgres's lock file in it and by running processes.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A server that is `stopping` takes no new sessions. */
export type RunningServer = { pid: number; port: number; state: string }

export const IS_LINUX = process.platform === 'linux'
const LOCK_FILE = 'postmaster.pid'

/** Postgres refuses to start by a lock file that it can't read, or while any process has the pid in it. */
export function dropDeadLock(folder: string) {
  const file = join(folder, LOCK_FILE)
  if (!existsSync(file)) return
  const left = readPidFile(folder)
  // A file that can't be read may be that of a server which another program starts just now.
  const pids = left ? [left.pid] : listProcesses()
  if (!pids.some((pid) => isServerOf(folder, pid))) rmSync(file, { force: true })
}

/** Undefined where there is none, or none that makes sense. */
export function readPidFile(folder: string): RunningServer | undefined {
  try {
    const lines = readFileSync(join(folder, LOCK_FILE), 'utf8').split('\n')
    const [pid, , , port] = lines.map(Number)
    return pid && port ? { pid, port, state: lines[7]?.trim() ?? '' } : undefined
  } catch {
    return undefined
  }
}

function listProcesses() {
  if (IS_LINUX) return readdirSync('/proc').map(Number).filter(Boolean)
  const { stdout } = spawnSync('ps', ['-axo', 'pid='], { encoding: 'utf8' })
  return stdout.split('\n').map(Number).filter(Boolean)
}

export function isServerOf(folder: string, pid: number) {
  if (!IS_LINUX) {
    const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
    return stdout.includes(`-D ${folder}`)
  }
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(folder)]
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    return its.dev === ours.dev && its.ino === ours.ino && name === 'postgres'
  } catch {
    return false // It is no more, or it is not ours to look at.
  }
}
