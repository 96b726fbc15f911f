// Protects a form from changes by several people. The form contains a hash of each value that it showed: when another
// person changed one meanwhile, nothing is saved, and the form is shown again as it was sent, with who changed what from
// what to what, and what this form has in its place. Sending it again saves what it shows.
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type AuditAction, type AuditEntry, listAudit } from '../../companies/audit.ts'
import { formatDay, formatTime, isSameDay } from '../../format.ts'
import { conflictError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { getKeys } from '../../record.ts'
import type { DashboardNeeds } from './needs.ts'
import type { FormVersion } from './page.ts'
import { versionTexts } from './texts.ts'

/** The value of each field, as its domain has it; compared as JSON. */
export type FieldValues = Readonly<Record<string, unknown>>
type TypedValues<Values> = { [Name in keyof Values]?: Values[Name] | undefined }
type FieldTexts<Values> = Readonly<Record<keyof Values & string, string>>

type VersionedForm<Row, Values extends FieldValues, Saved> = {
  /** Reads the row; called again when the row changes during saving. */
  find: () => Promise<Row>
  toValues: (row: Row) => Values
  /** The values as the audit log has them, where it has more than this visitor may read. */
  toAuditedValues?: (row: Row) => Values
  /** The values as people read them, also in the audit log. */
  describe: (values: Values) => FieldTexts<Values>
  labels: FieldTexts<Values>
  /** The values that were sent; absent and undefined ones stay. */
  typed: TypedValues<Values>
  audited: AuditedChange<Values>
  /** Returns undefined when the row has changed since it was read. */
  save: (row: Row, change: FormChange<Values>) => Promise<Saved | undefined>
}

/** The audit entry of a change. */
type AuditedChange<Values> = {
  action: AuditAction
  subjectId?: string
  /** Whether an entry is of the current values, where its details do not have them. */
  isOf?: (entry: AuditEntry, current: Values) => boolean
}

type FormChange<Values> = {
  changed: (keyof Values & string)[]
  /** Each field before and after, for the audit log. */
  details: Record<string, string>
}

type FormConflict = { kind: 'conflict'; conflicts: string[] }

const VERSION_FIELD = '_version'
const MARK_LENGTH = 8
const MAX_TRIES = 3
const MAX_AUDITED_LENGTH = 200
/** The number of audit entries that are searched for the author of a change. */
const MAX_ENTRIES = 100

/** Keeps the version that was first shown; after a conflict it is the current one. */
export function buildFormVersion(
  { body }: FastifyRequest,
  values: FieldValues,
  conflicts: string[] = [],
): FormVersion {
  const { [VERSION_FIELD]: carried } = toRecord(body)
  const isCarried = typeof carried === 'string' && conflicts.length === 0
  return { value: isCarried ? carried : markVersion(values), conflicts }
}

/** Whether the form showed this value. */
export function isShownValue(body: unknown, name: string, value: unknown) {
  return readMarks(body).get(name) === markValue(value)
}

/** Saves the changes, unless the form is stale. */
export async function saveVersionedForm<Row, Values extends FieldValues, Saved>(
  needs: DashboardNeeds,
  { body, visitor }: FastifyRequest,
  form: VersionedForm<Row, Values, Saved>,
): Promise<FormConflict | { kind: 'unchanged' } | Saved> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const row = await form.find()
    const current = form.toValues(row)
    const changed = listChangedFields(current, form.typed)
    if (changed.length === 0) return { kind: 'unchanged' }
    const before = form.describe(current)
    const after = form.describe({ ...current, ...pickFields(form.typed, changed) })
    const stale = listStaleFields(body, current, changed)
    if (stale.length > 0) {
      const entries = await listFormEntries(needs, visitor, form.audited)
      const conflicts = stale.map((name) =>
        describeConflict(
          form,
          row,
          { name, to: before[name], sent: after[name], entries },
          needs.now(),
        ),
      )
      return { kind: 'conflict', conflicts }
    }
    const entries = changed.map((name) => [
      name,
      describeChange(form.labels[name], before[name], after[name]),
    ])
    const details = Object.fromEntries(entries)
    const saved = await form.save(row, { changed, details })
    if (saved !== undefined) return saved
  }
  throw conflictError('changed_meanwhile', versionTexts.changing)
}

