// The manifests that the guide for Kubernetes shows are held to the service as it is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { Environment } from '../../src/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const text = readFileSync(join(ROOT, 'views/docs/samples/kubernetes.yaml'), 'utf8')
const documents = parseAllDocuments(text)
const manifests = new Map(documents.map((one) => [one.get('kind'), one.toJS()]))
const pod = manifests.get('Deployment').spec.template
const [container] = pod.spec.containers

test('the manifests are one of each kind, and all of them mean the same processes', () => {
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  expect([...manifests.keys()].sort()).toEqual(
    ['Deployment', 'Ingress', 'PodDisruptionBudget', 'Secret', 'Service'].sort(),
  )
  expect(manifests.get('Deployment').spec.selector.matchLabels).toEqual(pod.metadata.labels)
  expect(manifests.get('Service').spec.selector).toEqual(pod.metadata.labels)
  expect(manifests.get('PodDisruptionBudget').spec.selector.matchLabels).toEqual(
    pod.metadata.labels,
  )
  for (const { http } of manifests.get('Ingress').spec.rules) {
    expect(http.paths[0].backend.service.name).toBe(manifests.get('Service').metadata.name)
  }
})

test('every setting is one that the service reads, with a value that it takes', () => {
  const { SECRET_KEY: placeholder, ...secrets } = manifests.get('Secret').stringData
  const plain = container.env.map(({ name, value }: { name: string; value: string }) => [
    name,
    value,
  ])
  const settings = { ...secrets, ...Object.fromEntries(plain) }

  expect(placeholder).toMatch(/^troque-/)
  expect(Object.keys(settings).filter((name) => !(name in Environment.shape))).toEqual([])
  expect(Environment.safeParse(settings).error?.issues).toBeUndefined()
  expect(container.envFrom).toEqual([{ secretRef: { name: 'vintem' } }])
})

test('the container is that of the Dockerfile, by digest, and may do nothing that it need not', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')

  expect(container.image).toMatch(/@sha256:[0-9a-f]{64}$/)
  expect(dockerfile).toContain(`EXPOSE ${container.ports[0].containerPort}\n`)
  expect(dockerfile).toContain(`USER ${pod.spec.securityContext.runAsUser}\n`)
  expect(pod.spec.securityContext.runAsNonRoot).toBe(true)
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
})

test('an update takes no process away before another is ready, and lets it finish', () => {
  const { spec } = manifests.get('Deployment')

  expect(spec.replicas).toBe(3)
  expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
  expect(container.livenessProbe.httpGet.path).toBe('/healthz')
  expect(container.startupProbe.httpGet.path).toBe('/healthz')
  expect(container.readinessProbe.httpGet.path).toBe('/readyz')
  // SIGTERM comes after it, and the service takes up to 10 s from then on.
  const pauseSeconds = container.lifecycle.preStop.sleep.seconds
  expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(pauseSeconds + 10)
})
