// How the API grows: the day of its last change is told, and clients of before go on.
import { expect, test } from 'vitest'
import type { Schema } from '../../../src/http/openapi/types.ts'
import { loadOpenApiDocument } from '../../support/document.ts'
import { openTestApp } from '../../support/test-app.ts'

const { app } = await openTestApp()
const { document, operations, listResponses } = await loadOpenApiDocument(app)
const { schemas } = document.components

test('its version, which each answer says, is the day of the last change that is told', async () => {
  const { version } = document.info
  const changes = await app.inject('/api/docs/mudancas')
  const stranger = await app.inject('/api/customers')

  const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'UTC' })
  expect(/<h2[^>]*>([^<]*)</.exec(changes.body)?.[1]).toBe(day.format(new Date(version)))
  expect(stranger).toMatchObject({ statusCode: 401, headers: { 'api-version': version } })
})

test('answers may grow: none forbids further fields, or a word that it does not know', () => {
  const closed = operations.flatMap((one) =>
    listResponses(one).flatMap(({ status, answer }) => {
      const all = JSON.stringify([answer, ...listReached(answer)])
      return /"additionalProperties":false|"enum":/.test(all) ? [`${one.id} ${status}`] : []
    }),
  )
  const { status, priceMode } = schemas.PaymentLink!.properties!
  const { feeSource } = schemas.Transaction!.properties!

  expect(closed).toEqual([])
  expect(status).toMatchObject({
    type: 'string',
    'x-extensible-enum': ['active', 'inactive', 'expired', 'completed', 'archived'],
  })
  expect(priceMode).toMatchObject({ type: 'string', 'x-extensible-enum': ['fixed'] })
  expect(feeSource).toMatchObject({
    type: ['string', 'null'],
    'x-extensible-enum': ['company', 'provider'],
  })
})

/** The components that something refers to, at whatever depth. */
function listReached(part: unknown, seen = new Set<string>()): Schema[] {
  const names = [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)]
  return names.flatMap(([, name]) => {
    if (seen.has(name!)) return []
    seen.add(name!)
    return [schemas[name!]!, ...listReached(schemas[name!], seen)]
  })
}
