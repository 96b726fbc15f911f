// What to ask of payers, in the form of a link; what they answered, on the page of their payment.
import { expect, test } from 'vitest'
import {
  FILLED_LINK_FORM,
  openLinkDashboard,
  readLinkForm,
  readPage,
} from '../../support/dashboard/links.ts'
import { openCheckout, PIX, readPageText } from '../../support/payer.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, create, linksOf, readLink } = openLinkDashboard(testApp)
const { newLink, pay } = openCheckout(testApp)

const NEW = '/painel/links/novo'
const row = (at: number, label: string, more: Record<string, string> = {}) => ({
  [`customKey${at}`]: '',
  [`customLabel${at}`]: label,
  [`customType${at}`]: 'text',
  [`customOptions${at}`]: '',
  ...Object.fromEntries(Object.entries(more).map(([key, value]) => [`${key}${at}`, value])),
})
const SIZE = row(1, 'Tamanho', { customType: 'choice', customOptions: 'P\r\n M \r\n\r\nG' })

test('a member asks for what the class is, and for a size, and says what the bill and the receipt read', async () => {
  const { company, dashboardClient } = await openClient()

  await dashboardClient.post(NEW, {
    ...FILLED_LINK_FORM,
    ...row(0, ' Turma ', { customRequired: 'on' }),
    ...SIZE,
    ...row(2, ''),
    ...{ successMessage: 'Obrigado!\r\nAté sábado.', statementDescriptor: 'Escola São João' },
  })

  const [link] = await linksOf(company)
  expect(link).toMatchObject({
    customFields: [
      { key: 'turma', label: 'Turma', type: 'text', required: true },
      {
        key: 'tamanho',
        label: 'Tamanho',
        type: 'choice',
        required: false,
        options: ['P', 'M', 'G'],
      },
    ],
    ...{ successMessage: 'Obrigado!\nAté sábado.', statementDescriptor: 'ESCOLA SAO JOAO' },
  })
  const shown = readPageText(await readPage(dashboardClient, `/painel/links/${link!.id}`))
  for (const text of [
    'Pergunta: Turma Texto, obrigatório',
    'Tamanho Opções (P, M, G), opcional',
    'ESCOLA SAO JOAO',
  ]) {
    expect(shown).toContain(text)
  }
})

test('the form of a link that asks holds what it asks, and sent back as it is changes nothing', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await create(company, {
    customFields: [
      { key: 'a', label: 'Tamanho', type: 'choice', required: true, options: ['P', 'M'] },
    ],
  })
  const path = `/painel/links/${link.id}/editar`
  const before = await readLink(link.id)

  const form = await readLinkForm(dashboardClient, path)
  await dashboardClient.post(path, form)

  expect(form).toMatchObject({
    ...{ customKey0: ['a'], customLabel0: ['Tamanho'], customType0: ['choice'] },
    ...{ customRequired0: ['on'], customOptions0: ['P\r\nM'], customLabel2: [''] },
  })
  expect(form.customLabel3).toBeUndefined()
  expect(await readLink(link.id)).toEqual(before)
  await dashboardClient.post(path, { ...form, customLabel0: [''] })
  expect((await readLink(link.id)).customFields).toBeNull()
})

test('what a payer answered, and where they came from, is on the page of the payment', async () => {
  const { company, dashboardClient } = await openClient()
  const fields = [
    { key: 'peso', label: 'Peso', type: 'number' },
    { key: 'dia', label: 'Dia <b>', type: 'date' },
  ]
  const link = await newLink({ customFields: fields }, company)
  const { row: payment } = await pay(link, {
    ...{ ...PIX, custom_peso: '1.234,5', custom_dia: '2026-12-31', ref: 'natal' },
  })

  const page = await readPage(dashboardClient, `/painel/transacoes/${payment.id}`)

  expect(page).toContain('<div><dt>Peso</dt><dd>1234,5</dd></div>')
  expect(page).toContain('<div><dt>Dia &lt;b&gt;</dt><dd>31/12/2026</dd></div>')
  expect(page).toContain('<div><dt>Origem (ref)</dt><dd>natal</dd></div>')
})
