// A change of many links that was refused: what was chosen and typed for it is not lost.
import { expect, test } from 'vitest'
import { LINKS, openLinkBulks } from '../../support/dashboard/bulks.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { openTestApp } from '../../support/test-app.ts'

const { openLinks } = openLinkBulks(await openTestApp())

/** The links whose boxes are ticked, in the order of the list. */
function readChosen(body: string) {
  const boxes = body.match(/<input type="checkbox" name="link"[^>]*>/g) ?? []
  return boxes
    .filter((box) => / checked\b/.test(box))
    .map((box) => box.match(/value="([^"]*)"/)?.[1])
}

test('what was chosen and typed is still there where the tag was refused', async () => {
  const { ids, client, openForm, send } = await openLinks({}, {}, {})
  const [one, two] = ids.toSorted()
  const choice = { link: [one!, two!], acao: 'etiquetar', etiqueta: 'a, "b"' }

  const address = await send(await openForm('?ordem=antigos'), choice)
  const { body } = await client.get(address)

  expect(readChosen(body)).toEqual([one, two])
  expect(body).toMatch(/<details class="choose-more" open>[\s\S]*value="a, &quot;b&quot;"/)
  expect(readFormFields(body, `${LINKS}/lote`).filtro).toEqual(['ordem=antigos'])
})
