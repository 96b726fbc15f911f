// The company of the demonstration as it is, and with all that people write in its worst shape: as long as it may be,
// of the widest letter, without a space.
import { seedDemo } from '../../../src/commands/demo/seed.ts'
import type { Database } from '../../../src/database/connect.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { createCipher } from '../../../src/database/encryption/cipher.ts'
import { SECRET_KEY } from '../processes/service.ts'

type Db = Database

const wide = (length: number) => 'W'.repeat(length)
const EMAIL = `${'w'.repeat(64)}@${'w'.repeat(60)}.example`
const ADDRESS = `https://${'w'.repeat(60)}.example/${wide(500)}`
const TAGS = Array.from({ length: 20 }, (_, n) => `${wide(60)}${String(n).padStart(2, '0')}`)

export async function seedDashboardDemo(db: Db, owner: string, name = 'Padaria Sol & Mar') {
  const cipher = createCipher(Buffer.from(SECRET_KEY, 'base64'))
  const needs = { db, cipher, checkoutUrl: 'http://localhost/pagar', now: new Date() }
  return seedDemo(needs, { name, owner, member: owner.replace('@', '-socio@') })
}

export async function seedWorstData(db: Db) {
  const demo = await seedDashboardDemo(db, EMAIL, wide(60))
  const { id } = demo.company
  await widenLinks(db, id)
  await widenPayments(db, id)
  await widenPeople(db, id)
  await widenIntegrations(db, id)
  return demo
}

async function widenLinks(db: Db, companyId: string) {
  const metadata = JSON.stringify({ [wide(40)]: wide(200) })
  const answers = JSON.stringify([{ label: wide(40), value: wide(200) }])
  await db.execute(sql`
    update payment_links set title = ${wide(128)}, description = ${wide(500)}, amount_cents = 20000000,
      tags = ${sql.param(TAGS)}::text[], external_reference = ${wide(64)}, metadata = ${metadata}::jsonb,
      redirect_url = ${ADDRESS}, inactive_message = ${wide(200)}, success_message = ${wide(200)}
    where company_id = ${companyId}`)
  await db.execute(sql`
    update transactions set tags = ${sql.param(TAGS)}::text[], external_reference = ${wide(64)}, ref = ${wide(64)},
      metadata = ${metadata}::jsonb, custom_fields = case when status = 'approved' then ${answers}::jsonb end
    where company_id = ${companyId}`)
}

/** R$ 200.000,00, as much as a link may ask for, and as much again in interest. */
async function widenPayments(db: Db, companyId: string) {
  const ofPayments = sql`where transaction_id in (select id from transactions where company_id = ${companyId})`
  await db.execute(sql`
    update transactions set payer_name = ${wide(128)}, link_title = ${wide(128)}, payer_email = ${EMAIL}, card_holder = case when method = 'credit_card' then ${wide(64)} end,
      refunded_cents = (refunded_cents * 20000000::numeric / total_cents)::int,
      charged_back_cents = (charged_back_cents * 20000000::numeric / total_cents)::int,
      amount_cents = 20000000 - interest_cents, total_cents = 20000000, installment_cents = 20000000 / installments
    where company_id = ${companyId}`)
  await db.execute(sql`
    update incoming_payments set payer_name = ${wide(128)}, amount_cents = 20000000, surplus_cents =
      case when surplus_cents > 0 then 20000000 - refunded_cents else 0 end
    ${ofPayments} and refunded_cents <= 20000000`)
  await db.execute(sql`update refunds set reason = ${wide(140)} ${ofPayments}`)
  await db.execute(
    sql`update disputes set amount_cents = 20000000, reason = ${wide(60)} ${ofPayments}`,
  )
}

async function widenPeople(db: Db, companyId: string) {
  await db.execute(sql`
    update customers set name = ${wide(128)}, email = ${EMAIL}, phone = '11987654321'
    where company_id = ${companyId}`)
  await db.execute(sql`
    update audit_entries set subject = ${wide(128)}, actor = ${EMAIL}, details = '{"from": "${sql.raw(wide(128))}"}'
    where company_id = ${companyId} and action <> 'sign_in'`)
  await db.execute(sql`update sessions set user_agent = ${wide(200)}`)
  await db.execute(sql`
    insert into invitations (id, company_id, email, role, token_hash, invited_by, expires_at)
    select gen_random_uuid(), test_of, ${`w${EMAIL}`}, 'member', decode(md5(id::text), 'hex'), ${EMAIL}, now() + interval '1 day'
    from companies where id = ${companyId}`)
  await db.execute(sql`
    update companies set support_email = ${EMAIL}, support_phone = '11987654321', city = ${wide(15)}
    where id = ${companyId} or id = (select test_of from companies where id = ${companyId})`)
}

async function widenIntegrations(db: Db, companyId: string) {
  await db.execute(sql`update api_keys set name = ${wide(60)} where company_id = ${companyId}`)
  await db.execute(
    sql`update webhook_endpoints set url = ${ADDRESS} where company_id = ${companyId}`,
  )
  await db.execute(sql`
    update webhook_attempts set url = ${ADDRESS}, answer = ${wide(2_000)}
    from webhook_deliveries sent join webhook_endpoints endpoint on endpoint.id = sent.endpoint_id
    where sent.id = delivery_id and endpoint.company_id = ${companyId}`)
}
