// The version in package.json, and the commit of this build.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Written when the image is built, since the image has no git. */
const COMMIT_FILE = join(ROOT, '.commit')
const COMMIT_LENGTH = 12

/** `commit` is null when it is unknown, as in a plain copy of the files. */
export function readBuild(): { version: string; commit: string | null } {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  return { version, commit: readCommit()?.slice(0, COMMIT_LENGTH) || null }
}

/** Returns `0.1.0 (3fa9c1d2b4e5)`. */
export function formatBuild({ version, commit } = readBuild()) {
  return commit ? `${version} (${commit})` : version
}

function readCommit() {
  if (existsSync(COMMIT_FILE)) return readFileSync(COMMIT_FILE, 'utf8').trim()
  const folder = join(ROOT, '.git')
  if (!existsSync(folder)) return undefined
  try {
    const args = ['--git-dir', folder, 'rev-parse', 'HEAD']
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
