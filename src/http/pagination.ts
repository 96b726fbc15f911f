// Lists are paged by the UUIDv7 of their rows, newest first: a page costs the same at a thousand
// rows and at ten million.

import { z } from 'zod'
import { isUuid, MAX_UUID } from '../database/id.ts'
import { texts } from '../texts.ts'

const MAX_PAGE_SIZE = 100

const limitField = z
  .string()
  .regex(/^\d{1,3}$/, texts.fields.limit)
  .transform(Number)
  .refine((value) => value >= 1 && value <= MAX_PAGE_SIZE, texts.fields.limit)

const cursorField = z
  .string()
  .max(64, texts.fields.cursor)
  .transform((value) => Buffer.from(value, 'base64url').toString())
  .refine(isUuid, texts.fields.cursor)

/** Query parameters of every list. `cursor` comes out as the id to go on below. */
export const PageQuery = z.object({
  limit: limitField.default(20).meta({
    description: 'How many to answer.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: 20,
  }),
  cursor: cursorField
    .default(MAX_UUID)
    .meta({ description: '`nextCursor` of the page before.', default: undefined }),
})

export type PageQuery = z.output<typeof PageQuery>

export function buildPageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    hasMore: z.boolean(),
    nextCursor: z.string().nullable(),
    limit: z.int(),
  })
}

/**
 * Makes a page of up to `limit + 1` rows: the one too many only says that there are more. So does
 * `resumeBelow`, the id to go on below where a list stopped looking before the page was full.
 */
export function paginateRows<Row extends { id: string }>(
  rows: Row[],
  limit: number,
  resumeBelow: string | null = null,
) {
  const data = rows.slice(0, limit)
  const last = rows.length > limit ? (data.at(-1)?.id ?? null) : resumeBelow
  const nextCursor = last === null ? null : Buffer.from(last).toString('base64url')
  return { data, hasMore: last !== null, nextCursor, limit }
}
