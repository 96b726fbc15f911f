// Who is sent the closing of each month: a box for each person who may be, saved where it was changed.

import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { toRecord } from '../../http/fields.ts'
import {
  type ClosingReader,
  listPossibleReaders,
  saveClosingReaders,
} from '../../reports/closing/readers.ts'
import { saveVersionedForm } from '../layout/forms/versioned.ts'
import { type DashboardNeeds, getAuditActor } from '../layout/needs.ts'
import { toStringList } from '../links/metadata.ts'
import { closingPageTexts } from './texts.ts'

/** Of the people who stood in the form: who was ticked. */
export function readChosenReaders(body: unknown): Record<string, boolean> {
  const { people, chosen } = toRecord(body)
  const ticked = toStringList(chosen)
  return Object.fromEntries(toStringList(people).map((id) => [id, ticked.includes(id)]))
}

export function toReaderValues(people: readonly ClosingReader[]): Record<string, boolean> {
  return Object.fromEntries(people.map(({ id, isChosen }) => [id, isChosen]))
}

export async function saveChosenReaders(
  needs: Pick<DashboardNeeds, 'db' | 'now'>,
  request: FastifyRequest,
) {
  const { db } = needs
  const { companyId } = request.visitor.user
  const people = await listPossibleReaders(db, companyId)
  const { sentence, yes, no } = closingPageTexts.readers
  const toWord = ([id, is]: [string, unknown]) => [id, is === true ? yes : no]
  return saveVersionedForm(needs, request, {
    find: () => listPossibleReaders(db, companyId),
    toValues: toReaderValues,
    describe: (values) => Object.fromEntries(Object.entries(values).map(toWord)),
    labels: Object.fromEntries(people.map(({ id, email }) => [id, sentence(email)])),
    ...{ typed: readChosenReaders(request.body), audited: { action: 'settings_changed' } },
    async save(before, { changed, details }) {
      const now = needs.now()
      const typed = readChosenReaders(request.body)
      const chosen = Object.fromEntries(changed.map((id) => [id, typed[id] === true]))
      const saved = await saveClosingReaders(db, companyId, { before, chosen, now })
      if (saved.kind === 'changed') return undefined
      const entry = { action: 'settings_changed', details, now } as const
      await recordAudit(db, { ...getAuditActor(request), ...entry })
      return saved
    },
  })
}
