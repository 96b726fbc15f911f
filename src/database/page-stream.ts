// A list from its first page to its last: a batch in memory at a time, however long the list is.

import { MAX_UUID } from './id.ts'

/** A page of a list that looks through so many rows and no more. */
export type ScannedPage<Row> = {
  /** Up to one more than was asked for. */
  rows: Row[]
  /** Where to go on when the page is short and there may be more. */
  resumeBelow: string | null
}

type ReadPage<Row> = (place: { limit: number; cursor: string }) => Promise<ScannedPage<Row>>

/** Of the first page, which an answer waits for: to fill it, many times as many rows may be looked through. */
const FIRST_PAGE_SIZE = 100

/** All rows, newest first. Those made meanwhile are not among them. */
export async function* streamPages<Row extends { id: string }>(
  readPage: ReadPage<Row>,
  batchSize: number,
  getPlace: (row: Row) => string = ({ id }) => id,
): AsyncGenerator<Row[]> {
  let limit = Math.min(batchSize, FIRST_PAGE_SIZE)
  for (let cursor: string | null = MAX_UUID; cursor !== null; limit = batchSize) {
    const page: ScannedPage<Row> = await readPage({ limit, cursor })
    const batch = page.rows.slice(0, limit)
    if (batch.length > 0) yield batch
    const last = page.rows.length > limit ? batch.at(-1) : undefined
    cursor = last ? getPlace(last) : page.resumeBelow
  }
}
