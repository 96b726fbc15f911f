// Every form that gives access or directs money asks once more who sends it. A new one asks too, or fails
// here until it is said why it need not.
import { expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { sessions } from '../../../src/database/tables.ts'
import { openDashboardClient } from '../../support/dashboard/client.ts'
import { listDashboardRoutes } from '../../support/dashboard/routes.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany, stored } = testApp

const EXEMPT: [RegExp, string][] = [
  [/^(entrar|entrar\/codigo|senha|senha\/:id|convite\/:id)$/, 'a way in: there is no session yet'],
  [/^(sair|ambiente|primeiros-passos\/ocultar)$/, 'gives nothing'],
  [/^confirmar$/, 'is what asks'],
  [
    /^links\/(novo|importar(\/confirmar)?|:id\/(editar|duplicar|pausar|reativar|arquivar|desarquivar|enviar|liberar-cartoes|imagem(\/remover)?))$/,
    'what is sold, not who is paid',
  ],
  [/^links\/lote$/, 'what is sold, not who is paid'],
  [/^clientes\/(novo|:id\/(editar|unir|anonimizar))$/, 'whom it is sold to'],
  [/^transacoes\/:id\/simular$/, 'no real money'],
  [
    /^transacoes\/(:id\/(aceitar|conferir)|sem-cobranca\/:id\/casar)$/,
    'keeps what came, sends nothing',
  ],
  [/^transacoes\/:id\/devolver$/, 'only a question; what answers it asks for the password'],
  [/^transacoes\/:id\/devolver\/confirmar$/, 'asks by its amount (refund-step-up.test.ts)'],
  [/^ajustes(\/(marca|logo\/remover))?$/, 'how the company looks'],
  [/^ajustes\/emails$/, 'what is told, not whom'],
  [/^recebimentos$/, 'prices, not who is paid'],
  [/^recebimentos\/tarifas$/, 'what is reckoned, not what is paid'],
  [/^recebimentos\/[\w-]+\/testar$/, 'changes nothing'],
  [/^integracoes\/:id\/(desativar|reativar|remover|testar)$/, 'shows no secret'],
  [/^integracoes\/entregas\/(:id\/)?reenviar$/, 'tells again what was told'],
  [/^equipe\/convites\/:id\/cancelar$/, 'takes access away'],
  [/^conta\/sessoes\/(:id\/encerrar|encerrar-outras)$/, 'takes access away'],
  [/^conta\/senha$/, 'brings the password itself'],
  [/^conta\/duas-etapas\/(desativar|codigos)$/, 'brings a code of the second step itself'],
]

const forms = (await listDashboardRoutes(testApp)).filter(({ method }) => method === 'POST')
const isExempt = ({ url }: { url: string }) =>
  EXEMPT.some(([path]) => path.test(url.slice('/painel/'.length)))

test('every form asks who sends it, or is known not to', () => {
  const asking = forms.filter(({ stepUp }) => stepUp)

  expect(asking.length).toBeGreaterThan(15)
  expect(asking.filter(isExempt)).toEqual([])
  expect(forms.filter((form) => !form.stepUp && !isExempt(form))).toEqual([])
})

test('the page of a form that asks has asked already', async () => {
  const pages = (await listDashboardRoutes(testApp)).filter(({ method }) => method === 'GET')
  const asking = new Set(forms.filter(({ stepUp }) => stepUp).map(({ url }) => url))

  const late = pages.filter(({ url, stepUp }) => asking.has(url) && !stepUp)

  expect(late).toEqual([])
})

test('in either environment nothing is done before the sender has confirmed', async () => {
  const company = await newCompany()
  const seat = { companyId: company.realId, email: 'real@exemplo.com.br' }
  const clients = [
    await openDashboardClient(testApp, { companyId: company.id }),
    await openDashboardClient(testApp, seat),
  ]
  await db.update(sessions).set({ confirmedAt: '1970-01-01T00:00:00Z' })
  const asking = forms.filter(({ stepUp }) => stepUp)
  const before = await stored()

  const answers = []
  for (const { url } of asking) {
    for (const client of clients) answers.push(await client.post(url.replace(':id', newId())))
  }

  expect(answers.length).toBeGreaterThan(30)
  for (const { statusCode, headers } of answers) {
    expect(statusCode).toBe(303)
    expect(headers.location).toMatch(/^\/painel\/confirmar\?voltar=[^&]+&enviado=sim$/)
  }
  expect(await stored()).toBe(before)
})
