// Pays a link of the test environment, as a payer would.

import { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { PAYMENT_METHODS } from '../database/enums.ts'
import { isUuid, newId } from '../database/id.ts'
import { createLogger } from '../http/log.ts'
import { textField } from '../http/text.ts'
import { findLinkBySlug, findLinkWithCompany } from '../payment-links/payment-link.ts'
import { MAX_INSTALLMENTS } from '../payment-links/schema.ts'
import { paymentUrl } from '../transactions/serialize.ts'
import { simulateLinkPayment } from '../transactions/simulation/pay.ts'
import { SCENARIOS, SimulatedPayment } from '../transactions/simulation/schema.ts'
import {
  CommandError,
  type Commands,
  defineCommand,
  type Option,
  requireOption,
  translateErrors,
} from './command.ts'
import { withContext } from './context.ts'
import { choiceOption, createOptionParser } from './options.ts'
import { withPayNeeds } from './pay-needs.ts'

const LINK_MAX_LENGTH = 64

const linkOption: Option<string> & { positional: true } = {
  value: 'SLUG|ID',
  about: 'The payment link.',
  parse: createOptionParser(textField({ min: 1, max: LINK_MAX_LENGTH })),
  mustBe: "a link's slug or id",
  positional: true,
}

const installmentsOption: Option<number> = {
  value: 'N',
  about: 'Of a card (default: 1).',
  parse: createOptionParser(z.coerce.number().int().min(1).max(MAX_INSTALLMENTS)),
  mustBe: `a number from 1 to ${MAX_INSTALLMENTS}`,
}

export const commands: Commands = {
  '': defineCommand({
    about: 'Pays a payment link of the test environment, as a payer would; no money moves.',
    options: {
      link: requireOption(linkOption),
      method: choiceOption(PAYMENT_METHODS, 'How (default: the first of the link).'),
      installments: installmentsOption,
      scenario: choiceOption(SCENARIOS, 'What comes of it (default: ok).'),
    },
    run: ({ link: chosen, ...given }) =>
      withContext(async (at) => {
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
  }),
}

async function findChosenLink(db: Database, chosen: string) {
  return isUuid(chosen) ? findLinkWithCompany(db, chosen) : findLinkBySlug(db, chosen)
}

const PAY_ERRORS: Record<string, string> = {
  link_not_payable: 'The link cannot be paid now: check its state.',
  method: 'The link does not take --method by the sandbox.',
  installments: 'The link does not offer so many --installments.',
  scenario: '--scenario of a Pix is ok or pending, and of a card any but pending.',
}
