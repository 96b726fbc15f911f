// How mails read: the same facts in both bodies, and nothing that people wrote ever becomes more than text.
import { expect, test } from 'vitest'
import { type PaymentMethod, ROLES } from '../../src/database/enums.ts'
import type { MailBranding, MailData, TemplateName } from '../../src/mail/data.ts'
import { renderMail } from '../../src/mail/render.ts'
import { mailTexts } from '../../src/mail/texts.ts'

const EVIL = `"><img src=x onerror=alert(1)>\r\nBcc: a@b.com\u2028<%= 1 %>`

const paid = {
  transactionId: '0199c3a2-7b1e-7c00-8000-5f6a7b8c9d0e',
  linkTitle: EVIL,
  payerName: EVIL,
  method: 'credit_card',
  amountCents: 123_456,
  totalCents: 148_740,
  installments: 12,
  installmentCents: 12_395,
  card: { brand: EVIL, last4: EVIL },
  endToEndId: EVIL,
  paidAt: '2026-11-21T17:05:09.000Z',
  testMode: true,
} as const

const link = {
  linkTitle: EVIL,
  amountCents: 123_456,
  methods: ['pix', 'credit_card'],
  expiresAt: paid.paidAt,
  payUrl: 'https://pay.example.com/a',
  stopUrl: 'https://pay.example.com/a/emails/t',
  testMode: true,
  locale: null,
} satisfies MailData['payment-link']

const head: MailBranding = {
  baseUrl: 'https://vintem.example.com',
  company: {
    name: EVIL,
    taxId: '12ABC34501DE35',
    color: 'red;background:url(https://evil.example)',
    logoUrl: 'javascript:alert(1)',
    supportEmail: EVIL,
    supportPhone: EVIL,
  },
}

const SAMPLES: { [T in TemplateName]: MailData[T] } = {
  receipt: { ...paid, receiptUrl: 'https://pay.example.com/a/payments/b' },
  refund: {
    ...paid,
    refundCents: 5_000,
    refundedCents: 5_000,
    receiptUrl: 'https://pay.example.com/a',
  },
  'payment-link': link,
  'payment-reminder': { ...link, expiresAt: null },
  payment: { ...paid, paidLate: true },
  'payment-held': { ...paid, receivedCents: 100 },
  'payment-overpaid': { ...paid, receivedCents: 100, surplusCents: 50 },
  'refund-failed': { ...paid, amountCents: 500, reason: EVIL },
  'dispute-opened': { ...paid, kind: 'med', reason: EVIL, answerAt: EVIL, deadline: null },
  'dispute-closed': { ...paid, kind: 'card', isWon: false },
  'webhook-failed': {
    deliveryId: 'd',
    url: EVIL,
    eventType: 'transaction.approved',
    attempts: 10,
    outcome: 'timeout',
    statusCode: null,
    failedAt: paid.paidAt,
    testMode: true,
  },
  'cards-paused': { linkId: 'l', linkTitle: EVIL, pix: true, until: paid.paidAt, testMode: false },
  'notifications-lost': { provider: 'pix-api', url: EVIL, testMode: false },
  'notifications-refused': { provider: 'mercadopago', testMode: false },
  'payments-unmatched': { amountsCents: [1_990], testMode: false },
  'security-notice': {
    ...{ what: 'key_created', companyName: EVIL, actor: EVIL, subject: EVIL, device: EVIL },
    ...{ address: EVIL, at: paid.paidAt, testMode: false, isSelf: true, isOwner: true },
  },
  'password-reset': { secretLink: `https://vintem.example.com/${EVIL}` },
  invitation: { secretLink: 'https://vintem.example.com/x', invitedBy: EVIL, role: 'owner' },
}

const TEMPLATES = Object.keys(SAMPLES) as TemplateName[]

test.each(TEMPLATES)('in %s what people wrote stays text', (template) => {
  const data = { ...SAMPLES[template], payerName: 'Ganhe um iPhone em exemplo.com' }
  const { subject, html, text } = renderMail(template, data as MailData[TemplateName], head)

  // Strangers must not write into the subjects of a company's inbox.
  expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]|iPhone/u)
  expect([...subject].length).toBeLessThanOrEqual(151)
  expect(html).not.toMatch(/<img|url\(|javascript:/)
  expect(text).not.toMatch(/^Bcc:/m)
  expect(`${html}${text}`).not.toMatch(/undefined|\[object|NaN/)
  const tags = [...html.matchAll(/<([a-z]+)/gi)].map(([, tag]) => tag)
  const closed = [...html.matchAll(/<\/([a-z]+)/gi)].map(([, tag]) => tag)
  const open = tags.filter((tag) => !/^(meta|br|img)$/.test(tag!))
  expect(closed.sort()).toEqual(open.sort())
})

