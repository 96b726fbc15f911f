import type { LookupFunction } from 'node:net'
import { type FieldError, invalidFieldsError } from '../../http/errors.ts'
import { findReadOnlyErrors } from '../../http/fields.ts'
import { checkPublicUrl } from '../../http/outbound.ts'
import type { RightFields } from '../../http/zod.ts'
import { texts } from '../../texts.ts'
import { webhookTexts } from '../texts.ts'
import { findHeaderErrors, type HeaderField } from './headers.ts'
import {
  echoedEndpointFields,
  type NewWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointChanges,
} from './schema.ts'

type EndpointFields = { url?: string | undefined; headers?: HeaderField[] | undefined }
type UrlRules = {
  allowPrivate?: boolean | undefined
  /** Resolves the URL's name; the system's resolver by default. */
  lookup?: LookupFunction | undefined
}

/** Finds the errors of the given fields that their schema does not find. */
export async function findEndpointErrors(
  { url, headers = [] }: EndpointFields,
  { allowPrivate = false, lookup }: UrlRules,
): Promise<FieldError[]> {
  const code = url === undefined ? undefined : await checkPublicUrl(url, allowPrivate, lookup)
  return [
    ...(code ? [{ field: 'url', code, message: texts.urls[code] }] : []),
    ...findHeaderErrors(headers),
  ]
}

/** Throws 422. `leftBehind`: headers that must be sent again with their value. */
export async function refuseWrongEndpoint(
  { url, headers }: EndpointFields,
  rules: UrlRules,
  leftBehind: string[] = [],
) {
  const given = headers?.filter(({ name }) => !leftBehind.includes(name))
  const errors = await findEndpointErrors({ url, headers: given }, rules)
  if (leftBehind.length > 0) {
    const message = webhookTexts.headers.leftBehind(leftBehind)
    errors.push({ field: 'headers', code: 'required', message })
  }
  if (errors.length > 0) throw invalidFieldsError(errors)
}

/** Finds errors in the read-only fields of a new endpoint, which would otherwise be ignored silently. */
export function findReadOnlyNewErrors(
  wanted: RightFields<typeof NewWebhookEndpoint.shape>,
  testMode: boolean,
) {
  return findReadOnlyErrors(echoedEndpointFields, wanted, {
    testMode,
    headerNames: Object.keys(wanted.headers ?? {}),
    disabledAt: wanted.disabled ? undefined : null,
    rotatingUntil: null,
  })
}

/** Does the same for a change of an endpoint. */
export function findReadOnlyChangeErrors(
  wanted: RightFields<typeof WebhookEndpointChanges.shape>,
  shown?: WebhookEndpoint,
) {
  const { headers, disabled } = wanted
  return findReadOnlyErrors(echoedEndpointFields, wanted, {
    ...shown,
    ...(headers && { headerNames: Object.keys(headers) }),
    ...(disabled === false && { disabledAt: null }),
  })
}
