// Many links changed at once, chosen one by one or all that a filter leaves, and brought back by the opposite.
import { afterEach, expect, test } from 'vitest'
import { listAudit } from '../../../src/companies/audit.ts'
import { newId } from '../../../src/database/id.ts'
import { paymentLinks } from '../../../src/database/tables.ts'
import { emitDueExpiries } from '../../../src/payment-links/expire.ts'
import { type DashboardClient, openDashboardClient } from '../../support/dashboard/client.ts'
import { readFormFields } from '../../support/dashboard/html.ts'
import { openLinkDashboard, readPage } from '../../support/dashboard/links.ts'
import { readMainText } from '../../support/dashboard/webhooks.ts'
import { openCheckout } from '../../support/payer.ts'
import { openTestApp, type TestCompany } from '../../support/test-app.ts'

const testApp = await openTestApp()
const { db, clock } = testApp
const { openClient, create, linksOf, readLink } = openLinkDashboard(testApp)
const { listEventTypes } = openCheckout(testApp)

const LINKS = '/painel/links'
const BULK = `${LINKS}/lote`

type BulkChoice = { link?: string[]; acao: string; etiqueta?: string; todos?: 'on' }

const SECOND_MS = 1_000
const DAY_MS = 86_400_000

afterEach(() => {
  clock.offsetMs = 0
})

/** A company with these links, at the list of them. */
async function openLinks(...fields: object[]) {
  const { company, dashboardClient } = await openClient()
  const links = []
  for (const one of fields) links.push(await create(company, one))
  return {
    company,
    ids: links.map(({ id }) => id),
    ...openBulks(dashboardClient),
  }
}

async function statesOf(ids: string[]) {
  const links = await Promise.all(ids.map((id) => readLink(id)))
  return links.map(({ status }) => status)
}

async function auditOf(company: TestCompany) {
  const entries = await listAudit(db, company.id, { limit: 9 })
  return entries.map(({ action, subject, details }) => [action, subject, details.links])
}

function openBulks(client: DashboardClient) {
  /** The form of the list as it is shown now. */
  async function openForm(query = '') {
    const { body } = await client.get(LINKS + query)
    const { lote = [], ate = [], filtro = [] } = readFormFields(body, BULK)
    return { lote, ate, filtro }
  }

  /** Answers where that leads. */
  async function send(form: Record<string, string[]>, choice: BulkChoice) {
    const answer = await client.post(BULK, { ...form, ...choice })
    expect(answer.statusCode).toBe(303)
    return String(answer.headers.location)
  }

  /** What the list says then. */
  async function readNotice(address: string) {
    const { body } = await client.get(address)
    const start = body.indexOf('class="notice')
    return start === -1
      ? null
      : readMainText(`<main ${body.slice(start, body.indexOf('</div>', start))}`).trim()
  }

  async function act(choice: BulkChoice, query = '') {
    return send(await openForm(query), choice)
  }

  return { client, openForm, send, act, readNotice }
}

test.each([
  ['arquivar', 'active', 'archived', 'arquivados'],
  ['pausar', 'active', 'inactive', 'pausados'],
  ['reativar', 'inactive', 'active', 'reativados'],
])(
  '%s changes the links that are chosen, and the list says how many',
  async (acao, before, after, done) => {
    const { company, ids, act, readNotice } = await openLinks(...Array(3).fill({ status: before }))

    const address = await act({ link: ids.slice(0, 2), acao }, '?ordem=antigos')

    expect(address).toMatch(/^\/painel\/links\?ordem=antigos&lote=[\w-]{36}$/)
    expect(await readNotice(address)).toContain(`2 links ${done}.`)
    expect(await statesOf(ids)).toEqual([after, after, before])
    expect(await auditOf(company)).toEqual([[expect.stringMatching(/^links_/), null, '2']])
  },
)

test('a tag is added to links and taken off again', async () => {
  const { company, ids, act, readNotice } = await openLinks({ tags: ['a'] }, { tags: ['festa'] })

  const added = await readNotice(await act({ link: ids, acao: 'etiquetar', etiqueta: ' festa ' }))
  const both = await Promise.all(ids.map(readLink))
  const removed = await readNotice(
    await act({ link: ids, acao: 'desetiquetar', etiqueta: 'festa' }),
  )
  const none = await Promise.all(ids.map(readLink))

  expect(added).toContain('1 link com a etiqueta “festa”. 1 já estava assim.')
  expect(both.map(({ tags }) => tags)).toEqual([['a', 'festa'], ['festa']])
  expect(removed).toContain('2 links sem a etiqueta “festa”.')
  expect(none.map(({ tags }) => tags)).toEqual([['a'], []])
  expect(await auditOf(company)).toEqual([
    ['links_untagged', 'festa', '2'],
    ['links_tagged', 'festa', '1'],
  ])
})

