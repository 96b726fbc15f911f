import { z } from 'zod'
import { type AuditAction, OPERATOR, recordAudit } from '../companies/audit.ts'
import { REAL_COMPANY_ID } from '../companies/company.ts'
import type { Database } from '../database/connect.ts'
import { eq, inArray } from '../database/drizzle.ts'
import { companies, webhookEndpoints } from '../database/tables.ts'
import { recordSecurityChange } from '../mail/security.ts'
import {
  createEndpoint,
  DEFAULT_EVENT_TYPES,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
} from '../webhooks/endpoints/endpoint.ts'
import type { HeaderField } from '../webhooks/endpoints/headers.ts'
import { removeEndpoint } from '../webhooks/endpoints/remove.ts'
import { rotateSecret } from '../webhooks/endpoints/secret.ts'
import { stripUrlQuery } from '../webhooks/endpoints/serialize.ts'
import {
  CommandError,
  type Commands,
  defineCommand,
  formatColumns,
  type Option,
  requireOption,
} from './command.ts'
import { chooseEnvironment, findCompanyByIdOrName, findCompanyIds } from './company.ts'
import { type CommandContext, withContext } from './context.ts'
import { companyOption, environmentOptions, eventsOption, idOption } from './options.ts'
import { deliveryCommands, translateWebhookErrors } from './webhook-delivery.ts'

const endpointIdOption = requireOption(idOption('The id of the endpoint; webhook list shows it.'))

const headersOption: Option<HeaderField[]> = {
  value: 'JSON',
  about: 'Headers of its own on each delivery, such as \'{"X-Gateway-Key":"abc123"}\'.',
  parse: parseHeaders,
  mustBe: 'a JSON object of texts such as \'{"X-Gateway-Key":"abc123"}\'',
}

export const commands: Commands = {
  add: defineCommand({
    about: "Adds an address that a company's webhooks go to, and shows the secret that signs them.",
    options: {
      company: requireOption(companyOption),
      url: requireOption({
        value: 'URL',
        about: 'A public https address (any address with WEBHOOK_ALLOW_PRIVATE=true).',
        parse: (text) => text.trim() || undefined,
        mustBe: 'an address such as https://loja.example.com/webhooks',
      }),
      events: eventsOption(DEFAULT_EVENT_TYPES.join(', ')),
      headers: headersOption,
      ...environmentOptions,
    },
    run: ({ company, url, events, headers, ...flags }) =>
      withContext(async ({ db, cipher, config, mail, now }) => {
        const pair = await findCompanyByIdOrName(db, company)
        const { id: companyId, testMode } = chooseEnvironment(pair, flags)
        const allowPrivate = config.webhookAllowPrivate
        const endpoint = { companyId, url, headers, allowPrivate, ...(events && { events }) }
        const { id, secret } = await translateWebhookErrors(() =>
          createEndpoint(db, cipher, endpoint),
        )
        const by = { companyId, testMode, actor: OPERATOR, now }
        const made = { subjectId: id, subject: stripUrlQuery(url) }
        await recordSecurityChange(db, mail, { ...by, action: 'endpoint_created', ...made })
        return {
          json: { id, secret, testMode },
          text: `Endpoint ${id} is added to the ${testMode ? 'test' : 'real'} environment.\nSecret (shown only now): ${secret}`,
        }
      }),
  }),

  list: defineCommand({
    about: 'Lists the endpoints, without their secrets.',
    options: { company: companyOption },
    run: ({ company }) =>
      withContext(async ({ db }) => {
        const endpoints = await listAllEndpoints(db, await findCompanyIds(db, company))
        const rows = endpoints.map(({ id, companyId, testMode, url, events, disabledAt }) => [
          id,
          companyId,
          testMode ? 'test' : 'real',
          disabledAt ? 'disabled' : 'enabled',
          url,
          events.join(','),
        ])
        const head = ['ID', 'COMPANY', 'ENVIRONMENT', 'STATE', 'URL', 'EVENTS']
        return {
          json: endpoints,
          text: endpoints.length > 0 ? formatColumns([head, ...rows]) : 'There is no endpoint yet.',
        }
      }),
  }),

  remove: defineCommand({
    about: 'Removes an endpoint and all that is known of its deliveries.',
    options: { id: endpointIdOption },
    run: ({ id }) =>
      withEndpoint(id, async ({ db, now }, endpoint) => {
        const { kind } = await removeEndpoint(db, endpoint.companyId, id, now)
        if (kind === 'notFound') throw endpointNotFoundError(id)
        await recordChange({ db, now }, endpoint, 'endpoint_removed')
        return { json: { id, removed: true }, text: `Endpoint ${id} is removed.` }
      }),
  }),

  enable: defineCommand({
    about: 'Sends to an endpoint again, beginning with what was kept while it was disabled.',
    options: { id: endpointIdOption },
    run: ({ id }) =>
      withEndpoint(id, async ({ db, now }, endpoint) => {
        const { kind } = await enableEndpoint(db, endpoint.companyId, id)
        if (kind === 'notFound') throw endpointNotFoundError(id)
        if (endpoint.disabledAt)
          await recordChange({ db, now }, endpoint, 'endpoint_changed', { change: 'enabled' })
        return { json: { id, enabled: true }, text: `Endpoint ${id} is enabled.` }
      }),
  }),

  disable: defineCommand({
    about: 'Sends nothing to an endpoint until it is enabled; what it is to receive is kept.',
    options: { id: endpointIdOption },
    run: ({ id }) =>
      withEndpoint(id, async ({ db, now }, endpoint) => {
        const { kind } = await disableEndpoint(db, endpoint.companyId, id, now)
        if (kind === 'notFound') throw endpointNotFoundError(id)
        if (!endpoint.disabledAt)
          await recordChange({ db, now }, endpoint, 'endpoint_changed', { change: 'disabled' })
        return { json: { id, enabled: false }, text: `Endpoint ${id} is disabled.` }
      }),
  }),

  rotate: defineCommand({
    about: 'Gives an endpoint a new secret and shows it; those before sign too for 24 hours.',
    options: { id: endpointIdOption },
    run: ({ id }) =>
      withEndpoint(id, async ({ db, cipher, mail, now }, endpoint) => {
        const { companyId, testMode, url } = endpoint
        const rotated = await rotateSecret(db, cipher, { companyId, id, now })
        if (rotated.kind === 'notFound') throw endpointNotFoundError(id)
        const by = { companyId, testMode, actor: OPERATOR, now }
        const subject = { subjectId: id, subject: stripUrlQuery(url) }
        await recordSecurityChange(db, mail, { ...by, action: 'secret_rotated', ...subject })
        const { secret } = rotated
        return { json: { id, secret }, text: `New secret of ${id} (shown only now): ${secret}` }
      }),
  }),

  ...deliveryCommands,
}

const headersSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text)
    } catch {
      context.issues.push({ code: 'custom', message: 'no JSON', input: text })
      return z.NEVER
    }
  })
  .pipe(z.record(z.string(), z.string()))

function parseHeaders(text: string): HeaderField[] | undefined {
  const { data } = headersSchema.safeParse(text)
  return data && Object.entries(data).map(([name, value]) => ({ name, value }))
}

async function listAllEndpoints(db: Database, companyIds: string[]) {
  const owners = await db
    .select({ id: companies.id, companyId: REAL_COMPANY_ID, testMode: companies.testMode })
    .from(companies)
    .where(companyIds.length > 0 ? inArray(companies.id, companyIds) : undefined)
    .orderBy(companies.id)
  const lists = await Promise.all(
    owners.map(async ({ id, ...owner }) =>
      (await listEndpoints(db, id)).map((endpoint) => ({ ...endpoint, ...owner })),
    ),
  )
  return lists.flat()
}

type NamedEndpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'companyId' | 'url'>
type FoundEndpoint = NamedEndpoint & { disabledAt: string | null; testMode: boolean }

/** An operator names an endpoint by its id alone. */
function withEndpoint<T>(
  id: string,
  work: (at: CommandContext, endpoint: FoundEndpoint) => Promise<T>,
) {
  return withContext(async (at) => {
    const { companyId, url, disabledAt } = webhookEndpoints
    const [endpoint] = await at.db
      .select({
        ...{ id: webhookEndpoints.id, companyId, url, disabledAt },
        testMode: companies.testMode,
      })
      .from(webhookEndpoints)
      .innerJoin(companies, eq(companies.id, companyId))
      .where(eq(webhookEndpoints.id, id))
    if (!endpoint) throw endpointNotFoundError(id)
    return work(at, endpoint)
  })
}

/** Registro says the same of what people do in the dashboard. */
async function recordChange(
  { db, now }: Pick<CommandContext, 'db' | 'now'>,
  { id, companyId, url }: NamedEndpoint,
  action: AuditAction,
  details: Record<string, string> = {},
) {
  const by = { companyId, actor: OPERATOR, now }
  await recordAudit(db, { ...by, action, subjectId: id, subject: stripUrlQuery(url), details })
}

function endpointNotFoundError(id: string) {
  return new CommandError(`There is no endpoint ${id}: see webhook list.`)
}
