// What a company asks of payers beside who they are: which fields a link may have.
import { expect, test } from 'vitest'
import { eq } from '../../src/database/drizzle.ts'
import { paymentLinks } from '../../src/database/tables.ts'
import { LINKS_PATH, openLinkApi } from '../support/link-api.ts'
import { MINIMAL_LINK, openTestApp } from '../support/test-app.ts'

const testApp = await openTestApp()
const { db, newCompany } = testApp
const { create, patch } = openLinkApi(testApp)

const chars = (n: number) => 'x'.repeat(n)
const options = (n: number) => Array.from({ length: n }, (_, i) => `Opção ${i}`)
const text = (more: object = {}) => ({ label: 'Turma', type: 'text', ...more })
const choice = (more: object = {}) => ({ label: 'Tamanho', type: 'choice', ...more })
const many = (n: number) => Array.from({ length: n }, (_, i) => text({ label: `Campo ${i}` }))

const company = await newCompany()
const send = (customFields: unknown, more: object = {}) =>
  company.post(LINKS_PATH, { ...MINIMAL_LINK, customFields, ...more })

/** Of each link what it would be answered alone (batch/routes.test.ts). */
async function sendAll(all: unknown[]) {
  const paymentLinks = all.map((customFields) => ({ ...MINIMAL_LINK, customFields }))
  return (await company.post(`${LINKS_PATH}/batch`, { paymentLinks })).json().data
}

test('a link without any says so', async () => {
  for (const none of [undefined, null, []]) {
    expect((await send(none)).json()).toMatchObject({ customFields: [] })
  }
})

const ACCEPTED: [what: string, fields: object[]][] = [
  ['one of each type', ['text', 'number', 'date'].map((type) => ({ label: type, type }))],
  ['five', many(5)],
  ['a label of 40 characters', [text({ label: chars(40) })]],
  ['a label of 40 wide characters', [text({ label: '😀'.repeat(40) })]],
  ['two options', [choice({ options: options(2) })]],
  ['twenty options of 40 characters', [choice({ options: options(20).map((o) => o.padEnd(40)) })]],
  ['a key of 40 characters', [text({ key: chars(40) })]],
]
const accepted = await sendAll(ACCEPTED.map(([, fields]) => fields))

test.each(ACCEPTED.map(([what, fields], i) => [what, fields.length, i] as const))(
  '%s is accepted',
  (_what, count, i) => {
    expect(accepted[i].paymentLink.customFields).toHaveLength(count)
  },
)

const REFUSED: [what: string, fields: unknown, field: string, code: string][] = [
  ['six', many(6), 'customFields', 'too_big'],
  ['no label', [{ type: 'text' }], 'customFields.0.label', 'required'],
  ['an empty label', [text({ label: ' ' })], 'customFields.0.label', 'too_small'],
  ['a label of 41', [text({ label: chars(41) })], 'customFields.0.label', 'too_big'],
  ['two lines', [text({ label: 'a\nb' })], 'customFields.0.label', 'invalid_characters'],
  ['no type', [{ label: 'Turma' }], 'customFields.0.type', 'required'],
  ['another type', [text({ type: 'file' })], 'customFields.0.type', 'invalid_value'],
  ['one option', [choice({ options: ['P'] })], 'customFields.0.options', 'too_small'],
  ['21 options', [choice({ options: options(21) })], 'customFields.0.options', 'too_big'],
  ['no options', [choice()], 'customFields.0.options', 'invalid_options'],
  [
    'options of a text',
    [text({ options: ['a', 'b'] })],
    'customFields.0.options',
    'invalid_options',
  ],
  ['an option twice', [choice({ options: ['P', 'P '] })], 'customFields.0.options', 'repeated'],
  [
    'an option of 41',
    [choice({ options: ['P', chars(41)] })],
    'customFields.0.options.1',
    'too_big',
  ],
  ['a key of 41', [text({ key: chars(41) })], 'customFields.0.key', 'invalid_format'],
  ['a key in capitals', [text({ key: 'Turma' })], 'customFields.0.key', 'invalid_format'],
  ['a label twice', [text(), text({ type: 'date' })], 'customFields', 'repeated'],
  [
    'a key twice',
    [text({ key: 'a' }), text({ label: 'Sala', key: 'a' })],
    'customFields',
    'repeated',
  ],
  ['a card’s code', [text({ label: 'CVV' })], 'customFields.0.label', 'card_data'],
  ['a card, by a key', [text({ key: 'numero-do-cartao' })], 'customFields.0.key', 'card_data'],
  ['it as an option', [choice({ options: ['P', 'Cvv'] })], 'customFields.0.options.1', 'card_data'],
  ['a typo', [text({ requird: true })], 'customFields.0.requird', 'unknown_field'],
  ['something else', 'Turma', 'customFields', 'invalid_type'],
]
const refused = await sendAll(REFUSED.map(([, fields]) => fields))

