// A disk of its own size that can be filled and freed.
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSystemError } from '../../../src/system-error.ts'

const CHUNK = Buffer.alloc(65_536)

/** Undefined where this account may not mount one. */
export function mountSmallDisk(folder: string, megabytes: number) {
  mkdirSync(folder)
  chmodSync(dirname(folder), 0o755)
  const options = `size=${megabytes}m,mode=0777`
  if (!runAsRoot('mount', '-t', 'tmpfs', '-o', options, 'vintem', folder)) return undefined
  chmodSync(folder, 0o777)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** Somebody else's data, to the last byte. */
    fill() {
      for (const chunk of [CHUNK, CHUNK.subarray(0, 512)]) {
        while (append(ballast, chunk));
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => runAsRoot('umount', '--lazy', folder),
  }
}

function append(file: string, chunk: Buffer) {
  try {
    appendFileSync(file, chunk)
    return true
  } catch (error) {
    if (readSystemError(error).code !== 'ENOSPC') throw error
    return false
  }
}

function runAsRoot(...command: string[]) {
  const asRoot = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command]
  const [program = '', ...options] = asRoot
  return spawnSync(program, options).status === 0
}
