// The headers that the document names are those that answers have.
import { expect, test } from 'vitest'
import { loadOpenApiDocument } from '../../support/document.ts'
import { openTestApp } from '../../support/test-app.ts'

const { app } = await openTestApp()
const { document, operations, listResponses } = await loadOpenApiDocument(app)

test('Location is in the document where something is made or begun, and not promised', () => {
  for (const { status, answer } of operations.flatMap(listResponses)) {
    if (status < 300) expect('Location' in (answer.headers ?? {})).toBe([201, 202].includes(status))
  }
  expect(document.components.headers.Location).not.toHaveProperty('required')
})

test('the answers that are files name their files', () => {
  const named = operations.flatMap((one) =>
    listResponses(one)
      .filter(({ answer }) => 'Content-Disposition' in (answer.headers ?? {}))
      .map(({ status }) => [one.id, status]),
  )

  expect(named).toEqual([
    ['exportPaymentLinks', 200],
    ['getPaymentLinkQrSvg', 200],
    ['getPaymentLinkQrPng', 200],
    ['exportTransactions', 200],
  ])
})

test('a header that only one of the refusals of a status has is in the document, and not promised', () => {
  const findHeader = (path: string, status: number, name: string) =>
    operations
      .filter((one) => one.method === 'post' && one.path === path)
      .flatMap(listResponses)
      .find((one) => one.status === status)?.answer.headers?.[name]

  for (const header of [
    findHeader('/api/customers', 409, 'Location'),
    findHeader('/api/payment-links', 409, 'Retry-After'),
    findHeader('/api/payment-links', 415, 'Accept-Encoding'),
  ]) {
    expect(header).toMatchObject({ description: expect.stringMatching(/^Com `\w+`: /) })
    expect(header).not.toHaveProperty('required')
  }
})
