// A page may show our pictures and those of its company and link, at any origin.
import { expect, test } from 'vitest'
import { openCheckout, openPayerBrowser } from '../support/payer.ts'
import { openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { newLink, editCompany, pay } = openCheckout(testApp)

const readPictures = (headers: object) =>
  /img-src ([^;]*)/.exec(
    String((headers as Record<string, string>)['content-security-policy']),
  )?.[1]

test('payers’ pages show the pictures of their company, and no other site’s', async () => {
  const [plain, moved] = [await newLink(), await newLink()]
  await editCompany(moved.companyId, {
    logoUrl: 'https://antes.example.com/logos/a.webp',
  })
  const browser = openPayerBrowser(testApp.app)
  const read = async (path: string) => readPictures((await browser.get(path)).headers)
  const paid = await pay(moved)

  expect(await read(`/pagar/${plain.slug}`)).toBe("'self' data:")
  expect(await read('/pagar/nao-existe')).toBe("'self' data:")
  expect(await read('/painel/entrar')).toBe("'self' data:")
  for (const path of [`/pagar/${moved.slug}/report`, paid.url])
    expect(await read(path)).toBe("'self' data: https://antes.example.com")
})
