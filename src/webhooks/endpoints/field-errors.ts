import type { LookupFunction } from 'node:net'
import { type FieldError, invalidFieldsError } from '../../http/errors.ts'
import { checkPublicUrl } from '../../http/outbound.ts'
import { texts } from '../../texts.ts'
import { findHeaderErrors, type HeaderField } from './headers.ts'

type EndpointFields = { url?: string | undefined; headers?: HeaderField[] | undefined }
type UrlRules = {
  allowPrivate?: boolean | undefined
  /** Resolves the URL's name; the system's resolver unless told. */
  lookup?: LookupFunction | undefined
}

/** What is wrong with each that is given, beyond its shape. */
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

/** Throws 422. */
export async function refuseWrongEndpoint(fields: EndpointFields, rules: UrlRules) {
  const errors = await findEndpointErrors(fields, rules)
  if (errors.length > 0) throw invalidFieldsError(errors)
}
