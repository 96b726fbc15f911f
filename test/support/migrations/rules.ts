// Judges migrations by their text: refuses statements that would block writers, or break the previous version,
// which still runs beside the new one. A statement of an unknown kind is refused.
import type { Migration } from '../../../src/database/migrations/files.ts'

/** A row for each company, person, key or endpoint: read whole in a moment. */
const SMALL_TABLES = new Set([
  'api_keys',
  'companies',
  'company_logos',
  'installation',
  'invitations',
  'password_resets',
  'provider_accounts',
  'sessions',
  'users',
  'webhook_endpoints',
])

type Rules = {
  isOnline: boolean
  /** Whether others write there by the time that the migration runs. */
  isKnown(table: string): boolean
  isBig(table: string): boolean
  /** The whole migration, for what one statement makes harmless in another. */
  all: string
}

/** One line for each thing that is wrong; `tables` are those that earlier migrations made. */
export function findMigrationProblems(migration: Migration, tables: Iterable<string>): string[] {
  const statements = migration.statements.flatMap(splitStatements)
  const own = new Set(listCreatedTables(migration))
  const known = new Set([...tables].filter((table) => !own.has(table)))
  const rules: Rules = {
    isOnline: migration.isOnline,
    isKnown: (table) => known.has(table),
    isBig: (table) => known.has(table) && !SMALL_TABLES.has(table),
    all: statements.join('\n'),
  }
  return statements.flatMap((text) =>
    findStatementProblems(text, rules).map((problem) => `${problem}: ${text}`),
  )
}

export function listCreatedTables({ statements }: Migration): string[] {
  const made = statements.flatMap(splitStatements).map((text) => CREATE_TABLE.exec(text)?.[1])
  return made.filter((name) => name !== undefined)
}

const CREATE_TABLE = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/i
const CREATE_INDEX =
  /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(IF NOT EXISTS )?\w+ ON (?:ONLY )?(\w+)/i
const DROP_INDEX = /^DROP INDEX (CONCURRENTLY )?(IF EXISTS )?/i
const ALTER_TABLE = /^ALTER TABLE (?:ONLY )?(\w+) (.*)$/i
const WRITES_ROWS = /\b(?:UPDATE|DELETE FROM|MERGE INTO) (?:ONLY )?(\w+)/gi
const READS_ROWS = /(?:\bFROM|\bJOIN|,) (\w+)/gi
const INSERT = /\bINSERT INTO /i
const REPEATABLE_INSERT =
  /^INSERT INTO .* ON CONFLICT (?:DO NOTHING|\(\w+\) DO UPDATE SET \w+ = excluded\.\w+(?:, \w+ = excluded\.\w+)*(?: WHERE [^;]+)?)$/i
