// npm run bench:phone: the checkout as a payer's phone loads it from behind .docker/nginx.conf: requests,
// bytes over the wire, first paint on a slow network, pay to QR code; and what Lighthouse says, which npx
// brings from the registry.
import { readFileSync } from 'node:fs'
import { createCompany } from '../../../src/companies/company.ts'
import { encodeLogo, saveLogo } from '../../../src/companies/logo.ts'
import { connectDatabase } from '../../../src/database/connect.ts'
import { newId } from '../../../src/database/id.ts'
import { migrateDatabase } from '../../../src/database/migrate.ts'
import { createCipher } from '../../../src/database/sealing/encryption.ts'
import { createPaymentLink } from '../../../src/payment-links/payment-link.ts'
import { NewPaymentLink } from '../../../src/payment-links/schema.ts'
import { startThrowawayPostgres } from '../../support/postgres/throwaway.ts'
import { countTraffic, launchBrowser } from '../../support/processes/browser.ts'
import { startNginx } from '../../support/processes/nginx.ts'
import { SECRET_KEY, startService } from '../../support/processes/service.ts'
import { runLighthouse } from './lighthouse.ts'
import { type Load, measureLoad, openPhone, SLOW_3G } from './load.ts'

const LOGO = new URL('../../../views/assets/preview.png', import.meta.url)
const print = (text: string) => process.stdout.write(`${text}\n`)
await using cleanUp = new AsyncDisposableStack()

const postgres = await startThrowawayPostgres()
cleanUp.defer(postgres.stop)
await migrateDatabase(postgres.url)
const service = await startService(postgres.url, { LOG_LEVEL: 'warn', TRUST_PROXY: '1' })
cleanUp.defer(async () => {
  await service.end()
})
const port = Number(new URL(service.baseUrl).port)
const proxy = await startNginx([port, port, port])
cleanUp.defer(proxy.end)
const browser = await launchBrowser()
cleanUp.defer(() => browser.close())
const db = connectDatabase(postgres.url)
cleanUp.defer(() => db.$client.end())
const { real, test: company } = await createCompany(
  db,
  createCipher(Buffer.from(SECRET_KEY, 'base64')),
  { name: 'Padaria Sol' },
)

const pix = await newLink({ methods: ['pix'], maxInstallments: 1 })
const both = await newLink()
print(
  `${await browser.version()}, ${SLOW_3G.latencyMs} ms, ${SLOW_3G.kbitPerS} kbit/s, processor ${SLOW_3G.cpuSlowdown} times slower`,
)
await load('Pix alone', pix)
await load('Pix and card', both)
await pay(both)
print(await runLighthouse(both))
const logo = await encodeLogo(readFileSync(LOGO), company.id)
if (logo.kind === 'refused') throw new Error(logo.reason)
await saveLogo(db, { companyId: real.id, logo }, { baseUrl: proxy.url, now: new Date() })
await load('Pix and card, with a logo', await newLink())

async function newLink(fields: object = {}) {
  const link = NewPaymentLink.parse({
    title: 'Bolo de cenoura com cobertura',
    description: 'Para vinte pessoas, entregue no sábado.',
    amountCents: 19_900,
    methods: ['pix', 'credit_card'],
    maxInstallments: 12,
    ...fields,
  })
  const row = await createPaymentLink(db, company, link, { id: newId(), now: new Date() })
  return `${proxy.url}/pagar/${row.slug}`
}

async function load(title: string, url: string) {
  const phone = await openPhone(browser, SLOW_3G)
  printLoad(title, await measureLoad(phone, url))
  await phone.close()
}

/** From the tap to the code, with all that was asked for in between. */
async function pay(url: string) {
  const phone = await openPhone(browser, SLOW_3G)
  const { page } = phone
  await page.goto(url)
  await page.getByLabel('Nome completo').fill('Maria Silva')
  await page.getByLabel('CPF ou CNPJ').fill('52998224725')
  await page.getByLabel('E-mail').fill('maria@example.com')
  await page.waitForLoadState('networkidle')
  const traffic = countTraffic(phone.session)
  const since = performance.now()
  await page.getByRole('button', { name: /^Pagar/ }).click()
  await page.getByRole('img', { name: 'QR Code do Pix' }).first().waitFor()
  const ms = performance.now() - since
  const { requests, bytes } = traffic.read()
  print(`pay → QR code: ${inS(ms)}, ${requests.length} requests before it, ${inKb(bytes)}`)
  for (const request of requests) print(`  ${shorten(request)}`)
  await phone.close()
}

function printLoad(title: string, { requests, bytes, ...load }: Load) {
  print(
    `${title}: ${requests.length} requests, ${inKb(bytes)}; first paint ${inS(load.firstPaintMs)}, largest ${inS(load.largestPaintMs)}, loaded ${inS(load.loadedMs)}, blocked ${Math.round(load.blockedMs)} ms, layout shift ${load.layoutShift.toFixed(3)}`,
  )
  for (const request of requests) print(`  ${shorten(request)}`)
}

function inKb(bytes: number) {
  return `${(bytes / 1_000).toFixed(1)} kB`
}

function inS(ms: number) {
  return `${(ms / 1_000).toFixed(2)} s`
}

function shorten(request: string) {
  return request.replace(proxy.url, '')
}
