// Where `listen` hears of events: each once, in their order, whatever happens in between.
import type { EventType } from '../../database/enums.ts'
import type { EventRow } from '../../webhooks/events/log.ts'

export type HeardEvent = Pick<EventRow, 'id' | 'body'> & { type: string }

export type Heard =
  /** From here on nothing is missed. */
  | { kind: 'open' }
  | { kind: 'event'; event: HeardEvent }
  /** Nothing can be heard for now, for this reason; it goes on by itself. */
  | { kind: 'waiting'; reason: string }

/** What is asked of either. */
export type SourceOptions = { types: readonly EventType[]; signal: AbortSignal }