test('what cannot be done to a link is shown with the reason and its title', async () => {
  const soon = new Date(clock.now().getTime() + 60_000).toISOString()
  const tags = Array.from({ length: 20 }, (_, n) => `t${n}`)
  const { ids, act, readNotice } = await openLinks(
    { title: 'Velho', expiresAt: soon },
    { title: 'Parado', status: 'inactive' },
    { title: 'Cheio', tags },
  )
  clock.offsetMs = 120_000

  const resumed = await readNotice(await act({ link: ids, acao: 'reativar' }))
  const tagged = await readNotice(await act({ link: ids, acao: 'etiquetar', etiqueta: 'nova' }))

  expect(resumed).toContain(
    '1 link reativado. 1 já estava assim. 1 não: expirou; edite-o e escolha uma nova data (“Velho”).',
  )
  expect(tagged).toContain('2 links com a etiqueta “nova”. 1 não: já tem 20 etiquetas (“Cheio”).')
  expect((await readLink(ids[2]!)).tags).toEqual(tags)
})

test('of what is no change nothing is done, and the list says why', async () => {
  const { ids, act, readNotice } = await openLinks({})
  const choices: [Partial<Parameters<typeof act>[0]>, string][] = [
    [{ link: [], acao: 'arquivar' }, 'Escolha ao menos um link.'],
    [{ link: ['x', newId()], acao: 'arquivar' }, 'Nada mudou'],
    [{ acao: 'apagar' }, 'Escolha o que fazer'],
    [{ acao: 'etiquetar', etiqueta: ' ' }, 'Escreva uma etiqueta'],
    [{ acao: 'etiquetar', etiqueta: 'a, b' }, 'Escreva uma etiqueta'],
  ]

  for (const [choice, notice] of choices) {
    const address = await act({ link: ids, acao: '', ...choice })

    expect(await readNotice(address)).toContain(notice)
  }
  expect(await statesOf(ids)).toEqual(['active'])
})

test('a refused change keeps the typed tag, the chosen links and the choice of all, and loses them with the next', async () => {
  const { ids, client, act } = await openLinks(...Array(25).fill({}))
  const [id = ''] = ids.slice(-1)
  const isTicked = (html: string, value: string) =>
    html.includes(`value="${value}"\nform="bulk" checked>`)

  const untagged = await client.get(await act({ link: [id], acao: 'etiquetar', etiqueta: 'a,b' }))
  const unchosen = await client.get(await act({ acao: 'etiquetar', etiqueta: 'festa' }))
  const undone = await client.get(await act({ link: [id], todos: 'on', acao: '' }))

  expect(isTicked(untagged.body, id)).toBe(true)
  expect(isTicked(untagged.body, ids[20] ?? '')).toBe(false)
  expect(readFormFields(untagged.body, BULK).etiqueta).toEqual(['a,b'])
  expect(readFormFields(unchosen.body, BULK)).toMatchObject({ etiqueta: ['festa'], filtro: [''] })
  expect(readFormFields(undone.body, BULK).todos).toEqual(['on'])
  expect(unchosen.body).toContain('<details class="choose-more" open>')
  expect(unchosen.body).not.toContain('?etiqueta')
})

test('all that a filter leaves is changed, but for what came after the page was shown', async () => {
  const { company, openForm, send, readNotice } = await openLinks(
    ...['Bolo 1', 'Torta', 'Bolo 2'].map((title) => ({ title })),
  )
  const form = await openForm('?q=bolo')
  clock.offsetMs = SECOND_MS
  await create(company, { title: 'Bolo de depois' })

  const address = await send(form, { todos: 'on', acao: 'pausar' })

  const paused = (await linksOf(company)).filter(({ status }) => status === 'inactive')
  expect(paused.map(({ title }) => title).sort()).toEqual(['Bolo 1', 'Bolo 2'])
  expect(await readNotice(address)).toContain('2 links pausados.')
})

test('a form that says it was shown at no time of ours was shown now', async () => {
  const { ids, openForm, send } = await openLinks({})
  const form = await openForm()

  await send({ ...form, ate: ['-000001-01-01T00:00:00.000Z'] }, { todos: 'on', acao: 'pausar' })

  expect(await statesOf(ids)).toEqual(['inactive'])
})

test('a day that is searched for is that of when the page was shown, and later links are not of it', async () => {
  const { company, openForm: openFormToday } = await openLinks({ title: 'Bolo' })
  const shownToday = await openFormToday('?q=hoje')
  clock.offsetMs = DAY_MS
  await create(company, { title: 'Bolo de amanhã' })
  // The session is over by then.
  const client = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const { openForm, send } = openBulks(client)
  const shownTomorrow = await openForm('?q=bolo+ontem')
  const statuses = async () =>
    Object.fromEntries((await linksOf(company)).map(({ title, status }) => [title, status]))

  await send(shownToday, { todos: 'on', acao: 'pausar' })
  const paused = await statuses()
  await send(shownTomorrow, { todos: 'on', acao: 'arquivar' })

  expect(paused).toEqual({ Bolo: 'inactive', 'Bolo de amanhã': 'active' })
  expect(await statuses()).toEqual({ Bolo: 'archived', 'Bolo de amanhã': 'active' })
})

