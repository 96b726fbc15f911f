import { z } from 'zod'
import { type AuditAction, OPERATOR, recordAudit } from '../companies/audit.ts'
import { type Company, REAL_COMPANY_ID } from '../companies/company.ts'
import type { Database } from '../database/connect.ts'
import { eq, inArray } from '../database/drizzle.ts'
import type { EventType } from '../database/enums.ts'
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
import { CommandError, type CommandResult, createCommand, formatTable, parseBy } from './command.ts'
import { findCompanyIds, formatEnvironment, printingInEnvironment } from './company.ts'
import { type CommandContext, printingInContext } from './context.ts'
import { addEnvironmentCommand, companyOption, eventsOption, idArgument } from './options.ts'
import { addDeliveryCommands, translateWebhookErrors } from './webhook-delivery.ts'

export const command = createCommand('webhook').description(
  'Addresses that events are sent to, and what became of what was sent.',
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
    'Headers of its own on each delivery, such as \'{"X-Gateway-Key":"abc123"}\'.',
    parseBy(parseHeaders, 'a JSON object of texts such as \'{"X-Gateway-Key":"abc123"}\''),
  )
  .action(printingInEnvironment(addEndpoint))

command
  .command('list')
  .description('Lists the endpoints, without their secrets.')
  .addOption(companyOption())
  .action(
    printingInContext(async ({ db }, { company }) => {
      const endpoints = await listAllEndpoints(db, await findCompanyIds(db, company))
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
  .description('Removes an endpoint and all that is known of its deliveries.')
  .addArgument(endpointIdArgument())
  .action(
    printingForEndpoint(async ({ db, now }, endpoint) => {
      const { id, companyId } = endpoint
      const { kind } = await removeEndpoint(db, companyId, id, now)
      if (kind === 'notFound') throw endpointNotFoundError(id)
      await recordChange({ db, now }, endpoint, 'endpoint_removed')
      return { json: { id, removed: true }, text: `Endpoint ${id} is removed.` }
    }),
  )

const SWITCHES = [
  ['enable', 'Sends to an endpoint again, beginning with what was kept while it was disabled.'],
  ['disable', 'Sends nothing to an endpoint until it is enabled; what it is to receive is kept.'],
] as const

for (const [verb, description] of SWITCHES) {
  command
    .command(verb)
    .description(description)
    .addArgument(endpointIdArgument())
    .action(
      printingForEndpoint(async ({ db, now }, endpoint) => {
        const { id, companyId, disabledAt } = endpoint
        const enabled = verb === 'enable'
        const { kind } = enabled
          ? await enableEndpoint(db, companyId, id)
          : await disableEndpoint(db, companyId, id, now)
        if (kind === 'notFound') throw endpointNotFoundError(id)
        if (enabled === (disabledAt !== null)) {
          await recordChange({ db, now }, endpoint, 'endpoint_changed', { change: `${verb}d` })
        }
        return { json: { id, enabled }, text: `Endpoint ${id} is ${verb}d.` }
      }),
    )
}

command
  .command('rotate')
  .description('Gives an endpoint a new secret and shows it; those before sign too for 24 hours.')
  .addArgument(endpointIdArgument())
  .action(
    printingForEndpoint(async ({ db, cipher, mail, now }, { id, companyId, testMode, url }) => {
      const rotated = await rotateSecret(db, cipher, { companyId, id, now })
      if (rotated.kind === 'notFound') throw endpointNotFoundError(id)
      const by = { companyId, testMode, actor: OPERATOR, now }
      const subject = { subjectId: id, subject: stripUrlQuery(url) }
      await recordSecurityChange(db, mail, { ...by, action: 'secret_rotated', ...subject })
      const { secret } = rotated
      return { json: { id, secret }, text: `New secret of ${id} (shown only now): ${secret}` }
    }),
  )

addDeliveryCommands(command)

type NewEndpoint = { url: string; events?: EventType[]; headers?: HeaderField[] }

async function addEndpoint(
  { db, cipher, config, mail, now }: CommandContext,
  { id: companyId, testMode }: Company,
  { url, events, headers }: NewEndpoint,
): Promise<CommandResult> {
  const allowPrivate = config.webhookAllowPrivate
  const endpoint = { companyId, url, headers, allowPrivate, ...(events && { events }) }
  const { id, secret } = await translateWebhookErrors(() => createEndpoint(db, cipher, endpoint))
  const by = { companyId, testMode, actor: OPERATOR, now }
  const made = { subjectId: id, subject: stripUrlQuery(url) }
  await recordSecurityChange(db, mail, { ...by, action: 'endpoint_created', ...made })
  return {
    json: { id, secret, testMode },
    text: `Endpoint ${id} is added to the ${formatEnvironment(testMode)} environment.\nSecret (shown only now): ${secret}`,
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

type NamedEndpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'companyId' | 'url'>
type FoundEndpoint = NamedEndpoint & { disabledAt: string | null; testMode: boolean }

function endpointIdArgument() {
  return idArgument('The id of the endpoint; webhook list shows it.')
}

/** An operator names an endpoint by its id alone. */
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
