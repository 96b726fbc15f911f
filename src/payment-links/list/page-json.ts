// The plain list, which is asked for most: Postgres writes the links as the JSON that is answered. Read as
// rows, each link costs 10 µs to decode, check and write again; so it costs Postgres 5 and us nothing. The
// fields are those of the answer's schema: each is its column, but for what COMPUTED_FIELDS says.
import { z } from 'zod'
import { batchCalls } from '../../database/batch.ts'
import type { Database } from '../../database/connect.ts'
import { memoizeByDb } from '../../database/memoize.ts'
import { queryRowValues } from '../../database/row-reader.ts'
import { paymentLinks } from '../../database/tables.ts'
import { PaymentLink } from '../schema.ts'
import { buildJsonObject, buildJsonValue } from './json-text.ts'
import { buildPlainScan, type PlainQuery } from './plain-scan.ts'

type PageQuery = PlainQuery & { checkoutUrl: string; testMode: boolean; now: Date }

export type LinkPageJson = {
  /** The links, with commas between them. */
  items: string
  /** The id to go on below; null when these are the last. */
  resumeBelow: string | null
}

/** Up to `limit` links that are not archived, newest first, on from `cursor`. */
export function readLinkPageJson(db: Database, query: PageQuery): Promise<LinkPageJson> {
  return linkPageBatch(db)(query)
}

/** Made as serializePaymentLink makes them. */
const COMPUTED_FIELDS: Record<string, string> = {
  url: `to_json(asked."checkoutUrl" || '/' || slug)::text`,
  status: `case when status = 'active' and expires_at <= asked.now then '"expired"' else '"' || status || '"' end`,
  testMode: `asked."testMode"::text`,
  customFields: `coalesce(custom_fields, '[]')::text`,
  imageUrl: `coalesce(to_json(asked."checkoutUrl" || '/' || slug || '/image/' || image_hash || '.webp')::text, 'null')`,
}

function buildLinkJson() {
  const fields = Object.entries(PaymentLink.shape).map(([name, schema]) => ({
    name,
    value:
      schema instanceof z.ZodLiteral
        ? `'${JSON.stringify(schema.value)}'`
        : (COMPUTED_FIELDS[name] ?? buildJsonValue(paymentLinks, name)),
    isOptional: schema instanceof z.ZodOptional,
  }))
  return buildJsonObject(fields)
}

const linkPageBatch = memoizeByDb((db: Database) => {
  // Both take the rows in the order that they come in: an order of their own would be sorted once more.
  const page = `select string_agg(${buildLinkJson()}, ',') as items, (array_agg(id))[asked."limit"] as last
    from (${buildPlainScan('*', { limit: 'asked."limit"' })}) link`
  const text = `
    select asked.n, page.items, page.last, exists (${buildPlainScan('', { below: 'page.last' })})
    from json_to_recordset($1) as asked
      (n int, "companyId" uuid, cursor uuid, "limit" int, "checkoutUrl" text, "testMode" boolean, now timestamptz)
    cross join lateral (${page}) page`
  return batchCalls(async (asked: PageQuery[]) => {
    const values = [JSON.stringify(asked.map((one, n) => ({ ...one, n })))]
    const pages: LinkPageJson[] = asked.map(() => ({ items: '', resumeBelow: null }))
    for (const row of await queryRowValues(db, { name: 'link_pages', text, values })) {
      const [n, items, last, hasMore] = row
      pages[Number(n)] = { items: String(items ?? ''), resumeBelow: hasMore ? String(last) : null }
    }
    return pages
  })
})
