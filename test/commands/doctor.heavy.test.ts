// What the doctor says of where this installation stands.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { findIgnoredForwarding } from '../../src/http/forwarding.ts'
import { runProgram } from '../support/processes/program.ts'
import { openTestApp } from '../support/test-app.ts'

const SECRET_KEY = randomBytes(32).toString('base64')
const { db, needs, url } = await openTestApp()

async function askDoctor(TRUST_PROXY: string) {
  const env = { DATABASE_URL: url, SECRET_KEY, TRUST_PROXY }
  const { stdout } = await runProgram(['doctor'], { env })
  return stdout.split('\n').find((line) => line.includes('proxy: '))
}

test('the doctor tells of a proxy that is not believed, until it is', async () => {
  const before = await askDoctor('false')
  const app = await buildApp(needs)
  await app.inject({
    url: '/healthz',
    headers: { 'x-forwarded-for': '203.0.113.9' },
    remoteAddress: '10.0.0.7',
  })
  await app.close()
  await expect.poll(() => findIgnoredForwarding(db)).toBeDefined()

  const [ignored, believed] = [await askDoctor('false'), await askDoctor('uniquelocal')]

  expect(before).toBe('ok    proxy: no forwarding header was ignored')
  expect(ignored).toMatch(
    /^warn {2}proxy: a forwarding header from 10\.0\.0\.7 was not believed on \d{4}-\d\d-\d\d — if a proxy of yours/,
  )
  expect(believed).toBe(before)
})
