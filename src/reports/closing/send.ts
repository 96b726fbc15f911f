// Sends each company's closing on the first of the month to whom its owners chose: its sums, the table by day,
// which holds no personal data, and the way to the table by payment, which is read behind sign-in alone. Once for
// each month, by whichever process comes first; what was down on the first sends it when it is up again.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { sql } from '../../database/drizzle.ts'
import { MINUTE_MS } from '../../database/instant.ts'
import { renderCsv } from '../../http/csv.ts'
import { type NewMail, type Outbox, queueMail } from '../../mail/outbox.ts'
import { runInterval } from '../../queue/interval.ts'
import { listRolesWith } from '../../users/roles.ts'
import { type Closing, isEmptyClosing, loadClosing } from './closing.ts'
import { buildClosingFileName, CLOSING_DAY_COLUMNS, listClosingCells } from './csv.ts'
import { getDueMonth } from './month.ts'
import { claimClosing, listPossibleReaders } from './readers.ts'

type ClosingNeeds = {
  db: Database
  mail: Outbox
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
}

const CLOSING_INTERVAL_MS = 10 * MINUTE_MS
const COMPANIES_PER_ROUND = 50

/** The answer stops it. */
export function startClosingMails({ db, mail, log, now }: ClosingNeeds) {
  const failure = 'the month that is over cannot be sent for now'
  return runInterval({ intervalMs: CLOSING_INTERVAL_MS, log, failure }, async () => {
    const { found } = await sendDueClosings(db, mail, now())
    return found === COMPANIES_PER_ROUND
  })
}

/** Writes the mails of the companies whose month is over and not sent; `found` is how many there were. */
export async function sendDueClosings(db: Database, mail: Outbox, now: Date) {
  const month = getDueMonth(now)
  const due = await listDueCompanies(db, month)
  const failures: unknown[] = []
  for (const companyId of due) {
    // One that fails must not keep the others from theirs.
    await sendClosing(db, mail, { companyId, month, now }).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
  return { found: due.length }
}

async function listDueCompanies(db: Database, month: string) {
  const roles = sql.param([...listRolesWith('fullDocuments')])
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from companies company
    where test_of is null and (closed_month is null or closed_month < ${`${month}-01`})
      and exists (
        select from users where company_id = company.id and gets_closings and role = any(${roles})
      )
    order by id limit ${COMPANIES_PER_ROUND}`)
  return rows.map(({ id }) => id)
}

type DueClosing = { companyId: string; month: string; now: Date }

async function sendClosing(db: Database, mail: Outbox, { companyId, month, now }: DueClosing) {
  const data = toMailData(await loadClosing(db, companyId, month))
  await db.transaction(async (tx) => {
    if (!(await claimClosing(tx, companyId, month))) return
    const people = await listPossibleReaders(tx, companyId)
    const newMails = people
      .filter(({ isChosen }) => isChosen)
      .map(({ email: recipient }): NewMail => ({ template: 'month-closed', recipient, data }))
    await queueMail(mail, tx, { companyId, now }, ...newMails)
  })
}

function toMailData(closing: Closing) {
  const { month, total } = closing
  if (isEmptyClosing(closing)) return { month, sums: null, table: null }
  const content = renderCsv(CLOSING_DAY_COLUMNS, listClosingCells(closing))
  return { month, sums: total, table: { name: buildClosingFileName(month, 'days'), content } }
}
