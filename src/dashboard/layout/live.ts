// Where a page that tells what comes in begins: all that happened before is on it.
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { MIN_UUID } from '../../database/id.ts'
import { findLastPlaces } from '../../webhooks/events/order.ts'

export type LiveStart = {
  /** Tabs with the same are told together: one environment of one company. */
  key: string
  /** The last event. */
  after: string
}

/** Asked for before what the page shows. */
export async function findLiveStart(db: Database, { visitor }: FastifyRequest): Promise<LiveStart> {
  const { id: key } = visitor.company
  return { key, after: (await findLastPlaces(db, [key])).get(key)?.id ?? MIN_UUID }
}