test('the same form sent twice, also at once, changes the links once', async () => {
  const { company, ids, openForm, send } = await openLinks(
    ...Array.from({ length: 12 }, () => ({})),
  )
  const form = await openForm()
  const choice = { link: ids, acao: 'arquivar' }

  const [one, other] = await Promise.all([send(form, choice), send(form, choice)])
  const again = await send(form, choice)

  expect([other, again]).toEqual([one, one])
  expect(await auditOf(company)).toEqual([['links_archived', null, '12']])
})

test.each([
  ['of the thousand newest of more', 1_002, 1_000, 'arquivar', '1.000 links arquivados.'],
  ['after which its filter leaves none', 3, 3, 'pausar', '3 links pausados.'],
])(
  'a form for all %s changes no others when it is sent twice',
  async (_, count, most, acao, notice) => {
    const { company, dashboardClient } = await openClient()
    const oldest = (await create(company, { title: 'Turma' })).id
    const one = await readLink(oldest)
    const copies = Array.from({ length: count - 1 }, (_link, n) => ({
      ...one,
      ...{ id: newId(), slug: `${acao}${n}` },
    }))
    await db.insert(paymentLinks).values(copies)
    const { openForm, send, readNotice } = openBulks(dashboardClient)
    const form = await openForm('?status=active')
    const choice = { todos: 'on', acao } as const

    const [first, other] = await Promise.all([send(form, choice), send(form, choice)])
    const again = await send(form, choice)

    expect([other, again]).toEqual([first, first])
    expect((await readLink(oldest)).status === 'active').toBe(count > most)
    expect(await auditOf(company)).toEqual([[expect.any(String), null, String(most)]])
    expect(await readNotice(again)).toContain(notice)
  },
)

test('a form that a browser has kept may order something else', async () => {
  const { ids, openForm, send } = await openLinks({}, {})
  const form = await openForm()
  await send(form, { link: [ids[0]!], acao: 'pausar' })

  await send(form, { link: [ids[1]!], acao: 'arquivar' })

  expect(await statesOf(ids)).toEqual(['inactive', 'archived'])
})

test('links of another company are not among those that are changed', async () => {
  const theirs = await openLinks({})
  const ours = await openLinks({})

  const address = await ours.act({ link: [...theirs.ids, ...ours.ids], acao: 'arquivar' })

  expect(await ours.readNotice(address)).toContain('1 link arquivado.')
  expect(await statesOf(theirs.ids)).toEqual(['active'])
})

test.each(['pausar', 'arquivar'])(
  'links that expired just before they were changed at once (%s) emit one event each',
  async (acao) => {
    const expiresAt = new Date(clock.now().getTime() + 5 * SECOND_MS).toISOString()
    const { company, ids, act } = await openLinks({ expiresAt }, { expiresAt }, {})
    clock.offsetMs = 6 * SECOND_MS

    await act({ link: ids, acao })
    await emitDueExpiries(testApp.needs, clock.now())

    expect(await listEventTypes({ companyId: company.id })).toEqual([
      'payment_link.expired',
      'payment_link.expired',
    ])
  },
)

test('links that are archived are brought back together, each as it was, and change no other way', async () => {
  const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
  const { company, ids, act, readNotice } = await openLinks(
    ...[{}, { status: 'inactive' }, { expiresAt }],
  )
  await act({ link: ids, acao: 'arquivar' })
  clock.offsetMs = 120_000

  const paused = await readNotice(await act({ link: ids, acao: 'pausar' }, '?status=archived'))
  const address = await act({ todos: 'on', acao: 'desarquivar' }, '?status=archived')
  const back = await statesOf(ids)
  const notice = await readNotice(address)

  expect(paused).toContain('Nada mudou. 3 não: estão arquivados; desarquive-os antes')
  expect(back).toEqual(['active', 'inactive', 'active'])
  expect(notice).toContain('3 links desarquivados.')
  const owner = await openDashboardClient(testApp, { companyId: company.id, role: 'owner' })
  const log = await readPage(owner, '/painel/registro?acao=links_unarchived')
  for (const id of ids) expect(log).toContain(`<a href="/painel/links/${id}">`)
  expect(await auditOf(company)).toEqual([
    ['links_unarchived', null, '3'],
    ['links_archived', null, '3'],
  ])
})
