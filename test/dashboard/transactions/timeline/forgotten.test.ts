// What a timeline says of itself once something of it is deleted.
import { expect, test } from 'vitest'
import { describeForgotten } from '../../../../src/dashboard/transactions/timeline/timeline.ts'

const MADE = '2026-01-01T12:00:00.000Z'
const DAY_MS = 86_400_000
const KEPT = { mailsDays: 30, eventsDays: 180, stepsDays: 730, sandboxDays: 365, auditDays: 1_826 }

const describeAfter = (days: number, ms = 0) =>
  describeForgotten(MADE, KEPT, new Date(Date.parse(MADE) + days * DAY_MS + ms))

test('while all of it is there, nothing', () => {
  expect([describeAfter(0), describeAfter(30)]).toEqual([null, null])
})

test('then what goes, and after how long', () => {
  const mails = 'Deste histórico são apagados e-mails depois de 30 dias.'
  const webhooks =
    'Deste histórico são apagados e-mails depois de 30 dias e webhooks depois de 180 dias.'

  expect([describeAfter(30, 1), describeAfter(180)]).toEqual([mails, mails])
  expect([describeAfter(180, 1), describeAfter(730)]).toEqual([webhooks, webhooks])
  expect(describeAfter(730, 1)).toBe(
    'Deste histórico são apagados e-mails depois de 30 dias, webhooks depois de 180 dias e passos no provedor depois de 730 dias.',
  )
})
