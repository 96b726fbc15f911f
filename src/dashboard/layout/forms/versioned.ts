// Several people at one form. It carries a mark of each value that it showed: what differs from that was
// changed by whoever sends it, and nothing else is saved. Where somebody changed the same field meanwhile,
// both values are shown, and whoever sends the form says which one stays.

import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type AuditAction, type AuditEntry, listAudit } from '../../../companies/audit.ts'
import { formatDay, formatTime, isSameDay } from '../../../format.ts'
import { conflictError } from '../../../http/errors.ts'
import { toRecord } from '../../../http/fields.ts'
import { getKeys } from '../../../record.ts'
import type { DashboardNeeds } from '../needs.ts'
import type { FieldConflict, FormVersion } from '../page.ts'
import { versionTexts } from './texts.ts'

/** Of each field what stands in it as its domain knows it; compared as JSON. */
type FieldValues = Readonly<Record<string, unknown>>
type TypedValues<Values> = { [Name in keyof Values]?: Values[Name] | undefined }
type VersionNeeds = Pick<DashboardNeeds, 'db' | 'now'>
type FieldTexts<Values> = Readonly<Record<keyof Values & string, string>>

type VersionedForm<Row, Values extends FieldValues, Saved> = {
  /** As it stands; read again where it changes while it is being saved. */
  find: () => Promise<Row>
  toValues: (row: Row) => Values
  /** As people read them, in the audit log too. */
  describe: (values: Values) => FieldTexts<Values>
  /** The same for this page alone, which may name people. */
  describeHere?: (values: Values) => FieldTexts<Values>
  labels: FieldTexts<Values>
  /** What was sent; what is absent or undefined stays. */
  typed: TypedValues<Values>
  /** By what the audit log knows a change of it. */
  audited: { action: AuditAction; subjectId?: string }
  /** Undefined where what it changes is not as `row` has it any more. */
  save: (row: Row, change: FormChange<Values>) => Promise<Saved | undefined>
}

type FormChange<Values> = {
  changed: (keyof Values & string)[]
  /** Each field before and after, for the audit log. */
  details: Record<string, string>
}

type FormConflict = { kind: 'conflict'; conflicts: FieldConflict[] }

const VERSION_FIELD = '_version'
const CHOICE_PREFIX = '_keep.'
const MARK_LENGTH = 8
const MAX_TRIES = 3
const MAX_AUDITED_LENGTH = 200
/** How far back it is looked for who made a change. */
const MAX_ENTRIES = 100

/** What is sent back is what was shown first, however often the form comes back. */
export function buildFormVersion(
  { body }: FastifyRequest,
  values: FieldValues,
  conflicts: FieldConflict[] = [],
): FormVersion {
  const { [VERSION_FIELD]: carried } = toRecord(body)
  return { value: typeof carried === 'string' ? carried : markValues(values), conflicts }
}

/** Saves what was changed, once nobody else's change is in its way. */
export async function saveVersionedForm<Row, Values extends FieldValues, Saved>(
  needs: VersionNeeds,
  request: FastifyRequest,
  form: VersionedForm<Row, Values, Saved>,
): Promise<FormConflict | { kind: 'unchanged' } | Saved> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const row = await form.find()
    const current = form.toValues(row)
    const { changed, contested } = compareValues(request.body, current, form.typed)
    if (contested.length > 0) {
      return {
        kind: 'conflict',
        conflicts: await listConflicts(needs, request, form, current, contested),
      }
    }
    if (changed.length === 0) return { kind: 'unchanged' }
    const after = form.describe({ ...current, ...pickFields(form.typed, changed) })
    const texts = { before: form.describe(current), after }
    const details = describeChanges(changed, form.labels, texts)
    const saved = await form.save(row, { changed, details })
    if (saved !== undefined) return saved
  }
  throw conflictError('changed_meanwhile', versionTexts.changing)
}

/** `valor: R$ 100,00 → R$ 110,00` for each, by its name. */
export function describeChanges<Values>(
  names: readonly (keyof Values & string)[],
  labels: FieldTexts<Values>,
  { before, after }: { before: FieldTexts<Values>; after: FieldTexts<Values> },
): Record<string, string> {
  const entries = names.map((name) => [
    name,
    versionTexts.changed(labels[name], cutText(before[name]), cutText(after[name])),
  ])
  return Object.fromEntries(entries)
}

