// The log of who did what in a company.

import { expect, test } from 'vitest'
import {
  AUDIT_ACTIONS,
  listAudit,
  type NewAuditEntry,
  recordAudit,
} from '../../src/companies/audit.ts'
import { auditTexts } from '../../src/companies/texts.ts'
import { newId } from '../../src/database/id.ts'
import { openTestApp } from '../support/test-app.ts'

const { db, newCompany } = await openTestApp()

const NOW = new Date('2026-03-01T12:00:00.000Z')

const record = (companyId: string, more: Partial<NewAuditEntry> = {}) =>
  recordAudit(db, {
    ...{ companyId, actor: 'ana@exemplo.com.br', action: 'sign_in', now: NOW },
    ...more,
  })

test('an entry tells who did what to whom, from where and when', async () => {
  const { id: companyId, realId } = await newCompany()
  const [userId, linkId] = [newId(), newId()]
  const entry = {
    ...{ userId, subjectId: linkId, subject: 'Bolo de cenoura', address: '203.0.113.7' },
    details: { amount: 'R$ 19,90' },
  }

  await record(companyId, { ...entry, action: 'link_created' })
  await record(companyId, { action: 'sign_out' })

  expect(await listAudit(db, companyId, { limit: 10 })).toEqual([
    {
      id: expect.any(String),
      ...{
        companyId: realId,
        testMode: true,
        actor: 'ana@exemplo.com.br',
        userId: null,
        action: 'sign_out',
      },
      ...{ subjectId: null, subject: null, details: {}, address: null },
      createdAt: NOW.toISOString(),
    },
    expect.objectContaining({ ...entry, action: 'link_created', createdAt: NOW.toISOString() }),
  ])
})

test('entries are paged, newest first, without gap or repeat while new ones come', async () => {
  const { id: companyId } = await newCompany()
  for (let i = 0; i < 7; i++) await record(companyId, { subject: String(i) })

  const first = await listAudit(db, companyId, { limit: 3 })
  await record(companyId, { subject: 'new' })
  const second = await listAudit(db, companyId, { limit: 3, before: first.at(-1)!.id })
  const third = await listAudit(db, companyId, { limit: 3, before: second.at(-1)!.id })

  const subjects = [first, second, third].map((page) => page.map(({ subject }) => subject).join(''))
  expect(subjects).toEqual(['654', '321', '0'])
})

test('entries are narrowed by what was done, by whom, or both', async () => {
  const { id: companyId } = await newCompany()
  const [ana, bia] = [newId(), newId()]
  await record(companyId, { userId: ana, subject: 'a' })
  await record(companyId, { userId: ana, action: 'sign_out', subject: 'b' })
  await record(companyId, { userId: bia, subject: 'c' })
  const found = async (wanted: Partial<Parameters<typeof listAudit>[2]>) =>
    (await listAudit(db, companyId, { limit: 10, ...wanted }))
      .map(({ subject }) => subject)
      .join('')

  expect(await found({ action: 'sign_in' })).toBe('ca')
  expect(await found({ userId: ana })).toBe('ba')
  expect(await found({ userId: ana, action: 'sign_in' })).toBe('a')
  expect(await found({ userId: newId() })).toBe('')
  expect(await found({ userId: 'nada' })).toBe('')
  expect(await found({ before: 'nada' })).toBe('')
})

test('every action has a sentence of its own that fits a column', () => {
  const sentences = AUDIT_ACTIONS.map((action) => auditTexts[action])

  expect(AUDIT_ACTIONS.length).toBeGreaterThan(35)
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}[\p{L} -]{5,40}$/u)
})
