import type { Database } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { EVENT_TYPES } from '../database/enums.ts'
import { webhookDeliveries } from '../database/tables.ts'
import { textField } from '../http/text.ts'
import { findPaymentLink } from '../payment-links/payment-link.ts'
import { toLinkEventData } from '../payment-links/serialize.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { buildSampleData } from '../webhooks/events/sample.ts'
import {
  CommandError,
  type Commands,
  defineCommand,
  type Option,
  requireOption,
} from './command.ts'
import { findCompanyOrOnly } from './company.ts'
import { withContext } from './context.ts'
import { choiceOption, companyOrOnlyOption, createOptionParser } from './options.ts'

const SLUG_MAX = 64

const eventOption = {
  ...choiceOption(EVENT_TYPES, `What is to have happened: ${EVENT_TYPES.join(', ')}.`),
  value: 'EVENT',
  positional: true as const,
}

const linkOption: Option<string> = {
  value: 'SLUG|ID',
  about: 'The payment link that it is about (default: an invented one).',
  parse: createOptionParser(textField({ min: 1, max: SLUG_MAX })),
  mustBe: "a link's slug or id",
}

export const commands: Commands = {
  '': defineCommand({
    about:
      'Makes an event of the test environment, for its endpoints that subscribe to it and for listen; nobody has paid.',
    options: { event: requireOption(eventOption), company: companyOrOnlyOption, link: linkOption },
    run: ({ event: type, company, link: chosen }) =>
      withContext(async ({ db, config: { checkoutUrl }, now }) => {
        const { id: companyId } = (await findCompanyOrOnly(db, company)).test
        const link =
          chosen === undefined ? undefined : await findLinkEventData(db, companyId, chosen)
        const data = buildSampleData(type, { checkoutUrl, now, ...(link && { link }) })
        const { eventId } = await db.transaction((tx) =>
          recordEvent(tx, { companyId, type, testMode: true, data, now }),
        )
        const ofEvent = eq(webhookDeliveries.eventId, eventId)
        const deliveries = await db.$count(webhookDeliveries, ofEvent)
        return {
          json: { id: eventId, type, deliveries },
          text: `Event ${eventId} (${type}) is made. Endpoints that it goes to: ${deliveries}.`,
        }
      }),
  }),
}

async function findLinkEventData(db: Database, companyId: string, chosen: string) {
  const link = await findPaymentLink(db, companyId, chosen)
  if (!link) throw new CommandError(`The company has no payment link ${chosen}: check its slug.`)
  return toLinkEventData(link)
}
