import { Argument } from '@commander-js/extra-typings'
import type { Database } from '../database/connect.ts'
import { eq } from '../database/drizzle.ts'
import { EVENT_TYPES } from '../database/enums.ts'
import { webhookDeliveries } from '../database/tables.ts'
import { findPaymentLink } from '../payment-links/payment-link.ts'
import { toLinkEventData } from '../payment-links/serialize.ts'
import { buildSampleData } from '../transactions/simulation/sample-event.ts'
import { recordEvent } from '../webhooks/events/event.ts'
import { findCompanyOrOnly } from './chosen-company.ts'
import { CommandError, createCommand } from './command.ts'
import { printingInContext } from './context.ts'
import { companyOrOnlyOption } from './options.ts'

export const command = createCommand('trigger')
  .description(
    'Creates an event in the test environment, for endpoints that subscribe to it and for listen; there is no real payment.',
  )
  .addArgument(new Argument('<EVENT>', 'The type of the event.').choices(EVENT_TYPES))
  .addOption(companyOrOnlyOption())
  .option('--link <SLUG|ID>', 'The payment link of the event (default: an invented one).')
  .action(
    printingInContext(async (at, type, { company, link: chosen }) => {
      const { db, now } = at
      const { checkoutUrl } = at.config
      const { id: companyId } = (await findCompanyOrOnly(db, company)).test
      const link = chosen === undefined ? undefined : await findLinkEventData(db, companyId, chosen)
      const data = buildSampleData(type, { checkoutUrl, now, ...(link && { link }) })
      const { eventId } = await db.transaction((tx) =>
        recordEvent(tx, { companyId, type, testMode: true, data, now }),
      )
      const ofEvent = eq(webhookDeliveries.eventId, eventId)
      const deliveries = await db.$count(webhookDeliveries, ofEvent)
      return {
        json: { id: eventId, type, deliveries },
        text: `Event ${eventId} (${type}) is created. Deliveries created: ${deliveries}; a disabled endpoint gets its one when it is enabled.`,
      }
    }),
  )

async function findLinkEventData(db: Database, companyId: string, chosen: string) {
  const link = await findPaymentLink(db, companyId, chosen)
  if (!link) throw new CommandError(`The company has no payment link ${chosen}: check its slug.`)
  return toLinkEventData(link)
}
