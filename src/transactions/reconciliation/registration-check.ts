// Checks once a day that providers still notify us: a Pix key has one address, and another system may have replaced
// ours. The company is informed of the loss once; payments are then found by asking.
import { MINUTE_MS } from '../../database/instant.ts'
import { queueMail } from '../../mail/outbox.ts'
import { type AccountRow, buildNotifyUrl } from '../../providers/accounts.ts'
import {
  claimRegistrationChecks,
  recordNotificationTarget,
  retryRegistrationCheck,
} from '../../providers/registration.ts'
import { runInterval } from '../../queue/interval.ts'
import type { PayNeeds } from '../needs.ts'

const ROUND_INTERVAL_MS = 10 * MINUTE_MS
const MAX_CHECKED_ACCOUNTS = 20

type RegistrationNeeds = PayNeeds & { baseUrl: string }

export function startRegistrationCheck(needs: RegistrationNeeds) {
  const failure = 'notification addresses cannot be checked'
  const options = { intervalMs: ROUND_INTERVAL_MS, log: needs.log, failure }
  return runInterval(
    options,
    async () => (await checkRegistrations(needs)) === MAX_CHECKED_ACCOUNTS,
  )
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
