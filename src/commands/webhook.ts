import { Option } from '@commander-js/extra-typings'
import { z } from 'zod'
import { OPERATOR } from '../companies/audit.ts'
import { type Company, REAL_COMPANY_ID } from '../companies/company.ts'
import type { Database } from '../database/connect.ts'
import { eq, inArray } from '../database/drizzle.ts'
import { DELIVERY_STATUSES, type EventType } from '../database/enums.ts'
import { MAX_UUID } from '../database/id.ts'
import { companies, webhookEndpoints } from '../database/tables.ts'
import { decimalField, storableInstantField } from '../http/fields.ts'
import { listDeliveries } from '../webhooks/deliveries/history.ts'
import { RESEND_WINDOW_DAYS, resendDeliveries } from '../webhooks/deliveries/resend.ts'
import { type EndpointAct, recordEndpointAct } from '../webhooks/endpoints/audit.ts'
import {
  createEndpoint,
  DEFAULT_EVENT_TYPES,
  listEndpoints,
  MAX_ENDPOINTS,
  removeEndpoint,
  setEndpointDisabled,
} from '../webhooks/endpoints/endpoint.ts'
import { type HeaderField, MAX_HEADERS } from '../webhooks/endpoints/headers.ts'
import { rotateSecret } from '../webhooks/endpoints/secret.ts'
import {
  chooseEnvironment,
  type EnvironmentFlags,
  findCompanyByIdOrName,
  findCompanyIds,
  formatEnvironment,
  isOfEnvironment,
  printingInEnvironment,
} from './chosen-company.ts'
import {
  CommandError,
  type CommandResult,
  createCommand,
  formatTable,
  parseBy,
  translateErrors,
  UsageError,
} from './command.ts'
import { type CommandContext, printingInContext } from './context.ts'
import {
  addEnvironmentCommand,
  addListCommand,
  companyOption,
  eventsOption,
  idArgument,
  liveOption,
  parseAs,
  testOption,
} from './options.ts'

const LIST_LIMIT = { default: 20, max: 1_000 }

export const command = createCommand('webhook').description(
  'The addresses that events are sent to, and the deliveries.',
)

addEnvironmentCommand(command, 'add')
  .description(
    "Adds an address that a company's webhooks go to, and shows the secret that signs them.",
  )
  .requiredOption(
    '--url <URL>',
    'A public https address (any address with WEBHOOK_ALLOW_PRIVATE=true).',
  )
  .addOption(eventsOption(DEFAULT_EVENT_TYPES.join(', ')))
  .option(
    '--headers <JSON>',
    'Additional headers for each delivery, such as \'{"X-Gateway-Key":"abc123"}\'.',
    parseBy(parseHeaders, 'a JSON object of texts such as \'{"X-Gateway-Key":"abc123"}\''),
  )
  .action(printingInEnvironment(addEndpoint))

addListCommand(command)
  .description('Lists the endpoints, without their secrets.')
  .action(
    printingInContext(async ({ db }, { company, ...flags }) => {
      const all = await listAllEndpoints(db, await findCompanyIds(db, company))
      const endpoints = all.filter((endpoint) => isOfEnvironment(flags, endpoint))
      const rows = endpoints.map(({ id, companyId, testMode, url, events, disabledAt }) => [
        id,
        companyId,
        formatEnvironment(testMode),
        disabledAt ? 'disabled' : 'enabled',
        url,
        events.join(','),
      ])
      const head = ['ID', 'COMPANY', 'ENVIRONMENT', 'STATE', 'URL', 'EVENTS']
      return { json: endpoints, text: formatTable(head, rows, 'There is no endpoint yet.') }
    }),
  )

command
  .command('remove')
  .description('Removes an endpoint and its deliveries.')
  .addArgument(endpointIdArgument())
  .action(
    printingForEndpoint(async (at, endpoint) => {
      const { id, companyId } = endpoint
      if (!(await removeEndpoint(at.db, companyId, id, at.now))) throw endpointNotFoundError(id)
      await recordAct(at, endpoint, { action: 'endpoint_removed' })
      return { json: { id, removed: true }, text: `Endpoint ${id} is removed.` }
    }),
  )

