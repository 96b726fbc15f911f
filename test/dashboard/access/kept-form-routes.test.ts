// Every form of the dashboard outlives its session. A new one is kept, too, or fails here until it is said why
// it need not be.
import { expect, test } from 'vitest'
import { KEPT_FORMS } from '../../../src/dashboard/access/kept-form.ts'
import { listDashboardRoutes } from '../../support/dashboard/routes.ts'
import { openTestApp } from '../../support/test-app.ts'

const testApp = await openTestApp()

/** Why what is sent there is not kept. */
const EXEMPT: [RegExp, string][] = [
  [/^(entrar|entrar\/codigo|senha|senha\/:token|convite\/:token)$/, 'a way in'],
  [/^(sair|ambiente|primeira-chave|primeiros-passos\/ocultar)$/, 'a button'],
  [/^conta\//, 'passwords and codes, which are never kept, and buttons'],
  [/^links\/importar(\/confirmar)?$/, 'a file, which is never kept, and a question'],
  [/^links\/:id\/imagem$/, 'a file, which is never kept'],
  [
    /\/(remover|revogar|arquivar|desarquivar|anonimizar|cancelar|desativar|reativar|pausar)$/,
    'a question',
  ],
  [/\/(duplicar|testar|simular|notificacoes|endereco|segredo|trocar-segredo|retorno)$/, 'a button'],
  [/^links\/:id\/liberar-cartoes$/, 'a button'],
  [/^links\/lote(\/:id\/desfazer)?$/, 'a choice among the rows of a list, and a button'],
  [/^ajustes\/marca\/previa$/, 'fetched while the form stays where it is'],
  [/^transacoes\/:id\/devolver\/confirmar$/, 'a question'],
  [/^integracoes\/entregas\//, 'a question, whose answers stand in its address'],
  [/^recebimentos\/(desligar|[\w-]+)\/(pix|cartao)$/, 'a question'],
]

test('every form that takes words is kept, or it is known why not', async () => {
  const forms = (await listDashboardRoutes(testApp)).filter(({ method }) => method === 'POST')
  const lost = forms.filter(
    ({ url }) =>
      !Object.hasOwn(KEPT_FORMS, url) &&
      !EXEMPT.some(([pattern]) => pattern.test(url.slice('/painel/'.length))),
  )

  expect(lost.map(({ url }) => url)).toEqual([])
})