test('a company shows in its colour with a text that can be read on it, and its logo', () => {
  const company = { ...head.company!, name: 'Escola Vila', supportEmail: null, supportPhone: null }
  const look = (color: string | null, logoUrl: string | null) =>
    renderMail('receipt', SAMPLES.receipt, { ...head, company: { ...company, color, logoUrl } })
      .html

  expect(look('#e8b500', null)).toMatch(/background:#e8b500.*?color:#000;/s)
  expect(look('#102030', null)).toMatch(/background:#102030.*?color:#fff;/s)
  expect(look(null, null)).toContain('background:#0f6b50')
  expect(look(null, '/logos/vila.png')).toContain('src="https://vintem.example.com/logos/vila.png"')
  expect(look(null, 'https://cdn.example.com/a.png')).toContain(
    'src="https://cdn.example.com/a.png"',
  )
  expect(look(null, null)).not.toContain('<img')
})

test('a receipt of a Pix that cost less says how much less, and nothing of interest', () => {
  const pix = { ...SAMPLES.receipt, method: 'pix', totalCents: 114_197, card: null } as const
  const { text } = renderMail('receipt', pix, head)

  expect(text).toMatch(
    /Valor: R\$ 1.234,56\n.*Desconto no Pix: − R\$ 92,59\nTotal pago: R\$ 1.141,97/s,
  )
  expect(text).not.toContain('Total com juros')
})

test('a refund says what was paid, and where the money comes back', () => {
  const { text } = renderMail('refund', SAMPLES.refund, head)

  expect(text).toContain('Valor pago: R$ 1.487,40')
  expect(text).toContain('fatura do cartão')
})

test('a link that costs less by Pix says so; one of Pix alone asks for nothing else', () => {
  const render = (methods: PaymentMethod[]) =>
    renderMail('payment-link', { ...link, methods, pixCents: 111_110 }, head).text

  expect(render(['pix', 'credit_card'])).toMatch(/R\$\s1\.234,56.*Pix \(R\$\s1\.111,10\)/s)
  expect(render(['pix'])).toMatch(/R\$\s1\.111,10/)
  expect(render(['pix'])).not.toContain('1.234,56')
})

test.each(ROLES)('an invitation as %s says what that means', (role) => {
  const { text } = renderMail('invitation', { ...SAMPLES.invitation, role }, head)

  expect(text).toContain(`como ${mailTexts.roles[role]} em`)
  expect(text).toContain(mailTexts.invitation.may[role])
})

test.each([
  ['the person', { isSelf: true, isOwner: false }, 'troque a sua senha', '/painel/conta'],
  [
    'an owner',
    { isSelf: false, isOwner: true },
    'retire o acesso dela em Equipe',
    '/painel/registro',
  ],
  ['who is gone', { isSelf: false, isOwner: false }, 'fale com um proprietário', null],
])('of a change of access %s reads what they can do', (_who, reader, advice, path) => {
  const notice = { ...SAMPLES['security-notice'], what: 'password_changed', ...reader } as const
  const { text } = renderMail('security-notice', notice, head)

  expect(text).toContain(advice)
  expect(/https:\/\/vintem.example.com(\/painel\S+)/.exec(text)?.[1] ?? null).toBe(path)
})

const readTotalRefunded = (text: string) => /^Total devolvido: (.+)$/m.exec(text)?.[1]

test('the last refund of several says what went back in all, the only one does not', () => {
  const readTotal = (refundedCents: number) =>
    readTotalRefunded(renderMail('refund', { ...SAMPLES.refund, refundedCents }, head).text)

  expect(readTotal(148_740)).toBe('R$ 1.487,40')
  expect(readTotal(5_000)).toBeUndefined()
})

test('a receipt that is sent again after a refund says what went back, the first one does not', () => {
  const readTotal = (more: object) =>
    readTotalRefunded(renderMail('receipt', { ...SAMPLES.receipt, ...more }, head).text)

  expect(readTotal({ refundedCents: 5_000 })).toBe('R$ 50,00')
  expect(readTotal({ refundedCents: 0 })).toBeUndefined()
  expect(readTotal({})).toBeUndefined()
})

test('real payments are not marked as tests', () => {
  const real = renderMail('receipt', { ...SAMPLES.receipt, testMode: false }, head)
  const pretended = renderMail('receipt', SAMPLES.receipt, head)

  expect(real.subject).not.toContain('[Teste]')
  expect(`${real.html}${real.text}`).not.toContain('MODO DE TESTE')
  expect(pretended.subject).toMatch(/^\[Teste\] /)
  expect(pretended.html).toContain('MODO DE TESTE')
  expect(pretended.text).toContain('MODO DE TESTE')
})

test('amounts, installments and the time of São Paulo read as people say them', () => {
  const { text } = renderMail('receipt', SAMPLES.receipt, head)

  expect(text).toContain('Parcelas: 12x de R$ 123,95')
  expect(text).toContain('Total com juros: R$ 1.487,40')
  expect(text).toContain('Data e hora: 21/11/2026 às 14:05:09 (horário de Brasília)')
})
