// Migrations run beside processes that go on writing, of this version and of the one before. A new one that
// would hold those up, or break them, does not pass.

import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { expect, test } from 'vitest'
import { listMigrations, parseMigration } from '../../../src/database/migrations/files.ts'
import { findMigrationProblems, listCreatedTables } from '../../support/migrations/rules.ts'
import landed from './landed.json' with { type: 'json' }

const MIGRATIONS = listMigrations()
const TABLES = ['events', 'transactions', 'companies']

const findProblems = (text: string) => findMigrationProblems(parseMigration('new', 0, text), TABLES)
const findOnlineProblems = (text: string) => findProblems(`-- online\n${text}`)

test('no migration holds up who writes, or breaks the version before', () => {
  // The first one runs in an empty database.
  const problems = MIGRATIONS.slice(1).flatMap((migration, i) =>
    findMigrationProblems(
      migration,
      MIGRATIONS.slice(0, i + 1).flatMap((earlier) => listCreatedTables(earlier)),
    ).map((problem) => `${migration.tag}: ${problem}`),
  )

  expect(problems).toEqual([])
})

test('a migration that has landed is never edited: each stands here as databases have run it', () => {
  const hashes = Object.fromEntries(MIGRATIONS.map(({ tag, hash }) => [tag, hash]))

  // A new one is added to landed.json with its hash; a line that stands there never changes.
  expect(hashes).toEqual(landed)
})

test('a database that drizzle-kit migrated is one that we have migrated', () => {
  const theirs = readMigrationFiles({
    migrationsFolder: join(import.meta.dirname, '../../../migrations'),
  })

  expect(MIGRATIONS.map(({ when, hash, statements }) => [when, hash, statements])).toEqual(
    theirs.map(({ folderMillis, hash, sql }) => [folderMillis, hash, sql]),
  )
})

test.each([
  ['an index on a table in use', 'CREATE INDEX "i" ON "events" USING btree ("type");'],
  ['a unique index on one', 'CREATE UNIQUE INDEX "i" ON "events" USING btree ("type");'],
  ['one that a transaction cannot build', 'CREATE INDEX CONCURRENTLY "i" ON "events" ("type");'],
  ['a check of every row', 'ALTER TABLE "events" ADD CONSTRAINT "c" CHECK (type <> \'\');'],
  [
    'a foreign key of every row',
    'ALTER TABLE "events" ADD CONSTRAINT "c" FOREIGN KEY ("x") REFERENCES "public"."companies"("id");',
  ],
  ['a constraint that is unique', 'ALTER TABLE "events" ADD CONSTRAINT "c" UNIQUE("type");'],
  [
    'a check that is validated in the same transaction',
    'ALTER TABLE "events" ADD CONSTRAINT "c" CHECK (true) NOT VALID;--> statement-breakpoint\nALTER TABLE "events" VALIDATE CONSTRAINT "c";',
  ],
  ['a column that must be filled', 'ALTER TABLE "events" ALTER COLUMN "type" SET NOT NULL;'],
  ['another type', 'ALTER TABLE "companies" ALTER COLUMN "name" SET DATA TYPE varchar;'],
  ['a new id for each row', 'ALTER TABLE "events" ADD COLUMN "n" uuid DEFAULT gen_random_uuid();'],
  ['a number for each row', 'ALTER TABLE "events" ADD COLUMN "n" bigserial;'],
  [
    'a column that is worked out',
    'ALTER TABLE "events" ADD COLUMN "n" int GENERATED ALWAYS AS (1) STORED;',
  ],
  [
    'a column that points elsewhere',
    'ALTER TABLE "events" ADD COLUMN "c" uuid REFERENCES companies;',
  ],
  ['a column that older rows lack', 'ALTER TABLE "companies" ADD COLUMN "n" int NOT NULL;'],
  ['a column gone', 'ALTER TABLE "companies" DROP COLUMN "name";'],
  ['a table gone', 'DROP TABLE "companies";'],
  ['another name', 'ALTER TABLE "companies" RENAME COLUMN "name" TO "title";'],
  ['an index of another space', 'ALTER INDEX "i" SET TABLESPACE fast;'],
  ['no default any more', 'ALTER TABLE "companies" ALTER COLUMN "city" DROP DEFAULT;'],
  ['every row changed at once', 'UPDATE "events" SET "type" = \'x\';'],
  ['every row changed by way of a query', 'WITH o AS (SELECT 1) DELETE FROM events USING o;'],
  [
    'all of a table read while others wait',
    'INSERT INTO t SELECT p.id FROM companies c JOIN transactions p ON true;',
  ],
  ['a block that hides what it does', 'DO $$ BEGIN LOCK TABLE events; END $$;'],
  ['a locked table', 'LOCK TABLE events;'],
  ['all rows gone', 'TRUNCATE events;'],
  ['a statement of an unknown kind', 'ALTER TABLE "events" SET LOGGED;'],
])('%s is refused', (_, text) => {
  expect(findProblems(text)).toHaveLength(1)
})

