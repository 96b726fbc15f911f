// `/painel/integracoes`: the company's webhook endpoints and their health. `/painel/integracoes/:id`: one endpoint:
// what is wrong, its last deliveries, and its actions. Owners see its secret in the answer to their request, and once
// the secret that signs payers' returns (`/retorno`), in the answer that changes it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rotateRedirectSecret } from '../../companies/redirect-secret.ts'
import { EVENT_TYPES, type EventType } from '../../database/enums.ts'
import { requireFound } from '../../database/found.ts'
import { MAX_UUID } from '../../database/id.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { formatDayAndTime } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { enforceLimits } from '../../http/limiter.ts'
import { buildSampleData } from '../../transactions/simulation/sample-event.ts'
import { listDeliveries } from '../../webhooks/deliveries/history.ts'
import { type EndpointAct, recordEndpointAct } from '../../webhooks/endpoints/audit.ts'
import {
  type EndpointRow,
  findEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
  removeEndpoint,
  setEndpointDisabled,
  stripUrlQuery,
} from '../../webhooks/endpoints/endpoint.ts'
import { loadEndpointHealth } from '../../webhooks/endpoints/health.ts'
import { revealSecret, rotateSecret } from '../../webhooks/endpoints/secret.ts'
import { sendTestEvent } from '../../webhooks/events/event.ts'
import { listEventDeliveries } from '../../webhooks/events/log.ts'
import { catchConflict, registerConfirmation, registerPage } from '../layout/form.ts'
import {
  type ById,
  type DashboardNeeds,
  getAuditActor,
  recordSecurityAct,
  requireRight,
  STEP_UP,
} from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import { deliveryPagePath, endpointPagePath, INTEGRATIONS_PATH } from '../layout/paths.ts'
import { sectionTitles } from '../layout/texts.ts'
import { toDeliveryRow } from './delivery.ts'
import { EVENT_TYPE_OPTIONS, toEndpointDetails, toEndpointRow } from './endpoint-view.ts'
import { webhookPageTexts as words } from './texts.ts'

const INTEGRATIONS = requireRight('integrations')
const ACCESS = { right: 'integrations', stepUp: true } as const
const REDIRECT_SECRET_PATH = `${INTEGRATIONS_PATH}/retorno`
const LAST_DELIVERIES = 6
const TEST_EVENT_LIMIT = { max: 20, windowMs: MINUTE_MS }

/** Actions without a confirmation, since each has its opposite. */
const ENDPOINT_SWITCHES = [
  { path: 'desativar', disabled: true, done: 'endpoint-desativado' },
  { path: 'reativar', disabled: false, done: 'endpoint-reativado' },
] as const

/** `secret`: set when the person asked to see it. */
type EndpointPageState = { secret?: string; errors?: FormError[] }

export async function endpointPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher, show } = needs

  registerPage(
    app,
    needs,
    '/integracoes',
    ['integrations', 'dashboard/webhooks/endpoints'],
    loadEndpoints,
  )

  app.get<ById>('/integracoes/:id', INTEGRATIONS, (request, reply) =>
    showEndpoint(needs, request, reply),
  )

  for (const { path, disabled, done } of ENDPOINT_SWITCHES) {
    app.post<ById>(`/integracoes/:id/${path}`, INTEGRATIONS, async (request, reply) => {
      const endpoint = await findRequestedEndpoint(needs, request)
      const { id } = endpoint
      const disabledAt = disabled ? needs.now() : null
      await setEndpointDisabled(db, request.visitor.company.id, id, disabledAt)
      if ((endpoint.disabledAt !== null) !== disabled) {
        const details = { change: disabled ? 'disabled' : 'enabled' }
        await recordOwnEndpointAct(needs, request, {
          action: 'endpoint_changed',
          endpoint,
          details,
        })
      }
      return reply.redirect(`${endpointPagePath(id)}?feito=${done}`, 303)
    })
  }

  registerConfirmation(app, '/integracoes/:id/remover', show, {
    right: 'integrations',
    load: (request) => findRequestedEndpoint(needs, request),
    ask: ({ id, url }) => ({
      ...words.remove,
      title: words.titles.remove,
      question: words.remove.question(stripUrlQuery(url)),
      isDangerous: true,
      back: endpointPagePath(id),
    }),
    async confirm(request, endpoint) {
      await removeEndpoint(db, request.visitor.company.id, endpoint.id, needs.now())
      await recordOwnEndpointAct(needs, request, { action: 'endpoint_removed', endpoint })
      return `${INTEGRATIONS_PATH}?feito=endpoint-removido`
    },
  })

  const revealing = requireRight('integrations', STEP_UP)
  app.post<ById>('/integracoes/:id/segredo', revealing, async (request, reply) => {
    const endpoint = await findRequestedEndpoint(needs, request)
    const companyId = request.visitor.company.id
    const secret = revealSecret(db, cipher, companyId, endpoint.id)
    const revealed = await catchConflict('segredo', secret)
    if (revealed.kind === 'invalid') return showEndpoint(needs, request, reply, revealed)
    await recordOwnEndpointAct(needs, request, { action: 'secret_revealed', endpoint })
    return showEndpoint(needs, request, reply, { secret: revealed.saved })
  })

  registerTestEvent(app, needs)
  registerSecretRotation(app, needs)
  registerRedirectSecretRotation(app, needs)
}

