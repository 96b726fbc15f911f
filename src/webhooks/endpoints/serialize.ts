// Serializes endpoints for the API's answers, and names them.
import type { EndpointRow } from './endpoint.ts'
import type { WebhookEndpoint } from './schema.ts'

export function serializeEndpoint(
  { rotatingUntil, ...row }: EndpointRow,
  { testMode, now }: { testMode: boolean; now: Date },
): WebhookEndpoint {
  const rotating = rotatingUntil !== null && rotatingUntil > now.toISOString()
  return {
    ...row,
    testMode,
    disabled: row.disabledAt !== null,
    rotatingUntil: rotating ? rotatingUntil : null,
  }
}

/** Removes the query, which may have a secret. */
export function stripUrlQuery(url: string) {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