const HARMLESS =
  /^(?:CREATE (?:UNLOGGED )?TABLE|CREATE SEQUENCE|CREATE (?:OR REPLACE )?(?:FUNCTION|TRIGGER)|DROP (?:FUNCTION|TRIGGER)|ALTER INDEX \w+ SET(?= \()|INSERT INTO|UPDATE|DELETE FROM|WITH|COMMENT ON) /i
/** Tables and columns that only versions of before `0000_first` read or write. */
const UNREAD_TABLE =
  /^DROP TABLE IF EXISTS (?:(?:search_entries|revenue_changes|daily_\w+|link_revenue|payment_returns)(?:, | CASCADE$|$))+/i
const UNREAD_COLUMN =
  /^DROP IF EXISTS (?:logo_\w+|closed_month|(?:card|pix)_test_mode|gets_closings|undone_at|kept_ids|dark_content|payout_days|by_installment)$/i

function findStatementProblems(text: string, rules: Rules): string[] {
  const index = CREATE_INDEX.exec(text)
  if (index) return findIndexProblems(index, rules)
  const drop = DROP_INDEX.exec(text)
  if (drop) return rules.isOnline && !(drop[1] && drop[2]) ? [NOT_TWICE] : []
  const alter = ALTER_TABLE.exec(text)
  if (alter) return findTableProblems(alter[1]!, alter[2]!, rules)
  if (UNREAD_TABLE.test(text)) return []
  return HARMLESS.test(text) ? findWriteProblems(text, rules) : ['its kind is unknown']
}

function findWriteProblems(text: string, { isOnline, isBig }: Rules) {
  if (isOnline) return REPEATABLE_INSERT.test(text) ? [] : [NOT_TWICE]
  const written = CREATE_FUNCTION.test(text) ? [] : [...text.matchAll(WRITES_ROWS)]
  const isLocked = written.some(([, table]) => isBig(table!))
  if (isLocked) return ['it holds every row that it changes until all are changed']
  // What the statements before it have locked, a trigger's table for one, stays locked meanwhile.
  const read = INSERT.test(text) ? [...text.matchAll(READS_ROWS)] : []
  return read.some(([, table]) => isBig(table!)) ? [ONLINE_ONLY] : []
}

const CREATE_FUNCTION = /^CREATE (?:OR REPLACE )?(?:FUNCTION|TRIGGER) /i
const NOT_TWICE = 'it cannot be run twice'
const ONLINE_ONLY = 'only an online migration can do it while others write'

function findIndexProblems([, concurrently, ifMissing, table]: RegExpExecArray, rules: Rules) {
  if (concurrently && !rules.isOnline) return [ONLINE_ONLY]
  if (rules.isOnline && !(concurrently && ifMissing)) return [NOT_TWICE]
  return rules.isBig(table!) && !concurrently ? ['it locks the table while the index is built'] : []
}

function findTableProblems(table: string, text: string, rules: Rules): string[] {
  if (!rules.isKnown(table)) return rules.isOnline ? ['it belongs where the table is made'] : []
  const actions = splitActions(text)
  const isBig = rules.isBig(table)
  return actions.flatMap((action) => [
    ...findOlderVersionProblems(action),
    ...(isBig ? findLockProblems(action, rules) : []),
    ...(rules.isOnline && !isRepeatable(action, actions) ? [NOT_TWICE] : []),
    ...(KNOWN_ACTION.test(action) ? [] : ['its kind is unknown']),
  ])
}

const KNOWN_ACTION = /^(?:ADD|DROP|RENAME|ALTER|VALIDATE CONSTRAINT) /i
const ADD_COLUMN = /^ADD (?!CONSTRAINT )(IF NOT EXISTS )?\w+ (.*)$/i

/** What the version before this one would not survive. */
function findOlderVersionProblems(action: string): string[] {
  if (/^RENAME /i.test(action)) return ['the version before knows only the old name']
  if (UNREAD_COLUMN.test(action)) return []
  if (/^DROP (?!CONSTRAINT )/i.test(action)) return ['the version before still uses it']
  if (/^ALTER \w+ DROP DEFAULT/i.test(action)) {
    return ['the version before leaves it to the default']
  }
  // Its indexes are built again, and no row is written: some seconds for a million payments.
  if (/^ALTER \w+ SET DATA TYPE text COLLATE C$/i.test(action)) return []
  if (/^ALTER \w+ (?:SET DATA )?TYPE /i.test(action)) {
    return ['it writes the table anew, and the version before knows only the old type']
  }
  const column = ADD_COLUMN.exec(action)?.[2] ?? ''
  const isFilled = /\b(?:DEFAULT|GENERATED)\b/i.test(column)
  return /\bNOT NULL\b/i.test(column) && !isFilled
    ? ['the version before inserts rows without it']
    : []
}

/** What reads or writes all of a table while others may not write there. */
function findLockProblems(action: string, rules: Rules): string[] {
  const column = ADD_COLUMN.exec(action)?.[2]
  if (column !== undefined) return findColumnProblems(column)
  if (/^ADD CONSTRAINT /i.test(action) && !/NOT VALID$/i.test(action)) return [READS_ALL]
  if (/^VALIDATE CONSTRAINT /i.test(action) && !rules.isOnline) return [ONLINE_ONLY]
  const filled = /^ALTER (\w+) SET NOT NULL/i.exec(action)?.[1]
  return filled === undefined || isKnownFilled(filled, rules) ? [] : [READS_ALL]
}

const READS_ALL = 'it reads all of the table: a constraint is added NOT VALID, and validated online'

function findColumnProblems(column: string) {
  if (REWRITING_COLUMN.test(column)) return ['it writes the table anew']
  return CHECKED_COLUMN.test(column) ? [READS_ALL] : []
}

const REWRITING_COLUMN =
  /\b(?:(?:small|big)?serial|GENERATED)\b|\bDEFAULT (?!now\(\)|current_timestamp\b)\(?\w+\(/i
const CHECKED_COLUMN = /\b(?:REFERENCES|UNIQUE|CHECK|PRIMARY KEY)\b/i

/** By a check that was validated before: then Postgres does not look again. */
function isKnownFilled(column: string, { isOnline, all }: Rules) {
  const check = new RegExp(`ADD CONSTRAINT (\\w+) CHECK \\(${column} IS NOT NULL\\)`, 'i').exec(all)
  return isOnline && check !== null && all.includes(`VALIDATE CONSTRAINT ${check[1]}`)
}

function isRepeatable(action: string, actions: string[]) {
  const added = /^ADD CONSTRAINT (\w+)/i.exec(action)?.[1]
  if (added) {
    const gone = new RegExp(`^DROP CONSTRAINT IF EXISTS ${added}$`, 'i')
    return actions.slice(0, actions.indexOf(action)).some((earlier) => gone.test(earlier))
  }
  const column = ADD_COLUMN.exec(action)
  if (column) return column[1] !== undefined
  return /^(?:DROP CONSTRAINT IF EXISTS|VALIDATE CONSTRAINT|ALTER) /i.test(action)
}

/** As one line each, without comments, quotes, the bodies of functions and what texts say. */
function splitStatements(chunk: string): string[] {
  return chunk
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, 'body')
    .replace(/'(?:[^']|'')*'/g, 'text')
    .replaceAll('"', '')
    .replace(/\bpublic\./g, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

/** By the commas outside of brackets. */
function splitActions(text: string): string[] {
  let depth = 0
  const actions = ['']
  for (const letter of text) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += letter
  }
  // The word is left out by some, and is also a name.
  return actions.map((action) => action.trim().replace(/^(ADD|ALTER|DROP|RENAME) COLUMN /i, '$1 '))
}
