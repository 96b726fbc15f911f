// Finds the server of a data folder by Postgres's lock file and by the running processes.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** In state `stopping` a server accepts no new sessions. */
export type RunningServer = { pid: number; port: number; state: string }

export const IS_LINUX = process.platform === 'linux'
const LOCK_FILE = 'postmaster.pid'

/** Deletes a lock file without a server: Postgres refuses to start with an unreadable or reused pid. */
export function dropDeadLock(folder: string) {
  const file = join(folder, LOCK_FILE)
  if (!existsSync(file)) return
  const left = readPidFile(folder)
  // An unreadable file may belong to a server that another program starts just now.
  const pids = left ? [left.pid] : listProcesses()
  if (!pids.some((pid) => isServerOf(folder, pid))) rmSync(file, { force: true })
}

/** Undefined without a lock file, or with an unreadable one. */
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
    return false // The process has ended, or we may not look at it.
  }
}
