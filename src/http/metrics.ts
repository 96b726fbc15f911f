// Every metric of this process, under its Prometheus name. The values of labels are words of ours, never an id, an
// address or other text that a stranger could choose.
import type { FastifyInstance } from 'fastify'
import type * as prometheus from 'prom-client'
import type { PaymentMethod, ProviderName } from '../database/enums.ts'
import { SECOND_MS } from '../database/instant.ts'
import { getKeys } from '../record.ts'
import { readBuild } from '../version.ts'

type Client = typeof prometheus
type Registry = prometheus.Registry

type ResponseLabels = { method: string; route: string; status: string }
type PaymentLabels = { method: PaymentMethod; provider: ProviderName }
/** `error`: the provider did not process the payment. `held`: less came in than was asked for. */
export type PaymentOutcome = 'approved' | 'declined' | 'error' | 'expired' | 'canceled' | 'held'
export type ProviderOperation =
  | 'charge'
  | 'find'
  | 'list'
  | 'cancel'
  | 'refund'
  | 'findRefund'
  | 'quotes'
type ProviderCallLabels = {
  provider: ProviderName
  operation: ProviderOperation
  /** `down`: the provider did not process the call. `failed`: its result is unknown. */
  outcome: 'ok' | 'down' | 'failed'
}
export type MailOutcome = 'sent' | 'retried' | 'failed'

export type GaugeName = keyof typeof GAUGES

const GAUGES = {
  vintem_ready: '1 when /readyz says yes: started, and the database can be written.',
  vintem_webhook_deliveries_due: 'Webhooks that wait to be sent, of endpoints that are enabled.',
  vintem_webhook_oldest_due_seconds: 'For how long the first of them has been due.',
  vintem_webhook_oldest_due_keeping_up_seconds:
    'The same of endpoints that keep up: they could be sent more at once, and wait for a worker.',
  vintem_mails_oldest_due_seconds: 'For how long the first e-mail that waits has been due.',
  vintem_checks_oldest_due_seconds:
    'For how long the first question to a provider about a payment has been due.',
  vintem_payments_oldest_processing_seconds:
    'Age of the oldest payment that its provider has not ended.',
  vintem_database_size_bytes: 'What the database takes on its disk.',
  vintem_pool_connections_in_use: 'Connections to Postgres that are working.',
  vintem_pool_connections_waiting: 'Statements that wait for a connection.',
} as const

const RESPONSE_BUCKETS_S = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const PROVIDER_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export type Metrics = Awaited<ReturnType<typeof createMetrics>>

/** Loads the library and makes a registry of its own, so that a process without metrics never loads it. */
export async function createMetrics() {
  const client = await import('prom-client')
  const registry = new client.Registry()
  client.collectDefaultMetrics({ register: registry })
  addBuildInfo(client, registry)
  const { responses, providerCalls } = addHistograms(client, registry)
  const counters = addCounters(client, registry)

  return {
    observeResponse: (labels: ResponseLabels, seconds: number) =>
      responses.observe(labels, seconds),
    countPayment: ({ method, provider }: PaymentLabels, outcome: PaymentOutcome) =>
      counters.payments.inc({ method, provider, outcome }),
    observeProviderCall: (labels: ProviderCallLabels, seconds: number) =>
      providerCalls.observe(labels, seconds),
    countWebhookEnd: (status: 'delivered' | 'failed') => counters.deliveries.inc({ status }),
    countMail: (outcome: MailOutcome) => counters.mails.inc({ outcome }),
    /** `limit`: the prefix of the keys of the limit. */
    countRefusal: (limit: string) => counters.refusals.inc({ limit }),
    setGauges: addGauges(client, registry),
    contentType: registry.contentType,
    format: () => registry.metrics(),
  }
}

function addHistograms({ Histogram }: Client, registry: Registry) {
  const registers = [registry]
  return {
    responses: new Histogram({
      name: 'vintem_http_request_duration_seconds',
      help: 'Answers, by the pattern of their route and the class of their status.',
      labelNames: ['method', 'route', 'status'],
      buckets: RESPONSE_BUCKETS_S,
      registers,
    }),
    providerCalls: new Histogram({
      name: 'vintem_provider_call_duration_seconds',
      help: 'Calls to providers, by what they were for and how they went.',
      labelNames: ['provider', 'operation', 'outcome'],
      buckets: PROVIDER_BUCKETS_S,
      registers,
    }),
  }
}

function addCounters({ Counter }: Client, registry: Registry) {
  const add = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `vintem_${name}_total`, help, labelNames, registers: [registry] })
  return {
    payments: add('payments', 'What payments came to.', ['method', 'provider', 'outcome']),
    deliveries: add('webhook_deliveries', 'Webhooks delivered, or given up.', ['status']),
    mails: add('mails', 'E-mails sent, to be tried again, or given up.', ['outcome']),
    refusals: add('limit_refusals', 'What a limit did not let through.', ['limit']),
  }
}

function addGauges({ Gauge }: Client, registry: Registry) {
  const gauges = getKeys(GAUGES).map((name) => ({
    name,
    gauge: new Gauge({ name, help: GAUGES[name], registers: [registry] }),
  }))

  /** A gauge without a value is unknown now, and is left out. */
  return function setGauges(values: Partial<Record<GaugeName, number>>) {
    for (const { name, gauge } of gauges) {
      const value = values[name]
      if (value === undefined) gauge.remove({})
      else gauge.set(value)
    }
  }
}

function addBuildInfo({ Gauge }: Client, registry: Registry) {
  const { version, commit } = readBuild()
  const build = new Gauge({
    name: 'vintem_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  })
  build.set({ version, commit: commit ?? '', node: process.version }, 1)
}

/** Measures every answer by the pattern of its route, so that no label contains user input. */
export function measureResponses(app: FastifyInstance, metrics: Metrics) {
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const status = `${Math.trunc(statusCode / 100)}xx`
    // A request without a route still has a name when its path is known with other methods.
    const route = request.is404 ? request.refusedPath : request.routeOptions.url
    const labels = route ? { method: request.method, route } : { method: 'any', route: 'unknown' }
    metrics.observeResponse({ ...labels, status }, elapsedTime / SECOND_MS)
    done()
  })
}