function registerTestEvent(app: FastifyInstance, needs: DashboardNeeds) {
  app.post<ById>('/integracoes/:id/testar', INTEGRATIONS, async (request, reply) => {
    const endpoint = await findRequestedEndpoint(needs, request)
    const { company } = request.visitor
    const ofCompany = { key: `test-event:${company.id}`, limit: TEST_EVENT_LIMIT }
    await enforceLimits(needs.limiter, [ofCompany], words.tooManyTests)
    const type = readEventType(toRecord(request.body).type)
    const now = needs.now()
    const data = buildSampleData(type, { checkoutUrl: needs.checkoutUrl, now })
    const test = { company, endpointId: endpoint.id, type, data, now }
    const sent = await catchConflict('actions', sendTestEvent(needs.db, test))
    if (sent.kind === 'invalid') return showEndpoint(needs, request, reply, sent)
    const act = { action: 'test_event_sent', endpoint, details: { type } } as const
    await recordOwnEndpointAct(needs, request, act)
    const [delivery] = await listEventDeliveries(needs.db, sent.saved)
    return reply.redirect(`${deliveryPagePath(requireFound(delivery).id)}?feito=teste-enviado`, 303)
  })
}

function registerSecretRotation(app: FastifyInstance, needs: DashboardNeeds) {
  registerConfirmation(app, '/integracoes/:id/trocar-segredo', needs.show, {
    ...ACCESS,
    async load(request) {
      const endpoint = await findRequestedEndpoint(needs, request)
      const { version } = toRecord(request.body)
      // A form that is sent twice would show another secret, and make the first one a previous secret.
      const isDone = request.method === 'POST' && version !== toRotationVersion(endpoint)
      return isDone ? `${endpointPagePath(endpoint.id)}?feito=segredo-ja-trocado` : endpoint
    },
    ask(endpoint) {
      const { id, url, rotatingUntil } = endpoint
      const { question, overlap, already, button } = words.rotate
      const isRotating = rotatingUntil !== null && rotatingUntil > needs.now().toISOString()
      return {
        title: words.titles.rotate,
        question: question(stripUrlQuery(url)),
        consequences: isRotating ? [overlap, already(formatDayAndTime(rotatingUntil))] : [overlap],
        button,
        action: `${endpointPagePath(id)}/trocar-segredo#segredo`,
        hidden: [{ name: 'version', value: toRotationVersion(endpoint) }],
        back: endpointPagePath(id),
      }
    },
    async confirm(request, endpoint) {
      const rotation = { companyId: request.visitor.company.id, id: endpoint.id, now: needs.now() }
      const secret = await rotateSecret(needs.db, needs.cipher, rotation)
      await recordOwnEndpointAct(needs, request, { action: 'secret_rotated', endpoint })
      return (reply) => showEndpoint(needs, request, reply, { secret })
    },
  })
}

