// The plain list as it is answered. Its first page, which programs ask for again and again to see what is new,
// is kept as it was answered last, and answered once more where Postgres, asked each time, says that its version
// is still the same: to find that out costs a tenth of writing it.
import { sealCursor } from '../../api/list-query.ts'
import type { Database } from '../../database/connect.ts'
import { MAX_UUID } from '../../database/id.ts'
import { encodePlace } from '../../http/pagination.ts'
import { type LinkPageJson, type LinkPageQuery, readLinkPageJson } from './page-json.ts'

type KnownPage = { version: string; body: Buffer }

/** All of them together are 32 MB at most. */
const MAX_KNOWN_PAGES = 500
const MAX_KNOWN_BYTES = 64 * 1024

/** Answers bodies; `url` is the whole address that was asked, for which the next cursor is good. */
export function createPageReader(db: Database) {
  const knownPages = new Map<string, KnownPage>()

  return async (query: LinkPageQuery, url: string): Promise<Buffer> => {
    const isFirst = query.cursor === MAX_UUID
    const key = `${query.companyId} ${query.limit}`
    const known = isFirst ? knownPages.get(key) : undefined
    const page = await readLinkPageJson(db, { ...query, knownVersion: known?.version })
    if (known && known.version === page.version) return known.body
    const body = buildBody(page, query.limit, url)
    if (isFirst && page.version !== null) keepPage(key, { version: page.version, body })
    return body
  }

  function keepPage(key: string, page: KnownPage) {
    knownPages.delete(key)
    if (page.body.length > MAX_KNOWN_BYTES) return
    const [oldest] = knownPages.keys()
    if (oldest !== undefined && knownPages.size >= MAX_KNOWN_PAGES) knownPages.delete(oldest)
    knownPages.set(key, page)
  }
}

function buildBody({ items, resumeBelow }: LinkPageJson, limit: number, url: string) {
  const nextCursor = resumeBelow && sealCursor(url, encodePlace(resumeBelow))
  const rest = JSON.stringify({ hasMore: resumeBelow !== null, nextCursor, limit })
  return Buffer.from(`{"data":[${items}],${rest.slice(1)}`)
}
