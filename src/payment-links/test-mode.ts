// Whether nothing that is paid on a link is real. It decides which of its payments count: those of the days
// before a company went live, and test cards beside a real Pix, stay out of every sum and fill no place.
import { type Company, getPaymentChannel } from '../companies/company.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { companies, paymentLinks } from '../database/tables.ts'

export function isTestLink(
  { methods }: Pick<typeof paymentLinks.$inferSelect, 'methods'>,
  company: Company,
) {
  return methods.every((method) => getPaymentChannel(company, method).testMode)
}

/** The same where Postgres is asked about payments; `linkId` is a value or its placeholder. */
export function isTestLinkSql(linkId: unknown): SQL<boolean> {
  return sql`(select (c.pix_test_mode or not 'pix' = any(l.methods))
      and (c.card_test_mode or not 'credit_card' = any(l.methods))
    from ${paymentLinks} l join ${companies} c on c.id = l.company_id where l.id = ${linkId})`
}
