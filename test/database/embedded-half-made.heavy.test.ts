import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openEmbeddedRuns } from '../support/processes/embedded-runs.ts'
import { reapAtExit } from '../support/processes/reaper.ts'

const scratch = mkdtempSync(join(tmpdir(), 'vintem-half-made-'))
if (process.getuid?.() === 0) chmodSync(scratch, 0o755)
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))
const { run } = openEmbeddedRuns(scratch)

test('a first start that was killed half-way is no obstacle, though what it began goes on', async () => {
  const fresh = join(scratch, '.data/postgres-new')
  mkdirSync(fresh, { recursive: true })
  // As initdb does, which clears what it made when it fails.
  const write = `
    const { mkdirSync, rmSync } = require('node:fs')
    const names = Array.from({ length: 100 }, (_, index) => String(index))
    for (const end = Date.now() + 4_000; Date.now() < end; ) {
      for (const name of names) mkdirSync(name + '/base', { recursive: true })
      console.log('written')
      for (const name of names) rmSync(name, { recursive: true, force: true })
    }`
  const initdb = reapAtExit(
    spawn(process.execPath, ['-e', write], { cwd: fresh, stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  await once(initdb.stdout, 'data')
  initdb.stdout.resume()

  const next = await run(join(scratch, '.data'))

  expect(next.refused).toBeUndefined()
  expect(existsSync(fresh)).toBe(false)
  await next.end()
})
