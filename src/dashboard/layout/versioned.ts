// Protects a form from changes by several people. The form contains a hash of each value that it showed: when another
// person changed one meanwhile, nothing is saved, and the form is shown again with who changed what and when. It also has
// a hash of each field as it was shown, so that fields that were not touched then show the new values.
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
type VersionNeeds = Pick<DashboardNeeds, 'db' | 'now'>
type FieldTexts<Values> = Readonly<Record<keyof Values & string, string>>

type VersionedForm<Row, Values extends FieldValues, Saved> = {
  /** Reads the row; called again when the row changes during saving. */
  find: () => Promise<Row>
  toValues: (row: Row) => Values
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

/**
 * Keeps the version that was first shown; after a conflict it is the current one.
 * @param form the current values as the form's fields
 */
export function buildFormVersion(
  { body }: FastifyRequest,
  { values, form }: { values: FieldValues; form: unknown },
  conflicts: string[] = [],
): FormVersion {
  const { [VERSION_FIELD]: carried } = toRecord(body)
  const isCarried = typeof carried === 'string' && conflicts.length === 0
  return { value: isCarried ? carried : markVersion(values, toRecord(form)), conflicts }
}

/** Returns the typed form with the current values in the fields that were not touched. */
export function replaceUntouched<Form>({ body }: FastifyRequest, typed: Form, current: Form): Form {
  const sent = toRecord(typed)
  const untouched = Object.entries(toRecord(current)).filter(
    ([name, value]) => value != null && isUntouched(body, name, sent[name]),
  )
  return { ...typed, ...Object.fromEntries(untouched) }
}

/** Whether the form sends this field as it was shown. */
export function isUntouched(body: unknown, name: string, sent: unknown) {
  return readMarks(body).get(toMarkedField(name)) === markField(sent)
}

/** Saves the changes, unless the form is stale. */
export async function saveVersionedForm<Row, Values extends FieldValues, Saved>(
  needs: VersionNeeds,
  { body, visitor }: FastifyRequest,
  form: VersionedForm<Row, Values, Saved>,
): Promise<FormConflict | { kind: 'unchanged' } | Saved> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const row = await form.find()
    const current = form.toValues(row)
    const changed = listChangedFields(current, form.typed)
    if (changed.length === 0) return { kind: 'unchanged' }
    const stale = listStaleFields(body, current)
    if (stale.length > 0) {
      const { companyId } = visitor.user
      const conflicts = await describeConflicts(needs, companyId, form, current, stale)
      return { kind: 'conflict', conflicts }
    }
    const before = form.describe(current)
    const after = form.describe({ ...current, ...pickFields(form.typed, changed) })
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

/** The fields that another person changed since the form was shown; without hashes no field is stale. */
function listStaleFields<Values extends FieldValues>(body: unknown, current: Values) {
  const shown = readMarks(body)
  return getKeys(current).filter(
    (name) => shown.has(name) && shown.get(name) !== markValue(current[name]),
  )
}

/** The hashes that the form contains, by the names of values and fields. */
function readMarks(body: unknown) {
  const { [VERSION_FIELD]: carried } = toRecord(body)
  const pairs = typeof carried === 'string' ? carried.split(' ') : []
  return new Map(pairs.map((pair) => [pair.slice(0, -MARK_LENGTH - 1), pair.slice(-MARK_LENGTH)]))
}

async function describeConflicts<Row, Values extends FieldValues, Saved>(
  { db, now }: VersionNeeds,
  companyId: string,
  { audited, describe, labels }: VersionedForm<Row, Values, Saved>,
  current: Values,
  stale: (keyof Values & string)[],
): Promise<string[]> {
  const { action, subjectId = null, isOf } = audited
  const listed = await listAudit(db, companyId, { action, limit: MAX_ENTRIES })
  const entries = listed.filter((entry) => entry.subjectId === subjectId)
  const texts = describe(current)
  return stale.map((name) => {
    const [label, text] = [labels[name], texts[name]]
    const entry = isOf
      ? entries.find((one) => isOf(one, current))
      : findEntryOf(entries, name, text)
    return entry ? describeAuthor(entry, label, text, now()) : versionTexts.bySomebody(label, text)
  })
}

/** Undefined unless the audit log has exactly this value: other changes came through the API. */
function findEntryOf(entries: AuditEntry[], name: string, text: string) {
  const last = entries.find(({ details }) => details[name] !== undefined)
  return last?.details[name]?.endsWith(versionTexts.became(cutText(text))) ? last : undefined
}

function describeAuthor({ actor, createdAt }: AuditEntry, label: string, text: string, now: Date) {
  const day = isSameDay(createdAt, now) ? null : formatDay(createdAt)
  return versionTexts.byPerson(actor, label, text, versionTexts.when(day, formatTime(createdAt)))
}

function markVersion(values: FieldValues, form: Record<string, unknown>) {
  const marks = [
    ...Object.entries(values).map(([name, value]) => [name, markValue(value)]),
    ...Object.entries(form).map(([name, value]) => [toMarkedField(name), markField(value)]),
  ]
  return marks.map((mark) => mark.join('=')).join(' ')
}

/** A value and its field may have the same name. */
function toMarkedField(name: string) {
  return `.${name}`
}

/** Browsers send text areas with other line breaks, and nothing for an unticked box. */
function markField(value: unknown) {
  const sent = typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value
  return markValue(sent || null)
}

function markValue(value: unknown) {
  return hash('sha256', JSON.stringify(value ?? null), 'base64url').slice(0, MARK_LENGTH)
}

function cutText(text: string) {
  return text.length > MAX_AUDITED_LENGTH ? `${text.slice(0, MAX_AUDITED_LENGTH - 1)}…` : text
}
