import { listCompanies } from '../companies/company.ts'
import type { Database } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { webhookEndpoints } from '../database/tables.ts'
import {
  addEndpoint,
  DEFAULT_EVENTS,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  removeEndpoint,
} from '../webhooks/endpoints/endpoint.ts'
import { rotateSecret } from '../webhooks/endpoints/secret.ts'
import { type Commands, columns, command, Refusal, required } from './command.ts'
import { findChosen, findChosenId } from './company.ts'
import { type At, atHome } from './context.ts'
import { companyOption, eventsOption, idArgument } from './options.ts'
import { deliveryCommands, inEnglish } from './webhook-delivery.ts'

const endpointId = required(idArgument('The id of the endpoint; webhook list shows it.'))

export const commands: Commands = {
  add: command({
    about: "Adds an address that a company's webhooks go to, and shows the secret that signs them.",
    options: {
      company: required(companyOption),
      url: required({
        value: 'URL',
        about: 'A public https address (any address with WEBHOOK_ALLOW_PRIVATE=true).',
        parse: (text) => text.trim() || undefined,
        must: 'an address such as https://loja.example.com/webhooks',
      }),
      events: eventsOption(DEFAULT_EVENTS.join(', ')),
    },
    run: ({ company, url, events }) =>
      atHome(async ({ db, seal, config }) => {
        const { id: companyId } = await findChosen(db, company)
        const allowPrivate = config.webhookAllowPrivate
        const endpoint = { companyId, url, allowPrivate, ...(events && { events }) }
        const { id, secret } = await inEnglish(() => addEndpoint(db, seal, endpoint))
        return {
          json: { id, secret },
          text: `Endpoint ${id} is added.\nSecret (shown only now): ${secret}`,
        }
      }),
  }),

  list: command({
    about: 'Lists the endpoints, without their secrets.',
    options: { company: companyOption },
    run: ({ company }) =>
      atHome(async ({ db }) => {
        const endpoints = await listAll(db, await findChosenId(db, company))
        const rows = endpoints.map(({ id, companyId, url, events, disabledAt }) => [
          id,
          companyId,
          disabledAt ? 'disabled' : 'enabled',
          url,
          events.join(','),
        ])
        const head = ['ID', 'COMPANY', 'STATE', 'URL', 'EVENTS']
        return {
          json: endpoints,
          text: endpoints.length > 0 ? columns([head, ...rows]) : 'There is no endpoint yet.',
        }
      }),
  }),

  remove: command({
    about: 'Removes an endpoint and all that is known of its deliveries.',
    options: { id: endpointId },
    run: ({ id }) =>
      ofEndpoint(id, async ({ db, now }, companyId) => {
        await removeEndpoint(db, companyId, id, now)
        return { json: { id, removed: true }, text: `Endpoint ${id} is removed.` }
      }),
  }),

  enable: command({
    about: 'Sends to an endpoint again, beginning with what was kept while it was disabled.',
    options: { id: endpointId },
    run: ({ id }) =>
      ofEndpoint(id, async ({ db }, companyId) => {
        await enableEndpoint(db, companyId, id)
        return { json: { id, enabled: true }, text: `Endpoint ${id} is enabled.` }
      }),
  }),

  disable: command({
    about: 'Sends nothing to an endpoint until it is enabled; what is not delivered yet is kept.',
    options: { id: endpointId },
    run: ({ id }) =>
      ofEndpoint(id, async ({ db, now }, companyId) => {
        await disableEndpoint(db, companyId, id, now)
        return { json: { id, enabled: false }, text: `Endpoint ${id} is disabled.` }
      }),
  }),

  rotate: command({
    about: 'Gives an endpoint a new secret and shows it; the one before signs too for 24 hours.',
    options: { id: endpointId },
    run: ({ id }) =>
      ofEndpoint(id, async ({ db, seal, now }, companyId) => {
        const secret = await rotateSecret(db, seal, { companyId, id, now })
        if (!secret) throw noEndpoint(id)
        return { json: { id, secret }, text: `New secret of ${id} (shown only now): ${secret}` }
      }),
  }),

  ...deliveryCommands,
}

async function listAll(db: Database, companyId: string | undefined) {
  const ids = companyId ? [companyId] : (await listCompanies(db)).map(({ id }) => id)
  const lists = await Promise.all(
    ids.map(async (id) =>
      (await listEndpoints(db, id)).map((endpoint) => ({ ...endpoint, companyId: id })),
    ),
  )
  return lists.flat()
}

/** An operator names an endpoint by its id alone. */
function ofEndpoint<T>(id: string, work: (at: At, companyId: string) => Promise<T>) {
  return atHome(async (at) => {
    const [endpoint] = await at.db
      .select({ companyId: webhookEndpoints.companyId })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, id))
    if (!endpoint) throw noEndpoint(id)
    return work(at, endpoint.companyId)
  })
}

function noEndpoint(id: string) {
  return new Refusal(`There is no endpoint ${id}: see webhook list.`)
}