function registerRedirectSecretRotation(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, cipher, show } = needs
  const page = { title: words.titles.redirect }
  registerConfirmation(app, '/integracoes/retorno', show, {
    ...ACCESS,
    load: async ({ visitor }) => visitor.company,
    ask: ({ updatedAt }) => ({
      ...page,
      ...words.rotateRedirect,
      hidden: [{ name: 'version', value: updatedAt }],
      back: INTEGRATIONS_PATH,
      isDangerous: true,
    }),
    async confirm(request, { id: companyId, updatedAt: version }) {
      const rotation = { companyId, version, now: needs.now() }
      const rotated = await db.transaction(async (tx) => {
        if (toRecord(request.body).version !== version) return undefined
        const result = await rotateRedirectSecret(tx, cipher, rotation)
        if (result.kind !== 'rotated') return undefined
        const act = { action: 'redirect_secret_rotated' } as const
        await recordSecurityAct({ ...needs, db: tx }, request, act)
        return result
      })
      // A form that is sent twice would show another secret, and make the first one useless.
      if (!rotated) return `${REDIRECT_SECRET_PATH}?feito=retorno-ja-mudou`
      const once = { ...page, secret: rotated.redirectSecret }
      return (reply) => show(request, reply, 'dashboard/webhooks/redirect-secret', once)
    },
  })
}

export async function loadEndpoints({ db, now }: DashboardNeeds, { visitor }: FastifyRequest) {
  const [rows, health] = await Promise.all([
    listEndpoints(db, visitor.company.id),
    loadEndpointHealth(db, visitor.company.id, now()),
  ])
  return {
    title: sectionTitles.integracoes,
    endpoints: rows.map((row) => toEndpointRow(row, health.get(row.id))),
    /** The maximum number of endpoints, once it is reached. */
    most: rows.length < MAX_ENDPOINTS ? null : MAX_ENDPOINTS,
  }
}

async function showEndpoint(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
  { secret, errors = [] }: EndpointPageState = {},
) {
  const page = { ...(await loadEndpointDetail(needs, request, secret)), errors }
  return needs.show(request, reply, 'dashboard/webhooks/endpoint-detail', page)
}

export async function loadEndpointDetail(
  needs: DashboardNeeds,
  request: FastifyRequest<ById>,
  secret: string | null = null,
) {
  const { id: companyId, testMode } = request.visitor.company
  const row = await findRequestedEndpoint(needs, request)
  const now = needs.now()
  const last = { cursor: MAX_UUID, limit: LAST_DELIVERIES, companyId, endpointId: row.id }
  const [health, deliveries] = await Promise.all([
    loadEndpointHealth(needs.db, companyId, now),
    listDeliveries(needs.db, last),
  ])
  return {
    title: row.url,
    endpoint: toEndpointDetails(row, health.get(row.id), now),
    deliveries: deliveries.slice(0, LAST_DELIVERIES).map(toDeliveryRow),
    /** Null when test events cannot be sent. */
    testTypes: testMode && !row.disabledAt ? EVENT_TYPE_OPTIONS : null,
    secret,
  }
}

/** Throws 404 when it belongs to another company. */
export function findRequestedEndpoint(
  { db }: DashboardNeeds,
  { visitor, params }: FastifyRequest<ById>,
): Promise<EndpointRow> {
  return findEndpoint(db, visitor.company.id, params.id)
}

export function recordOwnEndpointAct(
  needs: DashboardNeeds,
  request: FastifyRequest,
  act: Pick<EndpointAct, 'action' | 'endpoint' | 'details'>,
) {
  const { testMode } = request.visitor.company
  return recordEndpointAct(needs, getAuditActor(request), { ...act, testMode, now: needs.now() })
}

/** An unknown type becomes the most common one. */
function readEventType(given: unknown): EventType {
  return EVENT_TYPES.find((type) => type === given) ?? 'transaction.approved'
}

/** Changes with each rotation. */
function toRotationVersion({ rotatingUntil }: EndpointRow) {
  return rotatingUntil ?? 'none'
}
