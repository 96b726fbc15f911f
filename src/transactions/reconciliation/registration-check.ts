// Checks that providers still notify us: once a day by reading the address, since a Pix key has one and another system
// may have replaced ours, and always by the Pix that were found without a notification. The company is informed of the
// loss once; payments are then found by asking.
import { sql } from '../../database/drizzle.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { queueMail } from '../../mail/outbox.ts'
import { type AccountRow, buildNotifyUrl } from '../../providers/accounts.ts'
import { selectSilentAccounts } from '../../providers/notification-log.ts'
import {
  claimRegistrationChecks,
  recordNotificationTarget,
  retryRegistrationCheck,
} from '../../providers/registration.ts'
import type { RealProvider } from '../../providers/registry.ts'
import { runInterval } from '../../queue/interval.ts'
import type { PayNeeds } from '../needs.ts'

const ROUND_INTERVAL_MS = 10 * MINUTE_MS
const MAX_CHECKED_ACCOUNTS = 20

type RegistrationNeeds = PayNeeds & { baseUrl: string }

export function startRegistrationCheck(needs: RegistrationNeeds) {
  const failure = 'notification addresses cannot be checked'
  const options = { intervalMs: ROUND_INTERVAL_MS, log: needs.log, failure }
  return runInterval(options, async () => {
    await warnOfSilence(needs)
    return (await checkRegistrations(needs)) === MAX_CHECKED_ACCOUNTS
  })
}

/** Informs the companies of accounts that no longer notify us, once until the next notification. */
export async function warnOfSilence({ db, mail, log, now }: RegistrationNeeds) {
  if (!mail) return
  const { rows } = await db.execute<{
    company_id: string
    provider: RealProvider
    test_mode: boolean
  }>(sql`
    select company_id, provider, test_mode from ${selectSilentAccounts()}
    where not exists (
      select from mails where mails.company_id = silent.company_id and template = 'notifications-refused'
        and data ->> 'provider' = silent.provider and data ->> 'isSilent' = 'true'
        and mails.created_at > coalesce(silent.notified_at, silent.created_at)
    ) limit ${MAX_CHECKED_ACCOUNTS}`)
  for (const { company_id: companyId, provider, test_mode: testMode } of rows) {
    log.warn({ companyId, provider }, 'a provider no longer notifies us')
    const data = { provider, testMode, isSilent: true } as const
    await queueMail(
      mail,
      db,
      { companyId, now: now() },
      { template: 'notifications-refused', data },
    )
  }
}

/** Checks the due accounts and returns their number. */
export async function checkRegistrations(needs: RegistrationNeeds): Promise<number> {
  const claim = { limit: MAX_CHECKED_ACCOUNTS, now: needs.now() }
  const rows = await claimRegistrationChecks(needs.db, claim)
  await Promise.all(rows.map((row) => tryCheckRegistration(needs, row)))
  return rows.length
}

async function tryCheckRegistration(needs: RegistrationNeeds, row: AccountRow) {
  const { companyId, provider } = row
  try {
    await checkRegistration(needs, row)
  } catch (err) {
    needs.log.warn(
      { err, companyId, provider },
      'the notification address at a provider could not be read',
    )
    await retryRegistrationCheck(needs.db, row, needs.now())
  }
}

async function checkRegistration(
  { db, providers, baseUrl, mail, log, now }: RegistrationNeeds,
  row: AccountRow,
) {
  const { companyId, provider, testMode } = row
  const account = await providers.open(companyId, provider)
  const target = await account.findRegistration?.(buildNotifyUrl(baseUrl, row))
  if (!target) return
  const url = target.kind === 'other' ? target.url : null
  await db.transaction(async (tx) => {
    if (!(await recordNotificationTarget(tx, row, target, now()))) return
    log.warn({ companyId, provider, url }, 'a provider no longer sends its notifications to us')
    const data = { provider, url, testMode }
    await queueMail(mail, tx, { companyId, now: now() }, { template: 'notifications-lost', data })
  })
}
