// What will hurt next in what this service does: work that waits, receivers that fail, certificates that end.
import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { requireFound } from '../../database/found.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { type Backlog, readBacklog } from '../../http/metrics/backlog.ts'
import {
  type AccountCertificate,
  CERTIFICATE_NOTICE_DAYS,
  keepEnding,
  listCertificates,
} from '../../providers/certificates.ts'
import {
  type DoctorCheck,
  type Finding,
  reportFailure,
  reportOk,
  reportWarning,
} from './finding.ts'

type WorkloadNeeds = {
  cipher: Cipher
  now: Date
}

const MAX_WAITING_S = 300
const MAX_NAMED_CERTIFICATES = 3
/** An endpoint fails when so many of its newest deliveries did, all of them. */
const JUDGED_DELIVERIES = 10

/** In the order in which they are told. */
export function listWorkloadChecks({ cipher, now }: WorkloadNeeds): DoctorCheck[] {
  return [
    { about: 'waiting', run: async (db) => judgeBacklog(await readBacklog(db, now)) },
    { about: 'webhook endpoints', run: async (db) => judgeEndpoints(await countEndpoints(db)) },
    {
      about: 'certificates',
      run: async (db) => judgeCertificates(await listCertificates(db, cipher), now),
    },
  ]
}

export function judgeBacklog(backlog: Backlog): Finding {
  const queues = [
    ['webhooks', backlog.deliveriesDue, backlog.deliveriesOldestDueSeconds],
    ['e-mails', backlog.mailsDue, backlog.mailsOldestDueSeconds],
    ['payments to ask a provider about', backlog.checksDue, backlog.checksOldestDueSeconds],
  ] as const
  const late = queues.filter(([, , seconds]) => seconds > MAX_WAITING_S)
  if (late.length === 0) return reportOk('waiting: nothing has been due for more than 5 minutes')
  const told = late.map(
    ([what, due, seconds]) => `${due} ${what}, the first for ${Math.round(seconds / 60)} min`,
  )
  return reportWarning(
    `waiting: ${told.join('; ')}`,
    'see that the service is running, with SMTP_URL where e-mails wait, and whether it is short of connections',
  )
}

type EndpointCounts = {
  enabled: number
  failing: number
  gone: number
  names: string | null
}

export function judgeEndpoints({ enabled, failing, gone, names }: EndpointCounts): Finding {
  const what = `webhook endpoints: ${enabled} enabled`
  if (failing === 0 && gone === 0) return reportOk(`${what}, none of them failing`)
  return reportWarning(
    `${what}; taking nothing any more: ${failing}; disabled by an answer of 410 in the last 30 days: ${gone} (${names})`,
    'tell their companies; "webhook deliveries" shows what they answer',
  )
}

/** `certificates`: the first to end first. */
export function judgeCertificates(certificates: AccountCertificate[], now: Date): Finding {
  const [first] = certificates
  if (!first) return reportOk('certificates: no company is paid by one at its bank')
  const ending = keepEnding(certificates, now)
  if (ending.length === 0) {
    const what = `certificates: of ${certificates.length} the first to end`
    return reportOk(
      `${what}, of company ${first.companyId}, does so on ${formatUtcDay(first.until)}`,
    )
  }
  const what = `certificates: of ${certificates.length}, ${nameEnds(ending)}`
  const advice = 'have the company get a new one in its bank\'s panel and save it by "provider set"'
  return first.until > now
    ? reportWarning(what, advice)
    : reportFailure(`${what}; one that has ended takes no payment any more`, advice)
}

/** How many, and a few of them by their companies. */
function nameEnds(ending: AccountCertificate[]) {
  const named = ending
    .slice(0, MAX_NAMED_CERTIFICATES)
    .map(({ companyId, until }) => `${companyId} on ${formatUtcDay(until)}`)
  const more = ending.length > MAX_NAMED_CERTIFICATES ? ', …' : ''
  return `${ending.length} end within ${CERTIFICATE_NOTICE_DAYS} days or have ended (${named.join(', ')}${more})`
}

function formatUtcDay(instant: Date) {
  return instant.toISOString().slice(0, 10)
}

/** Of the failing and the gone a few, by their ids. */
async function countEndpoints(db: Database) {
  const { rows } = await db.execute<EndpointCounts>(sql`
    with judged as (
      select endpoint.id, endpoint.disabled_at is null as is_enabled,
        endpoint.disabled_at is null and newest.attempted > 0 and newest.delivered = 0 as is_failing,
        endpoint.disabled_at >= now() - interval '30 days' and newest.last_outcome = 'gone' as is_gone
      from webhook_endpoints endpoint
      cross join lateral (
        select count(outcome) as attempted, count(*) filter (where outcome = 'delivered') as delivered,
          (array_agg(outcome))[1] as last_outcome
        from (
          select outcome from webhook_deliveries
          where endpoint_id = endpoint.id and outcome is not null
          order by id desc limit ${JUDGED_DELIVERIES}::int
        ) deliveries
      ) newest
    )
    select count(*) filter (where is_enabled)::int as enabled,
      count(*) filter (where is_failing)::int as failing, count(*) filter (where is_gone)::int as gone,
      array_to_string((array_agg(id order by id) filter (where is_failing or is_gone))[1:3], ', ') as names
    from judged`)
  return requireFound(rows[0])
}
