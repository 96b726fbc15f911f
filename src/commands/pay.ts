// `pay`: pays a link of the test environment as a payer would.

import { Option } from '@commander-js/extra-typings'
import { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { PAYMENT_METHODS } from '../database/enums.ts'
import { isUuid, newId } from '../database/id.ts'
import { createLogger } from '../http/log.ts'
import { findLinkBySlug, findLinkWithCompany } from '../payment-links/payment-link.ts'
import { MAX_INSTALLMENTS } from '../payment-links/schema.ts'
import { paymentUrl } from '../transactions/serialize.ts'
import { SCENARIOS, SimulatedPayment } from '../transactions/simulation/schema.ts'
import { simulateLinkPayment } from '../transactions/simulation/simulate.ts'
import { CommandError, createCommand, translateErrors } from './command.ts'
import { printingInContext } from './context.ts'
import { parseAs } from './options.ts'
import { withPayNeeds } from './pay-needs.ts'

export const command = createCommand('pay')
  .description('Pays a payment link of the test environment, as a payer would; no money moves.')
  .argument('<SLUG|ID>', 'The payment link.')
  .addOption(
    new Option(
      '--method <METHOD>',
      'The payment method (default: the first of the link that has the scenario and the installments).',
    ).choices(PAYMENT_METHODS),
  )
  .option(
    '--installments <N>',
    'The installments of a card (default: 1).',
    parseAs(
      z.coerce.number().int().min(1).max(MAX_INSTALLMENTS),
      `a number from 1 to ${MAX_INSTALLMENTS}`,
    ),
  )
  .addOption(new Option('--scenario <SCENARIO>', 'The result (default: ok).').choices(SCENARIOS))
  .action(
    printingInContext(async (at, chosen, given) => {
      const found = await findChosenLink(at.db, chosen)
      if (!found?.company.testMode) {
        throw new CommandError(`There is no payment link ${chosen} in a test environment.`)
      }
      const input = { ...SimulatedPayment.parse(given), ...found, id: newId() }
      const row = await withPayNeeds(at, createLogger('silent'), (needs) =>
        translateErrors(
          () => simulateLinkPayment(needs, input),
          ({ code, errors }) => PAY_ERRORS[errors?.[0]?.field ?? code],
        ),
      )
      const { id, status } = row
      const url = paymentUrl(at.config.checkoutUrl, found.link.slug, row.token)
      return { json: { id, status, url }, text: `Payment ${id} is ${status}: ${url}` }
    }),
  )

async function findChosenLink(db: Database, chosen: string) {
  return isUuid(chosen) ? findLinkWithCompany(db, chosen) : findLinkBySlug(db, chosen)
}

const PAY_ERRORS: Record<string, string> = {
  link_not_payable: 'The link cannot be paid now: check its state.',
  method: 'The link does not accept --method in the sandbox.',
  installments: 'The link does not offer so many --installments.',
  scenario: '--scenario of a Pix is ok or pending; of a card, any but pending.',
}
