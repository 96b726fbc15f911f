// What an e-mail looks like where it is read.
import { expect, onTestFinished, test } from 'vitest'
import type { MailBranding } from '../../src/mail/data.ts'
import { renderMail } from '../../src/mail/render.ts'
import { closeTabs, shareBrowser } from '../support/processes/browser.ts'

const WIDE = 'W'.repeat(120)

test('names and addresses without a space break on the narrowest phone', async () => {
  const supportEmail = `${'secretaria.financeira'.repeat(3)}@escolavilanova.com.br`
  const company = { name: WIDE, taxId: null, color: null, logoUrl: null, supportPhone: null }
  const head: MailBranding = {
    baseUrl: 'https://vintem.example.com',
    company: { ...company, supportEmail },
  }
  const { html } = renderMail(
    'refund',
    {
      transactionId: '0199c3a2-7b1e-7c00-8000-5f6a7b8c9d0e',
      linkTitle: WIDE,
      method: 'pix',
      ...{ refundCents: 5_000, refundedCents: 5_000, totalCents: 20_000_000, testMode: true },
      receiptUrl: 'https://pay.example.com/a/payments/b',
    },
    head,
  )
  const browser = await shareBrowser()
  onTestFinished(closeTabs)
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } })

  await page.setContent(html)

  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
