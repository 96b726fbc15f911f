// Checks the books after payers and a shop worked, whatever broke meanwhile.
import { expect } from 'vitest'
import type { Installation } from './installation.ts'
import type { Payers } from './payers.ts'
import { awaitQuiet, expectConsistent, makeAllDue } from './traffic.ts'

const SOON = { timeout: 30_000 }

type Story = {
  what: string
  /** Whether what dead processes held is waited for as long as it takes. */
  patient?: boolean
}

/**
 * Nothing is lost and nothing doubled: the bank's book, ours, what was told, what was heard, what payers were
 * promised and what the shop was answered. Prints what it was about.
 */
export async function expectBooks(
  { db, receiver }: Installation,
  { receipts, made, failures, sum }: Payers,
  { what, patient = false }: Story,
) {
  const { count, seconds, slowestMs } = sum()
  const ask = async (text: string) => (await db.$client.query(text)).rows
  if (!patient) await makeAllDue(db)
  await awaitQuiet(db)
  await expect.poll(() => ask(UNHEARD_SQL), SOON).toEqual([])
  await awaitQuiet(db)
  const payments = await expectConsistent(db, receiver.hits)
  const approved = await ask(`select token from transactions where status = 'approved'`)
  const tokens = new Set(approved.map(({ token }) => token))
  const titles = (await ask('select title from payment_links')).map(({ title }) => title)

  expect(receipts.filter((path) => !tokens.has(path.split('/').at(-1)))).toEqual([])
  expect(await ask(PAID_TWICE_SQL)).toEqual([])
  expect(made.filter((title) => !titles.includes(title))).toEqual([])
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
  expect(receiver.refused).toEqual([])
  process.stdout.write(
    `${what}: ${count} requests in ${seconds.toFixed(1)} s, ${failures.length} failed, ` +
      `slowest ${Math.round(slowestMs)} ms; ${payments} payments, 0 lost, 0 doubled\n`,
  )
}

/** What the bank was paid, and the reconciler has not yet asked it about. */
const UNHEARD_SQL = `
select paid.id from sandbox_charges charge
join transactions paid on charge.reference = 'sbx_' || paid.id
where charge.status = 'approved' and paid.status <> 'approved'`

/** Each payer has another name, and pays once. */
const PAID_TWICE_SQL = `
select payer_name from transactions where status = 'approved' group by payer_name having count(*) > 1`
