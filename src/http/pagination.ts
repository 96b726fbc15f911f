// Lists are paged by the UUIDv7 of their rows, newest first, so a page costs the same at a thousand rows and at ten
// million.

import { z } from 'zod'
import { isUuid, MAX_UUID } from '../database/id.ts'
import { texts } from '../texts.ts'
import { storableInstantField } from './fields.ts'

const MAX_PAGE_SIZE = 100

const limitField = z
  .string()
  .regex(/^\d{1,3}$/, texts.fields.limit)
  .transform(Number)
  .refine((value) => value >= 1 && value <= MAX_PAGE_SIZE, texts.fields.limit)

/** A cursor, which must decode to a position that the list accepts. */
const cursorField = (isPosition: (text: string) => boolean) =>
  z
    .string()
    .max(96, texts.fields.cursor)
    .transform((value) => Buffer.from(value, 'base64url').toString())
    .refine(isPosition, texts.fields.cursor)
    .default(MAX_UUID)
    .describe('O `nextCursor` da página anterior.')

/** The query parameters of every list. `cursor` is decoded to the id after which the page begins. */
export const PageQuery = z.object({
  limit: limitField.default(20).meta({
    description: 'Quantos por página; 20 sem ele.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
  }),
  cursor: cursorField(isUuid),
})

/** `<instant>~<id>`: a position in a list that is sorted by an instant. */
const INSTANT_POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(.+)$/

const positionInstant = storableInstantField()

export const InstantPageQuery = PageQuery.extend({
  cursor: cursorField((text) => {
    const { at, id } = parsePosition(text)
    return isUuid(id) && (at === null || positionInstant.safeParse(at).success)
  }),
})

export function buildPosition(at: string | null, id: string) {
  return at === null ? id : `${at}~${id}`
}

/** Reads a position. `at` is null when the list is sorted by id, and on a first page. */
export function parsePosition(position: string): { at: string | null; id: string } {
  const [, at = null, id = position] = INSTANT_POSITION.exec(position) ?? []
  return { at, id }
}

export type PageQuery = z.output<typeof PageQuery>

export function buildPageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).describe('O conteúdo.'),
    hasMore: z.boolean().describe('Se há mais uma página.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('O que mandar como `cursor` para a página seguinte; `null` na última.'),
    limit: z.int().describe('Quantos foram pedidos.'),
  })
}

/** Makes a page of up to `limit + 1` rows; the extra row only shows that there are more. */
export function paginateRows<Row extends { id: string }>(
  rows: Row[],
  limit: number,
  getPosition: (row: Row) => string = ({ id }) => id,
) {
  const data = rows.slice(0, limit)
  const last = rows.length > limit ? data.at(-1) : undefined
  return {
    data,
    hasMore: last !== undefined,
    nextCursor: last ? encodePosition(getPosition(last)) : null,
    limit,
  }
}

export function encodePosition(position: string) {
  return Buffer.from(position).toString('base64url')
}
