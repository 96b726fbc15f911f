// What holds for every page: who may frame it, what it may load, whether it is valid, and the pages of
// links that cannot be paid.
import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { CHECKOUT_TEXTS } from '../../src/checkout/texts/languages.ts'
import type { CheckoutTexts } from '../../src/checkout/texts/pt.ts'
import { eq } from '../../src/database/drizzle.ts'
import { abuseReports } from '../../src/database/tables.ts'
import { buildNetworkLimits, countHits } from '../../src/http/limiter.ts'
import { listSentences, openCheckoutPages, UNKNOWN } from '../support/checkout-pages.ts'
import { findHtmlFaults } from '../support/html-faults.ts'
import { openCheckout, openPayerBrowser, readPageText } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { app, clock, db, needs } = testApp
const { newLink, editLink, editCompany } = openCheckout(testApp)
const openAll = await openCheckoutPages(testApp)

afterEach(() => {
  clock.offsetMs = 0
})

const get = (url: string) => openPayerBrowser(app).get(url)

const pages = await openAll('pt')

test('every page is valid HTML that everybody can use', () => {
  expect(pages.flatMap(({ name, body }) => findHtmlFaults(name, body))).toEqual([])
  expect(pages.length).toBeGreaterThan(30)
})

const listWords = (text: string) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []

/** Words that Portuguese has and the other language has not. */
function listPortugueseWords(other: CheckoutTexts) {
  const its = new Set(listSentences(other).flatMap(listWords))
  return new Set(
    listSentences(CHECKOUT_TEXTS.pt)
      .flatMap(listWords)
      .filter((word) => !its.has(word)),
  )
}

test.each(['en', 'es'] as const)(
  'no page has a Portuguese word left in it in "%s"',
  async (language) => {
    const portuguese = listPortugueseWords(CHECKOUT_TEXTS[language])

    const left = (await openAll(language)).flatMap(({ name, body }) => {
      const spoken = [...body.matchAll(/ (?:aria-label|title|alt)="([^"]*)"/g)]
      const scripts = [...body.matchAll(/ data-texts="([^"]*)"/g)]
      const said = [
        readPageText(body),
        ...spoken.map(([, text]) => text),
        ...scripts.flatMap(([, texts]) => listSentences(JSON.parse(readPageText(texts!)))),
      ].join(' ')
      const words = listWords(said).filter((word) => portuguese.has(word) && word !== 'português')
      return words.map((word) => `${name}: ${word}`)
    })

    expect(portuguese.size).toBeGreaterThan(200)
    expect(left).toEqual([])
  },
)

test('before any style or script a payer reads one label of the button, and meets no button that does nothing', () => {
  const buttons = pages.flatMap(({ body }) => {
    // What a hidden part holds is hidden with it; none of ours holds another of its kind.
    const shown = body.replace(/<(p|div|span|button|label)\b[^>]* hidden>[\s\S]*?<\/\1>/g, '')
    return shown.match(/<button [\s\S]*?<\/button>/g) ?? []
  })

  const labels = buttons.filter((html) => html.includes('button-pay'))
  expect(labels.length).toBeGreaterThan(2)
  expect(labels.filter((html) => html.match(/<span/g)?.length !== 1)).toEqual([])
  expect(buttons.filter((html) => html.includes('type="button"'))).toEqual([])
})

test('every page is kept from frames, caches, search engines and strangers', () => {
  for (const { headers, body } of pages) {
    const bank = body.includes('Banco de teste')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'permissions-policy': expect.stringContaining('geolocation=()'),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(headers['x-frame-options']).toBe(bank ? undefined : 'DENY')
    expect(directivesOf(headers)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'form-action': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': bank ? "'self'" : "'none'",
    })
    expect(headers['content-security-policy']).not.toMatch(/unsafe|upgrade-insecure-requests/)
    expect(body).toContain('<meta name="robots" content="noindex">')
  }
})

function directivesOf(headers: object) {
  const policy = (headers as Record<string, string>)['content-security-policy']!
  return Object.fromEntries(policy.split('; ').map((part) => part.split(/ (.*)/, 2)))
}

test('no page holds an inline script or style but the company’s colour, which its policy names', () => {
  for (const { headers, body } of pages) {
    expect(body).not.toMatch(/<script(?![^>]* src=)|\son\w+="|\sstyle="|javascript:/)
    const styles = [...body.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style!)
    const hashes = styles.map((style) => createHash('sha256').update(style).digest('base64'))
    const named = [...String(directivesOf(headers)['style-src']).matchAll(/'sha256-([^']+)'/g)]
    expect(named.map(([, hash]) => hash)).toEqual(hashes)
  }
  expect(pages[0]!.body).toContain('<style>:root{--brand:#0b6e4f;--on-brand:#fff;')
})

test('what is loaded comes from us, and can be kept for ever', async () => {
  const { body } = pages[0]!
  const files = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url!)

  const answers = await Promise.all(files.map(get))

  expect(files.length).toBeGreaterThan(2)
  for (const { statusCode, headers } of answers) {
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
})

