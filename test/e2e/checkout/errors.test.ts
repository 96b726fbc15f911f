import { expect, test } from 'vitest'
import { eq } from '../../../src/database/drizzle.ts'
import { paymentLinks } from '../../../src/database/tables.ts'
import { fillPayer, getPayButton, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()

test.each([true, false])(
  'a form that is refused for what changed meanwhile says so first, with JavaScript (%s) too',
  async (javaScriptEnabled) => {
    const link = await testMerchant.newLink({ description: 'Inclui o material. '.repeat(30) })
    const { page } = await testMerchant.newPage({ ...PHONE, javaScriptEnabled })

    await page.goto(link.url)
    await fillPayer(page)
    const { db } = testMerchant
    const change = { amountCents: 20_000, updatedAt: new Date().toISOString() }
    await db.update(paymentLinks).set(change).where(eq(paymentLinks.id, link.id))
    await getPayButton(page).click()
    await page.getByText('O valor deste link mudou. Confira o novo valor e confirme.').waitFor()
    await expect.poll(() => page.title()).toMatch(/^Erro: Pagar /)

    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toMatch(
      /^O valor deste link mudou. Confira o novo valor e confirme/,
    )
  },
)

const MARIA = { name: 'Maria Silva', taxId: '52998224725', email: 'maria@example.com' }

test('what the page lets through the service takes, and the other way round: no payer types a card twice', async () => {
  const link = await testMerchant.newLink()
  await testMerchant.change({ askPhone: true })
  const { page } = await testMerchant.newPage()
  await page.goto(link.url)
  const typed: [field: 'name' | 'email' | 'phone' | 'taxId', values: string[]][] = [
    ['name', ['Zé ', 'Li Wu', '12345', '李小龍', '\u202aMaria Silva\u202c']],
    ['email', ['maria@uol.com,br', 'a..b@c.com', 'joão@pão-de-açúcar.com.br']],
    ['phone', ['1198765432', '+55 (11) 98765-4321', '+54 9 11 2345-6789']],
    ['taxId', ['529.982.247-24', '12.ABC.345/01DE-35', 'CPF: 52998224725']],
  ]

  const said = await page.evaluate(
    async ({ typed, maria }) => {
      const validate = async (field: string, value: string) => {
        const input = document.getElementById(field) as HTMLInputElement
        input.value = value
        input.dispatchEvent(new InputEvent('input'))
        input.dispatchEvent(new FocusEvent('blur'))
        const page = document.getElementById(`${field}-error`) === null
        const form = document.querySelector<HTMLFormElement>('#pay')!
        const given = { ...Object.fromEntries(new FormData(form)), phone: '11987654321', ...maria }
        const attempt = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
          byte.toString(16).padStart(2, '0'),
        ).join('')
        const body = new URLSearchParams({ ...given, attempt, [field]: input.value } as never)
        const { status } = await fetch(form.action, { method: 'POST', body, redirect: 'manual' })
        return { value, page, service: status !== 422 }
      }
      const said = []
      for (const [field, values] of typed)
        for (const value of values) said.push(await validate(field, value))
      return said
    },
    { typed, maria: MARIA },
  )
  await testMerchant.change({ askPhone: false })

  expect(said.filter(({ page, service }) => page !== service)).toEqual([])
  expect(said.filter(({ page }) => page).map(({ value }) => value)).toEqual([
    ...['Li Wu', '李小龍', '\u202aMaria Silva\u202c', 'joão@pão-de-açúcar.com.br'],
    ...['+55 (11) 98765-4321', '+54 9 11 2345-6789', '12.ABC.345/01DE-35', 'CPF: 52998224725'],
  ])
})
