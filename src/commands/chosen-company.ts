// Finds the company that an operator names, by id or name, in the chosen environment.
import {
  type Company,
  type CompanyPair,
  findCompanyPair,
  getUsualCompany,
} from '../companies/company.ts'
import type { Database } from '../database/connect.ts'
import { isNull } from '../database/drizzle.ts'
import { requireFound } from '../database/found.ts'
import { isUuid } from '../database/id.ts'
import { companies } from '../database/tables.ts'
import { CommandError, type CommandResult } from './command.ts'
import { type CommandContext, printingInContext } from './context.ts'

type NamedCompany = { id: string; name: string }

/** Finds both environments of a company, ignoring case and accents. Throws when none or several match. */
export async function findCompanyByIdOrName(db: Database, chosen: string): Promise<CompanyPair> {
  const byId = isUuid(chosen) ? await findCompanyPair(db, chosen) : undefined
  if (byId) return byId
  const all = await listNames(db)
  const alike = all.filter(({ name }) => simplifyName(name) === simplifyName(chosen))
  const exact = alike.filter(({ name }) => name === chosen)
  const [only, ...others] = exact.length > 0 ? exact : alike
  if (!only) throw new CommandError(`There is no company "${chosen}": see company list.`)
  if (others.length > 0) {
    throw new CommandError(
      `More than one company is named "${chosen}": give its id (see company list).`,
    )
  }
  return requireFound(await findCompanyPair(db, only.id))
}

/** Finds the chosen company or, when none was chosen, the only one. */
export async function findCompanyOrOnly(db: Database, chosen: string | undefined) {
  if (chosen !== undefined) return findCompanyByIdOrName(db, chosen)
  const [only, ...others] = await listNames(db)
  if (!only) throw new CommandError('There is no company yet: create one with company create.')
  if (others.length > 0) {
    throw new CommandError('There is more than one company: give --company (see company list).')
  }
  return requireFound(await findCompanyPair(db, only.id))
}

/** Returns the ids of both environments of the chosen company; an empty list when none was chosen. */
export async function findCompanyIds(db: Database, chosen: string | undefined) {
  if (chosen === undefined) return []
  const { real, test } = await findCompanyByIdOrName(db, chosen)
  return [real.id, test.id]
}

export function formatEnvironment(testMode: boolean) {
  return testMode ? 'test' : 'real'
}

export type EnvironmentFlags = { test?: boolean | undefined; live?: boolean | undefined }

/** Returns the environment of the flags (commander allows only one), else the company's default. */
export function chooseEnvironment(pair: CompanyPair, { test, live }: EnvironmentFlags): Company {
  if (test) return pair.test
  return live ? pair.real : getUsualCompany(pair)
}

/** Makes the action of a command about one environment of a company (addEnvironmentCommand). */
export function printingInEnvironment<Options>(
  work: (at: CommandContext, company: Company, options: Options) => Promise<CommandResult>,
) {
  return printingInContext(
    async (at, options: Options & EnvironmentFlags & { company: string }) => {
      const pair = await findCompanyByIdOrName(at.db, options.company)
      return work(at, chooseEnvironment(pair, options), options)
    },
  )
}

/** Whether a row belongs to the environment of the flags; true without flags. */
export function isOfEnvironment({ test, live }: EnvironmentFlags, row: { testMode: boolean }) {
  return row.testMode ? !live : !test
}

async function listNames(db: Database): Promise<NamedCompany[]> {
  const { id, name, testOf } = companies
  return db.select({ id, name }).from(companies).where(isNull(testOf)).orderBy(id)
}

function simplifyName(name: string) {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
