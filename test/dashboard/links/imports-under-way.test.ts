// Above the list of links stands what is made of files meanwhile.
import { expect, test } from 'vitest'
import { makeImportedLinks } from '../../../src/payment-links/import/run.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { openLinkImports } from '../../support/dashboard/link-imports.ts'
import { readMainText } from '../../support/dashboard/webhooks.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { openClient, uploadFile, runToEnd } = openLinkImports(testApp)

const LINKS = '/painel/links'
const UNDER_WAY = `${LINKS}/em-criacao`

function buildFile(rows: number) {
  const lines = Array.from({ length: rows }, (_, n) => `Turma ${n};${n === 0 ? 'x' : '100,00'};pix`)
  return ['titulo;valor;formas_de_pagamento', ...lines].join('\n')
}

test('a file whose links are being made is followed from the list, and for a minute after', async () => {
  const { client } = await openClient()
  const { path } = await uploadFile(client, buildFile(450))
  const read = async () => readMainText((await client.get(LINKS)).body)
  const draft = await read()
  await client.post(`${path}/confirmar`)

  await makeImportedLinks(db, clock.now())
  const running = await read()
  const part = (await client.get(UNDER_WAY)).body
  await runToEnd()
  const done = await read()
  clock.offsetMs = 61_000
  const later = await read()
  clock.offsetMs = 0

  expect(draft).not.toContain('Importação')
  expect(running).toContain('Importação: 201 de 450')
  expect(part).toContain(`href="${path}"`)
  expect(part).toContain('value="201" max="450"')
  expect(done).toContain('Importação concluída: 449 links criados , 1 linha com erro')
  expect(later).not.toContain('Importação')
})

test('nobody is shown files that they may not see', async () => {
  const { company, client } = await openClient()
  const { path } = await uploadFile(client, buildFile(3))
  await client.post(`${path}/confirmar`)
  const accountant = await openDashboardClient(testApp, {
    companyId: company.id,
    role: 'accountant',
  })
  const stranger = (await openClient()).client

  const pages = [await accountant.get(LINKS), await stranger.get(UNDER_WAY)]

  expect(pages.map(({ body }) => body.includes(path))).toEqual([false, false])
  expect((await accountant.get(UNDER_WAY)).statusCode).toBe(403)
  await runToEnd()
})
