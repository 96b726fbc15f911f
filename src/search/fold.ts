// The words of what has changed are written behind it: by one process at a time, a batch in one transaction.
// Who pays or makes links waits for none of it; who searches writes first what has just come in.

import type { FastifyBaseLogger } from 'fastify'
import type { Database, Transaction } from '../database/connect.ts'
import { and, eq, inArray, isNull, sql } from '../database/drizzle.ts'
import type { SearchKind } from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { SEARCH_FOLD_LOCK } from '../database/locks.ts'
import { customers, paymentLinks, transactions } from '../database/tables.ts'
import { runInterval } from '../queue/interval.ts'
import { buildAmountWord, buildWordPrefix, listPayerWords, listTextWords } from './words.ts'

type FoldNeeds = { db: Database; log: Pick<FastifyBaseLogger, 'warn'> }

const FOLD_INTERVAL_MS = 2_000
const FOLD_BATCH_SIZE = 1_000
/** Somebody waits for it. */
const WAITING_BATCH_SIZE = 500

/** The answer stops it. */
export function startSearchFold({ db, log }: FoldNeeds) {
  const failure = 'what is new cannot be searched for now'
  return runInterval({ intervalMs: FOLD_INTERVAL_MS, log, failure }, async () => {
    return (await foldSearch(db, FOLD_BATCH_SIZE)) === FOLD_BATCH_SIZE
  })
}

/** So that what was made a moment ago is found, unless there is more of it than anybody would wait for. */
export async function foldLatest(db: Database) {
  const { rows } = await db.$client.query<{ any: boolean }>({
    name: 'any_search_changes',
    text: 'select exists (select from search_changes) as any',
  })
  if (requireFound(rows[0]).any) await foldSearch(db, WAITING_BATCH_SIZE)
}

/** How many changes were folded: none while another process is at it. */
export async function foldSearch(db: Database, batchSize: number): Promise<number> {
  return db.transaction(async (tx) => {
    const lock = sql`select pg_try_advisory_xact_lock(${SEARCH_FOLD_LOCK}) as taken`
    const { rows: locks } = await tx.execute<{ taken: boolean }>(lock)
    if (!requireFound(locks[0]).taken) return 0
    const { rows: changes } = await tx.execute<Change>(sql`
      delete from search_changes
      where ctid = any(array(select ctid from search_changes limit ${batchSize}))
      returning kind, id`)
    const idsOf = (kind: Change['kind']) => [
      ...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id)),
    ]
    await notePaymentsOfLinks(tx, idsOf('link_payments'))
    for (const kind of ['payment', 'link', 'customer'] as const) {
      const ids = idsOf(kind)
      if (ids.length > 0)
        await writeEntries(tx, kind, { ids, entries: await READERS[kind](tx, ids) })
    }
    return changes.length
  })
}

type Change = { kind: SearchKind | 'link_payments'; id: string }
type Entry = { id: string; companyId: string; words: string[] }

/** Their turn comes with the next batches. */
async function notePaymentsOfLinks(tx: Transaction, linkIds: string[]) {
  if (linkIds.length === 0) return
  await tx.execute(sql`
    insert into search_changes (kind, id)
    select 'payment', id from transactions where payment_link_id = any(${sql.param(linkIds)}::uuid[])`)
}

/** Of what is there no more, or has nobody in it any more, nothing stays. */
async function writeEntries(
  tx: Transaction,
  kind: SearchKind,
  { ids, entries }: { ids: string[]; entries: Entry[] },
) {
  const found = new Set(entries.map(({ id }) => id))
  const gone = ids.filter((id) => !found.has(id))
  if (gone.length > 0) {
    await tx.execute(sql`
      delete from search_entries where kind = ${kind} and id = any(${sql.param(gone)}::uuid[])`)
  }
  const rows = entries.map(({ id, companyId, words }) => {
    const prefix = buildWordPrefix(kind, companyId)
    return { id, company_id: companyId, words: words.map((word) => prefix + word) }
  })
  await tx.execute(sql`
    insert into search_entries (company_id, kind, id, words)
    select company_id, ${kind}, id, array_to_tsvector(words)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as entry (company_id uuid, id uuid, words text[])
    on conflict (company_id, kind, id) do update set words = excluded.words
    where search_entries.words <> excluded.words`)
}

const READERS: Record<SearchKind, (tx: Transaction, ids: string[]) => Promise<Entry[]>> = {
  payment: readPayments,
  link: readLinks,
  customer: readCustomers,
}

async function readPayments(tx: Transaction, ids: string[]): Promise<Entry[]> {
  const rows = await tx
    .select({
      id: transactions.id,
      companyId: transactions.companyId,
      ...{ name: transactions.payerName, email: transactions.payerEmail },
      ...{ taxId: transactions.payerTaxId, phone: transactions.payerPhone },
      ...{ amountCents: transactions.amountCents, totalCents: transactions.totalCents },
      ...{ reference: transactions.externalReference, ref: transactions.ref },
      title: paymentLinks.title,
    })
    .from(transactions)
    .innerJoin(paymentLinks, eq(paymentLinks.id, transactions.paymentLinkId))
    .where(inArray(transactions.id, ids))
  return rows.map(
    ({ id, companyId, amountCents, totalCents, reference, ref, title, ...payer }) => ({
      id,
      companyId,
      words: [
        ...new Set([buildAmountWord(amountCents), buildAmountWord(totalCents)]),
        // An anonymized payer is nobody: `Cliente removido` is no name.
        ...(payer.taxId === null ? [] : listPayerWords(payer)),
        ...listTextWords(reference, ref, title),
      ],
    }),
  )
}

async function readLinks(tx: Transaction, ids: string[]): Promise<Entry[]> {
  const { id, companyId, slug, title, description, externalReference, amountCents } = paymentLinks
  const rows = await tx
    .select({ id, companyId, slug, title, description, externalReference, amountCents })
    .from(paymentLinks)
    .where(inArray(paymentLinks.id, ids))
  return rows.map((row) => ({
    id: row.id,
    companyId: row.companyId,
    words: [
      buildAmountWord(row.amountCents),
      ...listTextWords(row.slug, row.externalReference, row.title, row.description),
    ],
  }))
}

async function readCustomers(tx: Transaction, ids: string[]): Promise<Entry[]> {
  const { id, companyId, name, email, taxId, phone } = customers
  const rows = await tx
    .select({ id, companyId, name, email, taxId, phone })
    .from(customers)
    .where(and(inArray(customers.id, ids), isNull(customers.anonymizedAt)))
  return rows.map((row) => ({ ...row, words: listPayerWords(row) }))
}