const SWITCHES = [
  [
    'enable',
    'Sends to an endpoint again, beginning with the deliveries kept while it was disabled.',
  ],
  ['disable', 'Sends nothing to an endpoint until it is enabled; its deliveries are kept.'],
] as const

for (const [verb, description] of SWITCHES) {
  command
    .command(verb)
    .description(description)
    .addArgument(endpointIdArgument())
    .action(
      printingForEndpoint(async (at, endpoint) => {
        const { id, companyId, disabledAt } = endpoint
        const enabled = verb === 'enable'
        const found = await setEndpointDisabled(at.db, companyId, id, enabled ? null : at.now)
        if (!found) throw endpointNotFoundError(id)
        if (enabled === (disabledAt !== null)) {
          const change = `${verb}d`
          await recordAct(at, endpoint, { action: 'endpoint_changed', details: { change } })
        }
        return { json: { id, enabled }, text: `Endpoint ${id} is ${verb}d.` }
      }),
    )
}

command
  .command('rotate')
  .description('Gives an endpoint a new secret and shows it; former secrets sign too for 24 hours.')
  .addArgument(endpointIdArgument())
  .action(
    printingForEndpoint(async (at, endpoint) => {
      const { id, companyId } = endpoint
      const { db, cipher, now } = at
      const secret = await rotateSecret(db, cipher, { companyId, id, now })
      await recordAct(at, endpoint, { action: 'secret_rotated' })
      return { json: { id, secret }, text: `New secret of ${id} (shown only once): ${secret}` }
    }),
  )

command
  .command('deliveries')
  .description('Lists deliveries with their results, newest first.')
  .addOption(companyOption())
  .addOption(
    new Option('--status <STATUS>', 'Only deliveries with this status.').choices(DELIVERY_STATUSES),
  )
  .option(
    '--limit <N>',
    'At most so many.',
    parseAs(decimalField({ min: 1, max: LIST_LIMIT.max }), `a number from 1 to ${LIST_LIMIT.max}`),
    LIST_LIMIT.default,
  )
  .addOption(testOption())
  .addOption(liveOption())
  .action(
    printingInContext(async ({ db }, { company, status, limit, ...flags }) => {
      const companyId = company && (await findEnvironmentId(db, company, flags))
      const found = await listDeliveries(db, { companyId, status, limit, cursor: MAX_UUID })
      const deliveries = found.slice(0, limit)
      const rows = deliveries.map((delivery) => [
        delivery.id,
        delivery.createdAt,
        delivery.status,
        `${delivery.attempts}`,
        [delivery.outcome, delivery.statusCode].filter(Boolean).join(' ') || '-',
        delivery.eventType,
        delivery.url,
      ])
      const head = ['ID', 'CREATED', 'STATUS', 'ATTEMPTS', 'OUTCOME', 'EVENT', 'URL']
      return { json: deliveries, text: formatTable(head, rows, 'There is no delivery to show.') }
    }),
  )

command
  .command('resend')
  .description('Resends one delivery, or all deliveries of a company that were given up.')
  .addArgument(idArgument('The id of the delivery; webhook deliveries shows it.').argOptional())
  .option(
    '--failed-since <INSTANT>',
    'Instead of an id: all deliveries given up since this instant.',
    parseAs(
      storableInstantField().transform((text) => new Date(text)),
      'an instant with its zone such as 2026-12-31T23:59:59Z',
    ),
  )
  .addOption(companyOption('With --failed-since: the company, by its id or name.'))
  .addOption(testOption())
  .addOption(liveOption())
  .action(
    printingInContext(async ({ db, now }, id, { failedSince: from, company, ...flags }) => {
      if (id && !from && !company) {
        await translateWebhookErrors(() => resendDeliveries(db, { deliveryId: id }, now))
        return { json: { resent: 1 }, text: `Delivery ${id} is due now.` }
      }
      if (id || !from || !company) {
        throw new UsageError('Give either an ID, or both --failed-since and --company.')
      }
      const companyId = await findEnvironmentId(db, company, flags)
      const resent = await resendDeliveries(db, { companyId, from, isGivenUp: true }, now)
      return { json: { resent }, text: `Deliveries that are due now: ${resent}.` }
    }),
  )

