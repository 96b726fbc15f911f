// The subcommands of `webhook` about deliveries.
import { type Command, Option } from '@commander-js/extra-typings'
import type { Database } from '../database/connect.ts'
import { DELIVERY_STATUSES } from '../database/enums.ts'
import { MAX_UUID } from '../database/id.ts'
import { decimalField, storableInstantField } from '../http/fields.ts'
import { listDeliveries } from '../webhooks/deliveries/history.ts'
import { RESEND_WINDOW_DAYS, resend } from '../webhooks/deliveries/resend.ts'
import { MAX_ENDPOINTS } from '../webhooks/endpoints/endpoint.ts'
import { MAX_HEADERS } from '../webhooks/endpoints/headers.ts'
import {
  chooseEnvironment,
  type EnvironmentFlags,
  findCompanyByIdOrName,
} from './chosen-company.ts'
import { formatTable, translateErrors, UsageError } from './command.ts'
import { printingInContext } from './context.ts'
import { companyOption, idArgument, liveOption, parseAs, testOption } from './options.ts'

const LIST_LIMIT = { default: 20, max: 1_000 }

export function addDeliveryCommands(webhook: Command) {
  webhook
    .command('deliveries')
    .description('Lists deliveries with their results, newest first.')
    .addOption(companyOption())
    .addOption(
      new Option('--status <STATUS>', 'Only deliveries with this status.').choices(
        DELIVERY_STATUSES,
      ),
    )
    .option(
      '--limit <N>',
      'At most so many.',
      parseAs(
        decimalField({ min: 1, max: LIST_LIMIT.max }),
        `a number from 1 to ${LIST_LIMIT.max}`,
      ),
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

  webhook
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
          await translateWebhookErrors(() => resend(db, { deliveryId: id }, now))
          return { json: { resent: 1 }, text: `Delivery ${id} is due now.` }
        }
        if (id || !from || !company) {
          throw new UsageError('Give either an ID, or both --failed-since and --company.')
        }
        const companyId = await findEnvironmentId(db, company, flags)
        const resent = await resend(db, { companyId, from, isGivenUp: true }, now)
        return { json: { resent }, text: `Deliveries that are due now: ${resent}.` }
      }),
    )
}

async function findEnvironmentId(db: Database, company: string, flags: EnvironmentFlags) {
  return chooseEnvironment(await findCompanyByIdOrName(db, company), flags).id
}

export function translateWebhookErrors<T>(work: () => Promise<T>) {
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