test.each(REFUSED.map(([what, , field, code], i) => [what, field, code, i] as const))(
  '%s is refused at its field',
  (_what, field, code, i) => {
    expect(refused[i].errors).toMatchObject([{ field, code, message: expect.any(String) }])
  },
)

test('a key is made of the label where none is sent, and no other field has it', async () => {
  const response = await send([
    text({ label: 'Nome do aluno' }),
    text({ label: 'Nome do Aluno!' }),
    text({ label: 'Série', key: 'nome_do_aluno_2' }),
    text({ label: '???' }),
    text({ label: 'Ç' }),
  ])

  expect(response.json().customFields).toEqual([
    { key: 'nome_do_aluno', label: 'Nome do aluno', type: 'text', required: false },
    { key: 'nome_do_aluno_3', label: 'Nome do Aluno!', type: 'text', required: false },
    { key: 'nome_do_aluno_2', label: 'Série', type: 'text', required: false },
    { key: 'campo', label: '???', type: 'text', required: false },
    { key: 'c', label: 'Ç', type: 'text', required: false },
  ])
})

test('they are kept by a change of something else, replaced as a whole, and taken out by none', async () => {
  const company = await newCompany()
  const link = await create(company, { customFields: many(2) })

  const kept = await patch(company, link, { title: 'Torta' })
  const echoed = await patch(company, link, { customFields: link.customFields })
  const replaced = await patch(company, link, { customFields: [choice({ options: ['P', 'M'] })] })
  const emptied = await patch(company, link, { customFields: [] })

  const fields = [kept, echoed, replaced, emptied].map((one) => one.json().customFields)
  const size = [
    { key: 'tamanho', label: 'Tamanho', type: 'choice', required: false, options: ['P', 'M'] },
  ]
  expect(fields).toEqual([link.customFields, link.customFields, size, []])
})

test('with the longest metadata there is no room for five, and the sentence says so', async () => {
  const pairs = (n: number) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`${i}`.padEnd(40, 'k'), chars(500)]))

  const [alone, full, fewer] = [
    await send(null, { metadata: pairs(20) }),
    await send(many(5), { metadata: pairs(20) }),
    await send(many(5), { metadata: pairs(15) }),
  ]

  expect([alone, full, fewer].map(({ statusCode }) => statusCode)).toEqual([201, 422, 201])
  expect(full.json().errors).toEqual([
    {
      field: 'customFields',
      code: 'too_big',
      message:
        'Pares, etiquetas e campos passam do que cabe num webhook. Envie menos ou mais curtos.',
    },
  ])
  const company = await newCompany()
  const link = await create(company, { metadata: pairs(20) })
  expect((await patch(company, link, { customFields: many(5) })).statusCode).toBe(422)
  expect((await patch(company, link, { title: 'Torta' })).statusCode).toBe(200)
})

test.each([
  ['none as a list', { customFields: [] }],
  ['what is no list', { customFields: {} as never }],
  ['an image that is no hash', { imageHash: '../x' }],
  ['a message of 501', { successMessage: chars(501) }],
  ['small letters on a bill', { statementDescriptor: 'padaria' }],
])('the database refuses %s', async (_what, changes) => {
  const company = await newCompany()
  const { id } = await create(company)

  const writing = db.update(paymentLinks).set(changes).where(eq(paymentLinks.id, id))

  await expect(writing).rejects.toThrow()
})
