// One thing has one name in Portuguese, in pages, e-mails, documentation and whatever the API says.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** What is not said, by what is said instead. */
const INSTEAD = {
  'devolver, devolução': /reembols|estorn|extorn/i,
  'forma de pagamento': /(método|meio)s? de pagamento/i,
  'a verificar': /(retid|pagament)\w+ (para|em) (verifica|confer)/i,
}

/** What others call so, and the addresses and the heading of a table that are out in the world. */
const QUOTED = [
  ...[/cobranças, reembolsos/g, /docs\/reembolsos/g, /reembolsos: 'Devolva/g],
  /refunded: 'Reembolsado'/g,
]

const pages = ['views', 'src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(eta|md|ts)$/.test(file))
    .map((file) => join(folder, file)),
)

/** The lines of all pages that say it, where they are no comments. */
function findSaid(word: RegExp) {
  return pages.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
      .map((line) => QUOTED.reduce((rest, quote) => rest.replace(quote, ''), line))
      .filter((line) => word.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
}

test.each(Object.entries(INSTEAD))('it is called %s everywhere', (_, otherWord) => {
  expect(findSaid(otherWord)).toEqual([])
})

test('a word that is not ours would be found', () => {
  expect(findSaid(/devolução/).length).toBeGreaterThan(20)
  expect(INSTEAD['devolver, devolução'].test('Faça o estorno')).toBe(true)
})
