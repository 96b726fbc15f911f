// Records failed sign-ins in the company's audit log, in one entry for each account and hour with their number and
// first networks, so that guesses cannot fill the log.

import { createHash } from 'node:crypto'
import { actorTexts } from '../companies/texts.ts'
import type { Db } from '../database/connect.ts'
import { sql } from '../database/drizzle.ts'
import { HOUR_MS } from '../database/instant.ts'

const ACTION = 'sign_in_failed'
/** Room for about eight networks. */
const MAX_NETWORKS_LENGTH = 200

type FailedSignIn = { userId: string; network: string; now: Date }

/** The number of failures in an hour at which an e-mail is sent, once. */
const MANY_TRIES = 10

type CountedTry = { companyId: string; email: string; tries: number }

/**
 * Counts a failed sign-in. Returns the user's company and e-mail at the attempt that reaches the limit of the hour, and
 * undefined at all others.
 */
export async function recordFailedSignIn(
  db: Db,
  { userId, network, now }: FailedSignIn,
): Promise<Omit<CountedTry, 'tries'> | undefined> {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  const { rows } = await db.execute<CountedTry>(sql`
    insert into audit_entries as counted
      (id, company_id, actor, action, subject_id, subject, details, address, created_at)
    select ${buildHourId(userId, hour)}, company_id, ${actorTexts.stranger}, ${ACTION}, id::text, email,
      jsonb_build_object('tries', '1', 'networks', ${network}::text), ${network},
      ${hour.toISOString()}
    from users where id = ${userId}
    on conflict (id) do update set
      address = excluded.address,
      details = jsonb_build_object(
        'tries', ((counted.details->>'tries')::int + 1)::text,
        'networks', case
          when ${network}::text = any(string_to_array(counted.details->>'networks', ', '))
            or length(counted.details->>'networks') > ${MAX_NETWORKS_LENGTH}
          then counted.details->>'networks'
          else (counted.details->>'networks') || ', ' || ${network}::text end)
    returning company_id as "companyId", subject as email, (details->>'tries')::int as tries`)
  return rows.find(({ tries }) => tries === MANY_TRIES)
}

/** Builds a UUIDv7 at the beginning of the hour, the same for the same person and hour. */
function buildHourId(userId: string, hour: Date) {
  const time = hour.getTime().toString(16).padStart(12, '0')
  const rest = createHash('sha256').update(`${ACTION} ${userId} ${time}`).digest('hex')
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${rest.slice(0, 3)}`,
    `8${rest.slice(3, 6)}`,
    rest.slice(6, 18),
  ].join('-')
}
