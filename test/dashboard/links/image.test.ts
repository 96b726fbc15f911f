// The image of a link, given to it and taken off it at the dashboard.
import { expect, test } from 'vitest'
import { PNG } from '../../support/dashboard/brand.ts'
import { openLinkDashboard, readFormErrors, readPage } from '../../support/dashboard/links.ts'
import { LINKS_PATH } from '../../support/link-api.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { openClient, create, readLink, actionsOf } = openLinkDashboard(testApp)

function buildForm(bytes: Buffer) {
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(bytes)]), 'foto.png')
  return form
}

test('a member gives a link its image, and takes it off after a question', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await create(company)
  const [page, path] = [`/painel/links/${link.id}`, `/painel/links/${link.id}/imagem`]

  const before = await readPage(dashboardClient, page)
  const saved = await dashboardClient.upload(path, buildForm(PNG))
  const again = await dashboardClient.upload(path, buildForm(PNG))
  const shown = await readPage(dashboardClient, page)
  const { imageUrl } = (await company.get(`${LINKS_PATH}/${link.id}`)).json()
  const question = await readPage(dashboardClient, `${path}/remover`)
  const removed = await dashboardClient.post(`${path}/remover`)

  expect(before).toContain('Adicionar imagem')
  expect([saved, again].map(({ headers }) => headers.location)).toEqual([
    `${page}?feito=imagem-salva`,
    `${page}?feito=imagem-salva`,
  ])
  expect(shown).toContain(`<img src="${imageUrl}"`)
  expect(await readPage(dashboardClient, path)).not.toContain('Imagem de hoje')
  expect(question).toContain('Remover a imagem deste link?')
  expect(removed.headers.location).toBe(`${page}?feito=imagem-removida`)
  expect((await readLink(link.id)).imageHash).toBeNull()
  expect(await actionsOf(company)).toEqual([
    ['link_image_removed', link.title],
    ['link_image_changed', link.title],
  ])
})

test('a form without a file, and a file that is no image, are refused at the field', async () => {
  const { company, dashboardClient } = await openClient()
  const link = await create(company)
  const send = (text: string) =>
    dashboardClient.upload(`/painel/links/${link.id}/imagem`, buildForm(Buffer.from(text)))

  const [none, text] = [await send(''), await send('olá')]

  expect([none, text].map(({ statusCode }) => statusCode)).toEqual([422, 422])
  expect([none, text].map(({ body }) => readFormErrors(body))).toEqual([
    [['image', 'Escolha uma imagem.']],
    [['image', 'Envie uma imagem PNG, JPEG ou WebP.']],
  ])
})
