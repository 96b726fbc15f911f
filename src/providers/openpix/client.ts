// Calls Woovi for one company, with its AppID.
import type { z } from 'zod'
import type { Lane } from '../provider.ts'
import { type CallNeeds, createTransport } from '../transport.ts'
import { toOpenPixError } from './errors.ts'
import { parseOpenPixResponse } from './responses.ts'

type OpenPixCall = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Already encoded, from the root of the API. */
  path: string
  query?: Record<string, string>
  body?: object
  /** The time limit, if shorter than usual. */
  limitMs?: number
}

export type OpenPixClient = {
  /** Returns the answer when it has the expected shape; its errors: refusal.ts. */
  call<S extends z.ZodObject>(shape: S, call: OpenPixCall): Promise<z.output<S>>
  /** Must be called with each field that could not be read. */
  reportUnreadable(field: string): void
  close(): Promise<void>
}

/** `background` is for calls that no payer waits for; it uses the same connections. */
export function createOpenPixClient(
  { baseUrl, appId }: { baseUrl: string; appId: string },
  needs: CallNeeds,
): OpenPixClient & { background: OpenPixClient } {
  const line = createTransport({ provider: 'Woovi', pausingStatuses: [429, 503] }, needs)
  return { ...openLane('payer'), background: openLane('background') }

  function openLane(lane: Lane): OpenPixClient {
    const call: OpenPixClient['call'] = (shape, asked) => callApi(shape, asked, lane)
    return { call, reportUnreadable, close: line.close }
  }

  async function callApi<S extends z.ZodObject>(
    shape: S,
    { path, body, limitMs, ...asked }: OpenPixCall,
    lane: Lane,
  ) {
    const answer = await line.exchange({
      ...asked,
      url: `${baseUrl}/api/v1${path}`,
      headers: { authorization: appId, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: line.deadline(limitMs),
      lane,
    })
    if (answer.status < 200 || answer.status > 299) throw toOpenPixError(answer)
    return parseOpenPixResponse(shape, answer.text, reportUnreadable)
  }

  function reportUnreadable(field: string) {
    needs.onUnreadable?.(field)
  }
}
