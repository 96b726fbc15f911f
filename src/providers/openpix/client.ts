// Calls to Woovi for one company, with its AppID and limits on time and size. During a pause that Woovi asks for
// (Retry-After) nothing is sent; a pause of background calls does not delay payers (pauses.ts).

import { Agent, buildConnector, request } from 'undici'
import type { z } from 'zod'
import {
  type CallNeeds,
  CONNECT_TIMEOUT_MS,
  createCallDeadline,
  MAX_RESPONSE_BYTES,
  readPauseEnd,
} from '../call.ts'
import { createPauses } from '../pauses.ts'
import type { Lane } from '../provider.ts'
import { toConnectionError, toOpenPixError } from './errors.ts'
import { parseOpenPixResponse } from './responses.ts'

const MAX_CONNECTIONS = 20
const PAUSING_STATUSES = [429, 503]

export type OpenPixClientNeeds = CallNeeds & {
  now: () => Date
  /** Called with the field of an answer that could not be read. */
  onUnreadable?: ((field: string) => void) | undefined
}

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
  /** Returns the answer when it has the expected shape; its errors: errors.ts. */
  call<S extends z.ZodObject>(shape: S, call: OpenPixCall): Promise<z.output<S>>
  /** Must be called with each field that could not be read. */
  reportUnreadable(field: string): void
  close(): Promise<void>
}

/** `background` is for calls that no payer waits for; it uses the same connections. */
export function createOpenPixClient(
  { baseUrl, appId }: { baseUrl: string; appId: string },
  needs: OpenPixClientNeeds,
): OpenPixClient & { background: OpenPixClient } {
  const { now, connector = buildConnector, createDeadline = createCallDeadline } = needs
  const agent = new Agent({
    allowH2: false,
    connections: MAX_CONNECTIONS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    connect: connector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false }),
  })
  const { requireNoPause, notePause } = createPauses(now)
  const close = () => agent.close()

  return { ...openLane('payer'), background: openLane('background') }

  function openLane(lane: Lane): OpenPixClient {
    return { call: (shape, asked) => callApi(shape, asked, lane), reportUnreadable, close }
  }

  async function callApi<S extends z.ZodObject>(shape: S, asked: OpenPixCall, lane: Lane) {
    requireNoPause(lane)
    const { status, text, retryAfter } = await exchange(asked)
    const pauses = PAUSING_STATUSES.includes(status)
    const retryAt = pauses ? readPauseEnd(retryAfter, now()) : undefined
    notePause(lane, retryAt)
    if (status < 200 || status > 299) throw toOpenPixError(status, text, retryAt)
    return parseOpenPixResponse(shape, text, reportUnreadable)
  }

  function reportUnreadable(field: string) {
    needs.onUnreadable?.(field)
  }

  /** Redirects are not followed. */
  async function exchange({ method, path, query, body, limitMs }: OpenPixCall) {
    try {
      const response = await request(`${baseUrl}/api/v1${path}`, {
        method,
        ...(query && { query }),
        ...(body && { body: JSON.stringify(body) }),
        headers: {
          accept: 'application/json',
          authorization: appId,
          'user-agent': 'Vintem',
          ...(body && { 'content-type': 'application/json' }),
        },
        dispatcher: agent,
        signal: createDeadline(limitMs),
      })
      const { statusCode: status, headers } = response
      return { status, text: await response.body.text(), retryAfter: headers['retry-after'] }
    } catch (error) {
      throw toConnectionError(error)
    }
  }
}