/** These fields and no others. */
export function pickFields<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
) {
  const picked: Partial<Pick<Values, Name>> = {}
  for (const name of names) picked[name] = values[name]
  return picked
}

/** `changed`: by who sends it alone, or by their choice; `contested`: by somebody else, too. */
export function compareValues<Values extends FieldValues>(
  body: unknown,
  current: Values,
  typed: TypedValues<Values>,
) {
  const shown = readVersion(body)
  const sent = getKeys(current).filter((name) => typed[name] !== undefined)
  const judged = sent.map((name) => {
    const [mine, theirs] = [markValue(typed[name]), markValue(current[name])]
    const choice = toRecord(body)[`${CHOICE_PREFIX}${name}`]
    return { name, state: judgeField({ mine, theirs, choice, before: shown.get(name) }) }
  })
  const listFields = (wanted: FieldState) =>
    judged.filter(({ state }) => state === wanted).map(({ name }) => name)
  return { changed: listFields('changed'), contested: listFields('contested') }
}

type FieldState = 'same' | 'changed' | 'contested'

function judgeField({ mine, theirs, before, choice }: FieldMarks): FieldState {
  // A form without a mark says what it wants of what there is now.
  if (mine === theirs || mine === before) return 'same'
  if (before === undefined || before === theirs) return 'changed'
  if (choice === `mine.${theirs}`) return 'changed'
  return choice === `theirs.${theirs}` ? 'same' : 'contested'
}

type FieldMarks = { mine: string; theirs: string; before: string | undefined; choice: unknown }

async function listConflicts<Row, Values extends FieldValues, Saved>(
  { db, now }: VersionNeeds,
  { body, visitor }: FastifyRequest,
  form: VersionedForm<Row, Values, Saved>,
  current: Values,
  contested: (keyof Values & string)[],
): Promise<FieldConflict[]> {
  const { action, subjectId = null } = form.audited
  const listed = await listAudit(db, visitor.user.companyId, { action, limit: MAX_ENTRIES })
  const entries = listed.filter((entry) => entry.subjectId === subjectId)
  const { describeHere = form.describe } = form
  const audited = form.describe(current)
  const theirs = describeHere(current)
  const mine = describeHere({ ...current, ...pickFields(form.typed, contested) })
  return contested.map((name) => {
    const label = form.labels[name]
    const there = { name, label, text: theirs[name], audited: audited[name] }
    const mark = markValue(current[name])
    const choices = [
      { value: `theirs.${mark}`, text: versionTexts.keepTheirs(theirs[name]) },
      { value: `mine.${mark}`, text: versionTexts.keepMine(mine[name]) },
    ]
    const radio = `${CHOICE_PREFIX}${name}`
    const { [radio]: chosen } = toRecord(body)
    return {
      name: radio,
      sentence: `${describeTheirs(entries, there, now())}; ${versionTexts.yours(mine[name])}`,
      choices: choices.map((choice) => ({ ...choice, isChosen: choice.value === chosen })),
    }
  })
}

/** By whom it was, where the log says this very value: what it does not know came by the API. */
function describeTheirs(
  entries: AuditEntry[],
  { name, label, text, audited }: Record<'name' | 'label' | 'text' | 'audited', string>,
  now: Date,
) {
  const last = entries.find(({ details }) => details[name] !== undefined)
  if (!last?.details[name]?.endsWith(versionTexts.became(cutText(audited)))) {
    return versionTexts.bySomebody(label, text)
  }
  const { actor, createdAt } = last
  const day = isSameDay(createdAt, now) ? null : formatDay(createdAt)
  return versionTexts.byPerson(actor, label, text, versionTexts.when(day, formatTime(createdAt)))
}

function readVersion(body: unknown) {
  const { [VERSION_FIELD]: carried } = toRecord(body)
  const pairs = typeof carried === 'string' ? carried.split(' ') : []
  return new Map(pairs.map((pair) => [pair.slice(0, -MARK_LENGTH - 1), pair.slice(-MARK_LENGTH)]))
}

function markValues(values: FieldValues) {
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
