// Who serves a data folder, by the lock file that Postgres keeps in it and by what is running.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readSystemError } from '../../system-error.ts'

export type RunningServer = {
  pid: number
  port: number
  ready: boolean
  /** Told to end: from then on it takes no new sessions. */
  stopping: boolean
}

export const IS_LINUX = process.platform === 'linux'
const LOCK_FILE = 'postmaster.pid'

/**
 * Postgres refuses to start by a lock file that it can't read, or while any process has the pid that a
 * killed one has left in it.
 */
export function dropDeadLock(folder: string) {
  const [left, file] = [readPidFile(folder), join(folder, LOCK_FILE)]
  // One that is not there yet may be the lock of a server that another program starts just now.
  const isDead = left
    ? isAlive(left.pid) && !isServerOf(folder, left.pid)
    : existsSync(file) && !isServed(folder)
  if (isDead) rmSync(file, { force: true })
}

/** Undefined where there is none, or none that makes sense. */
export function readPidFile(folder: string): RunningServer | undefined {
  try {
    const lines = readFileSync(join(folder, LOCK_FILE), 'utf8').split('\n')
    const [pid, , , port] = lines.map(Number)
    if (!pid || !port) return undefined
    const state = lines[7]?.trim()
    return { pid, port, ready: state === 'ready', stopping: state === 'stopping' }
  } catch {
    return undefined
  }
}

/** Whether any process of a server works in that folder, whatever its lock file says. */
function isServed(folder: string) {
  if (IS_LINUX) return readdirSync('/proc').some((pid) => isServerOf(folder, Number(pid)))
  const { stdout } = spawnSync('ps', ['-axo', 'command='], { encoding: 'utf8' })
  return stdout.includes(`-D ${folder}`)
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

export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return readSystemError(error).code === 'EPERM'
  }
}
