// Which company an operator means by what was typed.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { findCompanyByIdOrName, isOfEnvironment } from '../../src/commands/chosen-company.ts'
import { createCompany } from '../../src/companies/company.ts'
import { createCipher } from '../../src/database/encryption/cipher.ts'
import { openDatabase } from '../support/postgres/database.ts'

const { db } = await openDatabase()
const cipher = createCipher(randomBytes(32))
const names = ['Padaria do Zé', 'Padaria Sol & Mar', 'Livraria', 'LIVRARIA', 'Sebo', 'Sebo']
const ids = new Map<string, string>()
for (const name of names) ids.set(name, (await createCompany(db, cipher, { name })).real.id)

test.each([
  ['padaria do ze', 'Padaria do Zé'],
  ['PADARIA DO ZÉ', 'Padaria do Zé'],
  ['Livraria', 'Livraria'],
  ['LIVRARIA', 'LIVRARIA'],
])('%s is %s', async (typed, name) => {
  const { real, test: twin } = await findCompanyByIdOrName(db, typed)

  expect(real).toMatchObject({ id: ids.get(name), name })
  expect(await findCompanyByIdOrName(db, twin.id)).toMatchObject({ real: { name } })
})

test.each([
  ['livraria', 'More than one company is named "livraria": give its id (see company list).'],
  ['Sebo', 'More than one company is named "Sebo": give its id (see company list).'],
  ['Oficina', 'There is no company "Oficina": see company list.'],
])('%s is refused: %s', async (typed, sentence) => {
  await expect(findCompanyByIdOrName(db, typed)).rejects.toThrow(new Error(sentence))
})

test.each([
  [{}, true, true],
  [{ test: true }, true, false],
  [{ live: true }, false, true],
])('with %j a list has what is of tests: %s, and what is real: %s', (flags, ofTests, ofReal) => {
  expect(isOfEnvironment(flags, { testMode: true })).toBe(ofTests)
  expect(isOfEnvironment(flags, { testMode: false })).toBe(ofReal)
})