/** Writes `valor: R$ 100,00 → R$ 110,00`. */
export function describeChange(label: string, before: string, after: string) {
  return versionTexts.changed(label, cutText(before), cutText(after))
}

export function pickFields<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
) {
  const picked: Partial<Pick<Values, Name>> = {}
  for (const name of names) picked[name] = values[name]
  return picked
}

/** The fields that were typed differently from the row. */
export function listChangedFields<Values extends FieldValues>(
  current: Values,
  typed: TypedValues<Values>,
) {
  return getKeys(current).filter(
    (name) => typed[name] !== undefined && markValue(typed[name]) !== markValue(current[name]),
  )
}

/** The fields to save that another person changed since the form was shown; without hashes no field is stale. */
function listStaleFields<Values extends FieldValues>(
  body: unknown,
  current: Values,
  changed: (keyof Values & string)[],
) {
  const shown = readMarks(body)
  return changed.filter((name) => shown.has(name) && shown.get(name) !== markValue(current[name]))
}

/** The hashes that the form contains, by the names of values. */
function readMarks(body: unknown) {
  const { [VERSION_FIELD]: carried } = toRecord(body)
  const pairs = typeof carried === 'string' ? carried.split(' ') : []
  return new Map(pairs.map((pair) => [pair.slice(0, -MARK_LENGTH - 1), pair.slice(-MARK_LENGTH)]))
}

/** The audit entries of changes by this form, newest first. */
async function listFormEntries<Values>(
  { db }: DashboardNeeds,
  { user }: FastifyRequest['visitor'],
  { action, subjectId }: AuditedChange<Values>,
) {
  const listed = await listAudit(db, user.companyId, { action, limit: MAX_ENTRIES })
  return listed.filter((entry) => entry.subjectId === (subjectId ?? null))
}

/** `to`: what another person saved; `sent`: what this form has in its place. */
type Conflict<Name> = { name: Name; to: string; sent: string; entries: AuditEntry[] }

/** Has no name for a change made through the API, which the audit log does not record. */
function describeConflict<Row, Values extends FieldValues, Saved>(
  form: VersionedForm<Row, Values, Saved>,
  row: Row,
  { name, to, sent, entries }: Conflict<keyof Values & string>,
  now: Date,
) {
  const label = form.labels[name]
  const entry = findChangeEntry(form, row, name, entries)
  if (!entry) return versionTexts.bySomebody(label, to) + describeSent(sent, to)
  const from = findFormer(entry, label, name, to)
  const change = { name: label, from, to, when: formatWhen(entry, now) }
  return versionTexts.byPerson(entry.actor, change) + describeSent(sent, to)
}

function describeSent(sent: string, to: string) {
  return sent === to ? '' : versionTexts.sent(sent)
}

/** Undefined unless the last entry of this field made it what it is. */
function findChangeEntry<Row, Values extends FieldValues, Saved>(
  form: VersionedForm<Row, Values, Saved>,
  row: Row,
  name: keyof Values & string,
  entries: AuditEntry[],
) {
  const { audited, describe, toValues, toAuditedValues = toValues } = form
  const { isOf } = audited
  if (isOf) return entries.find((entry) => isOf(entry, toValues(row)))
  const last = entries.find(({ details }) => details[name] !== undefined)
  const text = describe(toAuditedValues(row))[name]
  return last?.details[name]?.endsWith(versionTexts.became(cutText(text))) ? last : undefined
}

/** Null where the log has no values, or more of them than this visitor may read. */
function findFormer({ details }: AuditEntry, label: string, name: string, to: string) {
  const became = versionTexts.became(cutText(to))
  const logged = details[name]
  return logged?.endsWith(became) ? logged.slice(`${label}: `.length, -became.length) : null
}

function formatWhen({ createdAt }: AuditEntry, now: Date) {
  const day = isSameDay(createdAt, now) ? null : formatDay(createdAt)
  return versionTexts.when(day, formatTime(createdAt))
}

function markVersion(values: FieldValues) {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${markValue(value)}`)
    .join(' ')
}

function markValue(value: unknown) {
  return hash('sha256', JSON.stringify(value ?? null), 'base64url').slice(0, MARK_LENGTH)
}

function cutText(text: string) {
  return text.length > MAX_AUDITED_LENGTH ? `${text.slice(0, MAX_AUDITED_LENGTH - 1)}…` : text
}