test.each([
  ['inactive', { status: 'inactive' as const }, 'Este link está indisponível'],
  ['expired', { expiresAt: '2026-01-01T00:00:00.000Z' }, 'Este link venceu'],
  ['completed', { status: 'completed' as const }, 'Este link já foi pago'],
  [
    'completed by as many as it takes',
    { status: 'completed' as const, maxPayments: 50 },
    'Este link não aceita mais pagamentos',
  ],
  ['archived', { status: 'archived' as const }, 'Este link está indisponível'],
])(
  'a link that is %s is gone, says so and repeats what the company has to say',
  async (_state, changes, heading) => {
    const link = await newLink({ inactiveMessage: 'Fale com a gente.' })
    await editLink(link.id, changes)
    await editCompany(link.companyId, { supportEmail: 'oi@padaria.com.br' })

    const page = await get(`/pagar/${link.slug}`)

    expect(page.statusCode).toBe(410)
    expect(page.body).toContain('oi@padaria.com.br')
    const read = readPageText(page.body)
    expect(read).toContain(heading)
    expect(read).toContain('Bolo de cenoura Fale com a gente.')
    expect(page.body).not.toContain('<form')
  },
)

test('where no link is found the page says what to do', async () => {
  const none = ['/pagar/abc', '/pagar/0OIl0OIl0O', `/pagar/${'a'.repeat(100)}`, '/pagar/%00']

  for (const { statusCode, body } of await Promise.all([UNKNOWN, ...none].map(get))) {
    expect(statusCode).toBe(404)
    expect(readPageText(body)).toContain('Link não encontrado')
  }
})

test('who tries one address after the other is stopped for a while; real links still open', async () => {
  const link = await newLink()
  const guesser = openPayerBrowser(app)
  clock.offsetMs = 10 * 60_000
  const limits = buildNetworkLimits('slug', guesser.address, { max: 60, windowMs: 60_000 })
  for (let i = 0; i < 59; i++) await countHits(needs.limiter, limits, `guess ${i}`)

  const last = await guesser.get(UNKNOWN)
  const refused = await guesser.get(UNKNOWN)
  const real = await guesser.get(`/pagar/${link.slug}`)
  clock.offsetMs += 61_000
  const later = await guesser.get(UNKNOWN)

  expect([last.statusCode, refused.statusCode]).toEqual([404, 429])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(readPageText(refused.body)).toContain('Muitas tentativas')
  expect([real.statusCode, later.statusCode]).toEqual([200, 404])
})

test('a link can be reported, with a reason', async () => {
  const link = await newLink()
  const url = `/pagar/${link.slug}/report`

  const none = await openPayerBrowser(app).post(url, { reason: '', details: 'Não é a <Padaria>' })
  const sent = await openPayerBrowser(app).post(url, {
    reason: 'fraud',
    details: 'Não é a Padaria',
  })

  expect(none.statusCode).toBe(422)
  expect(none.body).toContain('Não é a &lt;Padaria&gt;</textarea>')
  expect(readPageText(none.body)).toContain('Escolha um motivo.')
  expect(readPageText(sent.body)).toContain('Denúncia recebida')
  const kept = await db.select().from(abuseReports).where(eq(abuseReports.paymentLinkId, link.id))
  expect(kept).toMatchObject([{ reason: 'fraud', details: 'Não é a Padaria' }])
})

test('a report that is too long is refused as such, and shown again whole', async () => {
  const url = `/pagar/${(await newLink()).slug}/report`
  const details = 'x'.repeat(1_001)

  const { statusCode, body } = await openPayerBrowser(app).post(url, { reason: 'fraud', details })

  expect(statusCode).toBe(422)
  expect(readPageText(body)).toContain('Use até 1.000 caracteres nos detalhes.')
  expect(readPageText(body)).not.toContain('Escolha um motivo.')
  expect(body).toContain(`>${details}</textarea>`)
})

test('an address reports at most five times a minute', async () => {
  const url = `/pagar/${(await newLink()).slug}/report`
  const reporter = openPayerBrowser(app)
  clock.offsetMs = 20 * 60_000

  const answers = await Promise.all(
    Array.from({ length: 6 }, () => reporter.post(url, { reason: 'other' })),
  )

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 200, 429])
})

test('a report that is refused for its number is shown again, in the language of its payer', async () => {
  const url = `/pagar/${(await newLink()).slug}/report`
  const reporter = openPayerBrowser(app)
  const form = { reason: 'other', details: 'Nunca recebi o bolo.' }
  const spanish = { 'accept-language': 'es' }
  clock.offsetMs = 30 * 60_000
  for (let times = 0; times < 5; times++) await reporter.post(url, form)

  const { statusCode, headers, body } = await reporter.post(url, form, spanish)

  expect(statusCode).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(readPageText(body)).toContain('Demasiados intentos')
  expect(body).toContain('>Nunca recebi o bolo.</textarea>')
  expect(body).toMatch(/value="other"\s+required checked/)
})
