// An owner sets up the company's bank in a browser: tried, mended, saved, used, removed.
import { expect, test } from 'vitest'
import { BANK_SECRET } from '../../support/dashboard/providers.ts'
import { openFakeBank, PIX_KEY } from '../../support/providers/bank/fake.ts'
import { findAxeViolations, openBrowserMerchant, PHONE } from '../merchant.ts'

const testMerchant = await openBrowserMerchant()
const bank = await openFakeBank()

test('a bank is tried, mended, saved, used and removed, on a phone in dark', async () => {
  const { page, wrong, at } = await testMerchant.signIn({ ...PHONE, colorScheme: 'dark' })
  const barriers: string[] = []

  await page.goto(at('/painel/recebimentos/pix-api'))
  await page.getByLabel('Qual é o banco?').selectOption({ label: 'Outro banco' })
  await page.waitForURL('**?banco=custom')
  await page.getByLabel('Ambiente', { exact: true }).selectOption('homologacao')
  await page.getByLabel('Endereço da API Pix', { exact: true }).fill(bank.url)
  await page.getByLabel('Endereço do token', { exact: true }).fill(`${bank.url}/oauth/token`)
  await page.getByLabel('Client ID', { exact: true }).fill('padaria')
  const secret = page.getByLabel('Client Secret', { exact: true })
  await secret.fill('errado')
  const save = page.getByRole('button', { name: 'Testar e salvar' })
  await save.click()
  await page.getByText('Preencha: Chave Pix da conta.').first().waitFor()
  await page.getByLabel('Chave Pix da conta', { exact: true }).fill(PIX_KEY)
  await secret.fill('errado')
  await save.click()
  await page.locator('.provider-steps .is-bad').waitFor()
  barriers.push(...(await findAxeViolations(page)))
  await secret.fill(BANK_SECRET)
  await save.click()
  await page.getByText('Conta salva, e a conexão funcionou.').waitFor()
  barriers.push(...(await findAxeViolations(page)))
  await page.getByRole('link', { name: 'Usar para Pix' }).click()
  await page.getByRole('button', { name: 'Usar Pix do seu banco' }).click()
  await page.getByText('Pronto. Já vale para os próximos pagamentos.').waitFor()
  barriers.push(...(await findAxeViolations(page)))
  await page.goto(at('/painel/recebimentos/sandbox/pix'))
  await page.getByRole('button', { name: 'Voltar ao simulador' }).click()
  await page.getByText('Pronto.').waitFor()
  await page.goto(at('/painel/recebimentos/pix-api/remover'))
  await page.getByRole('button', { name: 'Remover conta' }).click()
  await page.getByText('Conta removida.').waitFor()

  expect(barriers).toEqual([])
  expect(wrong).toEqual([])
  expect(bank.calls(/^PUT .webhook/).length).toBeGreaterThan(0)
})
