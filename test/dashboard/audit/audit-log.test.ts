// Registro: what owners read of who did what.
import { expect, test } from 'vitest'
import { type NewAuditEntry, recordAudit } from '../../../src/companies/audit.ts'
import { newId } from '../../../src/database/id.ts'
import { type Desk, signedIn } from '../../support/desk.ts'
import { openHouse } from '../../support/house.ts'

const house = await openHouse()
const { db, clock, newCompany } = house

async function openDesk() {
  const { id: companyId } = await newCompany()
  const desk = await signedIn(house, { companyId })
  const record = (more: Partial<NewAuditEntry> = {}) =>
    recordAudit(db, {
      ...{ companyId, actor: desk.email, userId: desk.id, action: 'sign_in', now: clock.now() },
      ...more,
    })
  return { companyId, desk, record }
}

/** What stands in the rows, without what is around it. */
async function rowsOf(desk: Desk, query = '') {
  const { body, statusCode } = await desk.get(`/painel/registro${query}`)
  expect(statusCode).toBe(200)
  return [...body.matchAll(/<th scope="row">([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    row!
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

const nextOf = (html: string) =>
  html.match(/rel="next" href="([^"]+)"/)?.[1]?.replaceAll('&amp;', '&')

test('the log says who did what to whom, from where and when, to owners alone', async () => {
  const { companyId, desk, record } = await openDesk()
  const subject = { subjectId: newId(), subject: 'Bolo <b>de</b> cenoura' }
  await record({ action: 'link_created', ...subject, address: '203.0.113.9' })
  const member = await signedIn(house, { companyId, role: 'member' })

  const { body } = await desk.get('/painel/registro')
  const refused = await member.get('/painel/registro')

  expect(body).toContain('Criou um link de pagamento')
  expect(body).toContain(
    `<a href="/painel/links/${subject.subjectId}">Bolo &lt;b&gt;de&lt;/b&gt; cenoura</a>`,
  )
  expect(body).toContain('203.0.113.9')
  expect(body).toContain(desk.email)
  expect(refused.statusCode).toBe(403)
})

test('details stand beside the subject, and what has no page is no link', async () => {
  const { desk, record } = await openDesk()
  await record({ action: 'endpoint_removed', subjectId: newId(), subject: 'https://loja.example' })
  await record({
    action: 'role_changed',
    subject: 'bia@exemplo.com.br',
    details: { role: 'Membro' },
  })
  await record({
    action: 'role_changed',
    subjectId: desk.id,
    subject: desk.email,
    details: { role: 'Proprietário' },
  })

  const { body } = await desk.get('/painel/registro')
  const rows = await rowsOf(desk)

  expect(rows[1]).toContain('bia@exemplo.com.br Membro')
  expect(body).toContain(`href="/painel/equipe/${desk.id}"`)
  expect(body).toContain('https://loja.example')
  expect(body).not.toContain('href="/painel/integracoes/')
})

test('details that are kept for programs are said in words', async () => {
  const { desk, record } = await openDesk()
  const instant = '2026-03-01T15:00:00.000Z'
  await record({ action: 'key_rolled', subject: 'Loja', details: { until: instant } })
  await record({ action: 'deliveries_resent', details: { since: instant, count: '1' } })
  await record({ action: 'endpoint_changed', details: { change: 'disabled', odd: 'como está' } })

  const rows = await rowsOf(desk)

  expect(rows[0]).toContain('como está Desativou')
  expect(rows[1]).toContain('1 entrega')
  expect(rows[1]).toContain('Falhas desde 01/03/2026 12:00')
  expect(rows[2]).toContain('Loja A antiga vale até 01/03/2026 12:00')
})

test('a customer is not named here, where nothing can be forgotten, yet is reached', async () => {
  const { desk, record } = await openDesk()
  const subjectId = newId()
  await record({ action: 'customer_changed', subjectId })

  const { body } = await desk.get('/painel/registro')

  expect(body).toContain(`<a href="/painel/clientes/${subjectId}">Ver</a>`)
})

test('what the operator did at the command line is there too', async () => {
  const { desk, record } = await openDesk()
  await record({ actor: 'Operador (linha de comando)', userId: undefined, action: 'key_created' })

  const rows = await rowsOf(desk)

  expect(rows[0]).toContain('Operador (linha de comando) —')
})

test('it is narrowed by person and by what was done, also for who is gone', async () => {
  const { desk, record } = await openDesk()
  const gone = { actor: 'saiu@exemplo.com.br', userId: newId() }
  await record({ action: 'link_paused' })
  await record({ ...gone, action: 'link_paused' })
  await record({ ...gone, action: 'sign_in' })

  const byPerson = await rowsOf(desk, `?pessoa=${gone.userId}`)
  const both = await rowsOf(desk, `?pessoa=${gone.userId}&acao=link_paused`)
  const byAction = await rowsOf(desk, '?acao=link_paused')
  const page = await desk.get(`/painel/registro?pessoa=${gone.userId}`)

  expect([byPerson.length, both.length, byAction.length]).toEqual([2, 1, 2])
  expect(both[0]).toContain('Pausou um link de pagamento saiu@exemplo.com.br')
  expect(page.body).toContain(`<option value="${gone.userId}" selected>saiu@exemplo.com.br`)
})

test('a filter without a hit offers to clear it, and one that is none narrows nothing', async () => {
  const { desk, record } = await openDesk()
  await record()

  const nothing = await desk.get('/painel/registro?acao=logo_changed')
  const nonsense = await rowsOf(desk, '?acao=<script>&pessoa=x&cursor=%00&cursor=y')

  expect(nothing.body).toContain('Limpar filtros')
  expect(nonsense).toHaveLength(1)
})

test('it is paged by key: nothing twice, nothing lost, the filter kept, while more comes in', async () => {
  const { desk, record } = await openDesk()
  for (let i = 0; i < 120; i++) {
    await record({ action: i % 2 ? 'link_paused' : 'link_resumed', subject: `n${i}.` })
  }

  const seen: string[] = []
  let path: string | undefined = '?acao=link_paused'
  while (path !== undefined) {
    seen.push(...(await rowsOf(desk, path)))
    const { body } = await desk.get(`/painel/registro${path}`)
    path = nextOf(body)?.replace('/painel/registro', '')
    await record({ action: 'link_paused', subject: 'new.' })
  }

  const subjects = seen.map((row) => row.match(/n\d+\./)?.[0])
  expect(subjects).toEqual(Array.from({ length: 60 }, (_, i) => `n${119 - 2 * i}.`))
})

test('another company’s log is not seen', async () => {
  const mine = await openDesk()
  const theirs = await openDesk()
  await theirs.record({ subject: 'segredo' })

  const rows = await rowsOf(mine.desk)
  const asked = await rowsOf(mine.desk, `?pessoa=${theirs.desk.id}`)

  expect([rows, asked]).toEqual([[], []])
})