test.each([
  ['an index', 'CREATE INDEX CONCURRENTLY "i" ON "events" ("type");'],
  ['one that others wait for', 'CREATE INDEX IF NOT EXISTS "i" ON "events" ("type");'],
  ['a check', 'ALTER TABLE "events" ADD CONSTRAINT "c" CHECK (true) NOT VALID;'],
  ['a column', 'ALTER TABLE "events" ADD COLUMN "n" integer;'],
  ['a table', 'CREATE TABLE "t" ("id" uuid);'],
  ['rows', 'INSERT INTO "events" VALUES (1);'],
  [
    'rows added up',
    'INSERT INTO "t" SELECT 1 ON CONFLICT (id) DO UPDATE SET n = t.n + excluded.n;',
  ],
  ['an index gone', 'DROP INDEX "i";'],
])('what is run outside a transaction may be run twice: %s', (_, text) => {
  expect(findOnlineProblems(text).join()).toMatch(/cannot be run twice/)
})

test.each([
  [
    'a table with all that it has',
    'CREATE TABLE "t" ("id" uuid NOT NULL, "e" uuid NOT NULL);--> statement-breakpoint\nALTER TABLE "t" ADD CONSTRAINT "c" FOREIGN KEY ("e") REFERENCES "public"."events"("id");--> statement-breakpoint\nCREATE INDEX "i" ON "t" USING btree ("e");',
  ],
  ['a column', 'ALTER TABLE "events" ADD COLUMN "n" integer;'],
  [
    'a number for each row from now on',
    'CREATE SEQUENCE "s";--> statement-breakpoint\nALTER TABLE "events" ADD COLUMN "n" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint\nALTER TABLE "events" ALTER COLUMN "n" SET DEFAULT nextval(\'s\');',
  ],
  [
    'a column with a constant',
    'ALTER TABLE "events" ADD COLUMN "n" boolean DEFAULT false NOT NULL;',
  ],
  [
    'a column with the time',
    'ALTER TABLE "events" ADD COLUMN "n" timestamp DEFAULT now() NOT NULL;',
  ],
  ['a check for what comes', 'ALTER TABLE "events" ADD CONSTRAINT "c" CHECK (n > 0) NOT VALID;'],
  ['a setting of an index', 'ALTER INDEX "i" SET (fillfactor = 80);'],
  ['an index of a small table', 'CREATE INDEX "i" ON "companies" USING btree ("name");'],
  ['a check of a small table', 'ALTER TABLE "companies" ADD CONSTRAINT "c" CHECK (n > 0);'],
  [
    'a trigger',
    'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE events SET n = 1; END $$;--> statement-breakpoint\nCREATE TRIGGER t AFTER UPDATE OF n ON events EXECUTE FUNCTION f();',
  ],
  ['rows of a small table', 'UPDATE "companies" SET "n" = 1;'],
])('%s is added', (_, text) => {
  expect(findProblems(text)).toEqual([])
})

test.each([
  ['an index', 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "events" ("type");'],
  ['an index gone', 'DROP INDEX CONCURRENTLY IF EXISTS "i";'],
  [
    'a table filled from another',
    'INSERT INTO "t" SELECT id FROM "events" ON CONFLICT DO NOTHING;',
  ],
  [
    'a column of another filled from it',
    'INSERT INTO "t" SELECT id, n FROM "events" ON CONFLICT (id) DO UPDATE SET n = excluded.n WHERE t.n IS NULL;',
  ],
  ['a column', 'ALTER TABLE "events" ADD COLUMN IF NOT EXISTS "n" integer;'],
  [
    'a check of every row, and with it a column that is filled',
    `ALTER TABLE "events" DROP CONSTRAINT IF EXISTS "c", ADD CONSTRAINT "c" CHECK (n IS NOT NULL) NOT VALID;
--> statement-breakpoint
ALTER TABLE "events" VALIDATE CONSTRAINT "c";
--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "n" SET NOT NULL;`,
  ],
])('%s is made while others write', (_, text) => {
  expect(findOnlineProblems(text)).toEqual([])
})
