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

export type LinkPageQuery = PlainQuery & {
  checkoutUrl: string
  testMode: boolean
  now: Date
  /** What the page was when it was read before: if it still is, it is not written once more. */
  knownVersion?: string | undefined
}

export type LinkPageJson = {
  /** No other links have it, nor have these in another state; null when there are none. */
  version: string | null
  /** The links, with commas between them; nothing where the version is the known one. */
  items: string
  /** The id to go on below; null when these are the last. */
  resumeBelow: string | null
}

/** Up to `limit` links that are not archived, newest first, on from `cursor`. */
export function readLinkPageJson(db: Database, query: LinkPageQuery): Promise<LinkPageJson> {
  return linkPageBatch(db)(query)
}

/** Active in its row until the clock says otherwise. */
const HAS_EXPIRED = `status = 'active' and expires_at <= asked.now`

/** Made as serializePaymentLink makes them. */
const COMPUTED_FIELDS: Record<string, string> = {
  url: `to_json(asked."checkoutUrl" || '/' || slug)::text`,
  priceMode: `'"fixed"'`,
  threeDsMode: `'"always"'`,
  status: `case when ${HAS_EXPIRED} then '"expired"' else '"' || status || '"' end`,
  testMode: `asked."testMode"::text`,
  customFields: `coalesce(custom_fields, '[]')::text`,
  imageUrl: `coalesce(to_json(asked."checkoutUrl" || '/' || slug || '/image/' || image_hash || '.webp')::text, 'null')`,
}

function buildLinkJson() {
  const fields = Object.entries(PaymentLink.shape).map(([name, schema]) => ({
    name,
    value: COMPUTED_FIELDS[name] ?? buildJsonValue(paymentLinks, name),
    isOptional: schema instanceof z.ZodOptional,
  }))
  return buildJsonObject(fields)
}

const linkPageBatch = memoizeByDb((db: Database) => {
  // Both scans give the rows in the order that they come in: an order of their own would be sorted once more.
  // The first goes one link further, which says whether there are more. `xmin` is who wrote a row last.
  const state = `id::text || ' ' || xmin || case when ${HAS_EXPIRED} then ' expired' else '' end`
  const found = `
    select encode(sha256(string_agg(${state}, ',')::bytea), 'base64') as version,
      (array_agg(id))[asked."limit"] as last, count(*) > asked."limit" as has_more
    from (${buildPlainScan('id, xmin, status, expires_at', 'asked."limit" + 1')}) link`
  const written = `
    select string_agg(${buildLinkJson()}, ',') as items
    from (${buildPlainScan('*', 'asked."limit"')}) link
    where found.version is distinct from asked."knownVersion"`
  const text = `
    select asked.n, found.version, page.items, found.last, found.has_more
    from json_to_recordset($1) as asked
      (n int, "companyId" uuid, cursor uuid, "limit" int, "checkoutUrl" text, "testMode" boolean, now timestamptz,
       "knownVersion" text)
    cross join lateral (${found}) found
    cross join lateral (${written}) page`
  return batchCalls(async (asked: LinkPageQuery[]) => {
    const values = [JSON.stringify(asked.map((one, n) => ({ ...one, n })))]
    const pages: LinkPageJson[] = []
    for (const row of await queryRowValues(db, { name: 'link_pages', text, values })) {
      const [n, version, items, last, hasMore] = row
      pages[Number(n)] = {
        version: version === null ? null : String(version),
        items: String(items ?? ''),
        resumeBelow: hasMore ? String(last) : null,
      }
    }
    return pages
  })
})
