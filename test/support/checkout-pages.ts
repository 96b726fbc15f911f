// Every page of the checkout in each of its states, as its payer sees it in a language.

import type { LightMyRequestResponse } from 'fastify'
import { paySandboxPix } from '../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../src/transactions/check.ts'
import { buildTestCard, openCheckout, openPayerBrowser, PIX, type TestLink } from './payer.ts'
import type { TestApp, TestCompany } from './test-app.ts'

export const UNKNOWN = '/pagar/2222222222'

/** Its words are of no language, and such as markup must not break on. */
const FULL = {
  ...{ title: 'Xyz <qrt> & "wvu"', description: 'Xyz,\nqrt <wvu> & "zyx"', amountCents: 123_400 },
  ...{ maxInstallments: 12, interestMode: 'pass_to_customer', methods: ['pix', 'credit_card'] },
  ...{ redirectUrl: 'https://qrt.com.br/ok?a=1&b=2', successMessage: 'Xyz\nqrt' },
  customFields: [
    { key: 'a', label: 'Xyz', type: 'text', required: true },
    { key: 'b', label: 'Qrt', type: 'choice', required: false, options: ['P', 'M'] },
    { key: 'c', label: 'Wvu', type: 'date', required: false },
    { key: 'd', label: 'Zyx', type: 'number', required: false },
  ],
}
const COMPANY = {
  ...{ name: 'Açaí & <Qrt>', taxId: '11222333000181', color: '#0b6e4f', askPhone: true },
  ...{ supportEmail: 'oi@acai.com.br', supportPhone: '(11) 98765-4321' },
  logoUrl: 'https://acai.com.br/qrt.png?a=1&b=2',
}
const FILLED = { phone: '11987654321', custom_a: 'Xyz' }

const EXPIRED_MS = 31 * 60_000
const CLOSED: Record<string, Parameters<ReturnType<typeof openCheckout>['editLink']>[1]> = {
  inactive: { status: 'inactive', inactiveMessage: 'Xyz\nqrt.' },
  expired: { expiresAt: '2026-01-01T00:00:00.000Z' },
  completed: { status: 'completed', maxPayments: 1 },
  full: { status: 'completed', maxPayments: 50 },
  'without cards': { methods: ['credit_card'], cardsPausedUntil: '2099-01-01T00:00:00.000Z' },
}
const NOTHING = { name: '', taxId: '', email: '', phone: '', method: 'credit_card' }
const attempt = 'a'.repeat(24)
const FORMS: Record<string, [path: string, typed: object]> = {
  'a form without a way to pay': ['/payments', { attempt, method: 'x' }],
  'a form with nothing in it': ['/payments', { attempt, ...NOTHING }],
  'a report without a reason': ['/report', { details: 'Xyz' }],
  'a report': ['/report', { reason: 'fraud' }],
  'no receipt': ['/receipt', { payer: 'xyz' }],
  'a receipt': ['/receipt', { payer: 'xyz@qrt.example' }],
}

type Payment = Awaited<ReturnType<ReturnType<typeof openCheckout>['pay']>>

/** Makes the states, and returns what opens all pages in a language. */
export async function openCheckoutPages(testApp: TestApp) {
  const { app, clock, newCompany } = testApp
  const { newLink, editCompany } = openCheckout(testApp)
  const company = await newCompany()
  await editCompany(company.id, COMPANY)
  const link = await newLink(FULL, company)
  const form = `/pagar/${link.slug}`
  const payments = await openPayments(testApp, company, link)
  const shown: Record<string, string> = {
    ...{ form, again: `${form}?new=9999999999999`, report: `${form}/report` },
    ...{ 'receipt asked for': `${form}/receipt`, 'link unknown': UNKNOWN },
    ...{ 'payment unknown': `${form}/payments/${'a'.repeat(24)}`, 'no address': '/pagar/a/b/c' },
    ...{ ...payments, ...(await closeLinks(testApp, company)) },
  }

  return async (language: 'pt' | 'en' | 'es') => {
    const headers = { 'accept-language': language }
    const open = (url: string) => app.inject({ url, headers })
    const answers: Record<string, LightMyRequestResponse> = {}
    for (const [name, url] of Object.entries(shown)) answers[name] = await open(url)
    const browser = openPayerBrowser(app)
    for (const [name, [path, typed]] of Object.entries(FORMS)) {
      answers[name] = await browser.post(form + path, typed, headers)
    }
    clock.offsetMs += EXPIRED_MS
    answers['a code that expired'] = await open(payments['payment pending']!)
    clock.offsetMs -= EXPIRED_MS
    return Object.entries(answers).map(([name, { statusCode, headers, body }]) => ({
      ...{ name, statusCode, headers, body },
    }))
  }
}

/** The addresses of payments, one in each state. */
async function openPayments(
  testApp: TestApp,
  company: TestCompany,
  link: TestLink,
): Promise<Record<string, string>> {
  const { db, needs, clock } = testApp
  const { newLink, pay } = openCheckout(testApp)
  const cards = ['ok', 'funds', 'cvv', 'challenge', 'slow', 'expired'].map((one) =>
    buildTestCard(one),
  )
  const payAs = (filled: object = PIX, of = link) => pay(of, { ...FILLED, ...filled })
  const payments = await Promise.all([PIX, ...cards].map((filled) => payAs(filled)))
  const [, card, , , challenged] = payments
  const refund = ({ row }: Payment, asked: object) =>
    company.post(`/api/transactions/${row.id}/refunds`, asked)
  const receive = async ({ row }: Payment, amountCents = row.totalCents) => {
    await paySandboxPix(db, { transactionId: row.id, amountCents }, clock.now())
    await checkPayment(needs, row)
  }
  const [held, returned, twice] = [await payAs(), await payAs(), await payAs()]
  await receive(held, 1)
  await receive(returned, 1)
  await refund(returned, {})
  for (const _ of [1, 2]) await receive(twice)
  await refund(card!, { amountCents: 500 })
  const once = await newLink({ ...FULL, maxPayments: 1 }, company)
  const [late, first] = [await payAs(PIX, once), await payAs(PIX, once)]
  await receive(first)
  const states = payments.map(({ row, url }) => [
    ['payment', row.status, row.declineCode].filter(Boolean).join(' '),
    url,
  ])
  return {
    ...Object.fromEntries(states),
    ...{ held: held.url, returned: returned.url, 'paid twice': twice.url, 'sold out': late.url },
    challenge: new URL(challenged!.row.challengeUrl!).pathname,
  }
}

/** The addresses of links that cannot be paid, each for its own reason. */
async function closeLinks(testApp: TestApp, company: TestCompany) {
  const { newLink, editLink } = openCheckout(testApp)
  const closed: Record<string, string> = {}
  for (const [reason, change] of Object.entries(CLOSED)) {
    const link = await newLink(FULL, company)
    await editLink(link.id, change)
    closed[`link ${reason}`] = `/pagar/${link.slug}`
  }
  return closed
}

/** All that a language says, functions with what they are given left out. */
export function listSentences(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts]
  if (typeof texts === 'function') return [0, 1, 2].map((n) => String(texts(n, '', '', '')))
  return Object.values(texts as object).flatMap(listSentences)
}