type NewEndpoint = { url: string; events?: EventType[]; headers?: HeaderField[] }

async function addEndpoint(
  at: CommandContext,
  { id: companyId, testMode }: Company,
  { url, events, headers }: NewEndpoint,
): Promise<CommandResult> {
  const { db, cipher, config } = at
  const { allowPrivate } = config
  const endpoint = { companyId, url, headers, allowPrivate, ...(events && { events }) }
  const { id, secret } = await translateWebhookErrors(() => createEndpoint(db, cipher, endpoint))
  await recordAct(at, { id, companyId, url, testMode }, { action: 'endpoint_created' })
  return {
    json: { id, secret, testMode },
    text: `Endpoint ${id} is added to the ${formatEnvironment(testMode)} environment.\nSecret (shown only once): ${secret}`,
  }
}

function parseHeaders(text: string): HeaderField[] | undefined {
  try {
    const headers = z.record(z.string(), z.string()).parse(JSON.parse(text))
    return Object.entries(headers).map(([name, value]) => ({ name, value }))
  } catch {
    return undefined
  }
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

type NamedEndpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'companyId' | 'url'> & {
  testMode: boolean
}
type FoundEndpoint = NamedEndpoint & { disabledAt: string | null }

function endpointIdArgument() {
  return idArgument('The id of the endpoint; webhook list shows it.')
}

/** Operators name an endpoint by its id, without the company. */
function printingForEndpoint(
  work: (at: CommandContext, endpoint: FoundEndpoint) => Promise<CommandResult>,
) {
  return printingInContext(async (at, endpointId: string) => {
    const { id, companyId, url, disabledAt } = webhookEndpoints
    const [endpoint] = await at.db
      .select({ id, companyId, url, disabledAt, testMode: companies.testMode })
      .from(webhookEndpoints)
      .innerJoin(companies, eq(companies.id, companyId))
      .where(eq(id, endpointId))
    if (!endpoint) throw endpointNotFoundError(endpointId)
    return work(at, endpoint)
  })
}

/** Adds the same audit entries as the dashboard does. */
function recordAct(
  at: CommandContext,
  { id, url, companyId, testMode }: NamedEndpoint,
  act: Pick<EndpointAct, 'action' | 'details'>,
) {
  const by = { companyId, actor: OPERATOR }
  return recordEndpointAct(at, by, { ...act, endpoint: { id, url }, testMode, now: at.now })
}

function endpointNotFoundError(id: string) {
  return new CommandError(`There is no endpoint ${id}: see webhook list.`)
}

async function findEnvironmentId(db: Database, company: string, flags: EnvironmentFlags) {
  return chooseEnvironment(await findCompanyByIdOrName(db, company), flags).id
}

function translateWebhookErrors<T>(work: () => Promise<T>) {
  return translateErrors(work, ({ code, errors }) => WEBHOOK_ERRORS[errors?.[0]?.code ?? code])
}

const WEBHOOK_ERRORS: Record<string, string> = {
  invalid_url: '--url is not an address: give one such as https://loja.example.com/webhooks.',
  too_long: '--url is too long: give at most 2048 characters.',
  https_only: '--url must begin with https:// (WEBHOOK_ALLOW_PRIVATE=true lifts this).',
  credentials: '--url must not hold a user or a password.',
  private_address:
    '--url is not on the public internet (WEBHOOK_ALLOW_PRIVATE=true lifts this, for development).',
  too_big: `--headers has more than ${MAX_HEADERS} headers.`,
  repeated: '--headers has one header twice (upper and lower case are equal).',
  reserved: '--headers has a reserved header, such as content-type or webhook-id.',
  invalid_format:
    '--headers is refused: names have up to 64 letters, digits and hyphens, values 1 to 500 visible ASCII characters.',
  too_many_endpoints: `The environment has ${MAX_ENDPOINTS} endpoints already: remove one first.`,
  not_resendable: 'It is being sent right now, or its endpoint is disabled: try again afterwards.',
  event_too_old: `It is more than ${RESEND_WINDOW_DAYS} days old and cannot be resent.`,
  not_found: 'There is no such delivery: see webhook deliveries.',
}
