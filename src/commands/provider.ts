// `provider`: a company's accounts at providers, and the provider of each method.

import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import { OPERATOR, recordAudit } from '../companies/audit.ts'
import type { Company } from '../companies/company.ts'
import {
  isSandbox,
  PAYMENT_METHODS,
  type PaymentMethod,
  PROVIDER_NAMES,
  type ProviderName,
} from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { createLogger } from '../http/log.ts'
import { setZodMessages } from '../http/zod.ts'
import { recordSecurityChange } from '../mail/security.ts'
import {
  type AccountNeeds,
  buildNotifyUrl,
  findAccount,
  findMaskedAccount,
  saveAccount,
  testAccount,
  testAccountConfig,
} from '../providers/accounts.ts'
import { chooseProvider } from '../providers/choose.ts'
import {
  hasFailedStep,
  isOtherAccount,
  type RegisterResult,
  toRegisterSteps,
} from '../providers/connection.ts'
import type { ConnectionStep } from '../providers/provider.ts'
import { registerNotifications } from '../providers/registration.ts'
import { getAdapter, getProfile, REAL_PROVIDERS, type RealProvider } from '../providers/registry.ts'
import { toError } from '../system-error.ts'
import { texts } from '../texts.ts'
import {
  chooseEnvironment,
  findCompanyByIdOrName,
  printingInEnvironment,
} from './chosen-company.ts'
import {
  CommandError,
  type CommandResult,
  createCommand,
  formatColumns,
  translateErrors,
} from './command.ts'
import { type CommandContext, printingInContext } from './context.ts'
import { addEnvironmentCommand } from './options.ts'

const MAX_BYTES = 262_144
/** Fields of an account's configuration that are in other files, which these name, relative to it. */
const FILE_FIELDS: Record<string, { field: string; encoding: 'base64' | 'utf8' }> = {
  pfxFile: { field: 'pfx', encoding: 'base64' },
  certFile: { field: 'cert', encoding: 'utf8' },
  keyFile: { field: 'key', encoding: 'utf8' },
  caFile: { field: 'ca', encoding: 'utf8' },
}

export const command = createCommand('provider').description(
  "The providers that move a company's money.",
)

addEnvironmentCommand(command, 'set')
  .description(
    'Chooses the provider of a method, after testing the connection. With --live payments move real money from then on.',
  )
  .addOption(
    new Option('--method <METHOD>', 'How payers pay.')
      .choices(PAYMENT_METHODS)
      .makeOptionMandatory(),
  )
  .addOption(
    new Option('--provider <PROVIDER>', 'The provider.')
      .choices(PROVIDER_NAMES)
      .makeOptionMandatory(),
  )
  .option(
    '--config <FILE.json>',
    [
      'The account: fields of the provider. pfx (base64), cert, key and ca (PEM) may be given as pfxFile, certFile, keyFile and caFile instead, paths relative to FILE.',
      ...REAL_PROVIDERS.flatMap((provider) => getAdapter(provider).configHelp ?? []),
      'Absent: the saved account.',
    ].join(' '),
  )
  .option(
    '--untested',
    'Allows an account with a failing connection, or one that does not know payments in progress.',
    false,
  )
  .option(
    '--replace-webhook',
    'Replaces the notification address of another system, which then gets no more notifications.',
    false,
  )
  .action(
    printingInContext(async (at, { company, test, live, ...choice }) => {
      const pair = await findCompanyByIdOrName(at.db, company)
      const isTest = test ?? (isSandbox(choice.provider) && !live)
      return setProvider(at, chooseEnvironment(pair, { test: isTest, live }), choice)
    }),
  )

addEnvironmentCommand(command, 'show')
  .description('Shows the chosen providers, and the accounts of a company without their secrets.')
  .action(printingInEnvironment(showProviders))

addEnvironmentCommand(command, 'test')
  .description('Tests the connection to a provider: a real token, a real read.')
  .addOption(
    new Option('--provider <PROVIDER>', 'Which one.').choices(REAL_PROVIDERS).makeOptionMandatory(),
  )
  .action(
    printingInEnvironment(async (at, { id: companyId }, { provider }) => {
      const steps = await testSavedAccount(at, { companyId, provider })
      const by = { companyId, actor: OPERATOR, subject: getProfile(provider).name }
      await recordAudit(at.db, { ...by, action: 'provider_account_tested', now: at.now })
      return { json: { provider, steps }, text: formatSteps(steps), failed: hasFailedStep(steps) }
    }),
  )

type AccountRef = { companyId: string; provider: RealProvider }
type ProviderSetting = {
  method: PaymentMethod
  provider: ProviderName
  config?: string | undefined
  untested: boolean
  replaceWebhook: boolean
}

async function setProvider(
  at: CommandContext,
  company: Company,
  setting: ProviderSetting,
): Promise<CommandResult> {
  const { id: companyId, testMode } = company
  const { method, provider, config: file, replaceWebhook: replace } = setting
  if (isSandbox(provider)) {
    if (file) throw new CommandError('The sandbox has no account: leave --config out.')
    await applyProviderChoice(at, company, setting)
    const text = `Payments by ${method} in the test environment are simulated from now on.`
    return { json: { companyId, method, provider, testMode, steps: [] }, text }
  }
  const account = { companyId, provider }
  const tried = file
    ? await saveTestedAccount(at, testMode, account, { file, ...setting })
    : requirePassingSteps(await testSavedAccount(at, account), setting)
  await applyProviderChoice(at, company, setting)

  const { baseUrl } = at.config
  const asked = { ...account, baseUrl, replace, now: at.now }
  const registration = await registerNotifications(getAccountNeeds(at), asked)
  const steps = [...tried, ...toRegisterSteps(registration)]
  const row = requireFound(await findAccount(at.db, companyId, provider))
  const notifyUrl = buildNotifyUrl(baseUrl, row)
  const { byHand } = getAdapter(provider).notifications
  const said = [
    formatSteps(steps),
    `Payments by ${method} use ${provider} from now on: ${testMode ? 'tests only' : 'real money'}.`,
    `Its notification address: ${notifyUrl}`,
    ...formatKeptAddress(registration),
    ...(byHand ? [byHand] : []),
    ...(baseUrl.startsWith('https:')
      ? []
      : ['It cannot notify: BASE_URL must be public and https.']),
  ]
  const json = { companyId, method, provider, testMode, notifyUrl, registration, steps }
  return { json, text: said.join('\n') }
}

function formatKeptAddress(registration: RegisterResult) {
  if (registration.kind !== 'kept') return []
  return [
    `${registration.url} is registered there and was not replaced: payments are found by asking, with a delay.`,
    'To replace that address, so that its system gets no more notifications: --replace-webhook',
  ]
}

async function applyProviderChoice(
  { db, mail, now }: CommandContext,
  { id: companyId, testMode }: Company,
  { method, provider, untested }: ProviderSetting,
) {
  const choice = { companyId, testMode, method, provider, untested, now }
  await translateProviderErrors(() => chooseProvider(db, choice))
  await recordSecurityChange(db, mail, {
    companyId,
    testMode,
    actor: OPERATOR,
    action: 'provider_chosen',
    now,
    subject: getProfile(provider).name,
    details: { method: texts.methods[method] },
  })
}

async function saveTestedAccount(
  at: CommandContext,
  testMode: boolean,
  account: AccountRef,
  { file, untested }: { file: string; untested: boolean },
) {
  setZodMessages()
  const needs = getAccountNeeds(at)
  const asked = { ...account, config: readProviderFile(file), now: at.now }
  const tested = await translateProviderErrors(() => testAccountConfig(needs, asked))
  const steps = requirePassingSteps(tested, { untested })
  await translateProviderErrors(() => saveAccount(needs, { ...asked, steps }))
  await recordSecurityChange(at.db, at.mail, {
    companyId: account.companyId,
    testMode,
    actor: OPERATOR,
    action: 'provider_account_saved',
    now: at.now,
    subject: getProfile(account.provider).name,
  })
  return steps
}

async function testSavedAccount(at: CommandContext, account: AccountRef) {
  const tested = await testAccount(getAccountNeeds(at), { ...account, now: at.now })
  if (tested.kind === 'tested') return tested.steps
  throw new CommandError(
    `The company has no account at ${account.provider}: make one by provider set --config FILE.json.`,
  )
}

function requirePassingSteps(steps: ConnectionStep[], { untested }: { untested: boolean }) {
  if (untested || !hasFailedStep(steps)) return steps
  const why = steps.flatMap(({ ok, reason }) => (ok || !reason ? [] : [reason])).join(' ')
  const cause = isOtherAccount(steps)
    ? 'payments are in progress at another account'
    : 'the connection does not work'
  throw new CommandError(`Nothing was changed, because ${cause}: ${why}`)
}

function formatSteps(steps: ConnectionStep[]) {
  return formatColumns(steps.map(({ step, ok, reason = '' }) => [ok ? 'ok' : 'fail', step, reason]))
}

function getAccountNeeds({ db, cipher, config }: CommandContext): AccountNeeds {
  return { db, cipher, log: createLogger('silent'), allowPrivate: config.allowPrivate }
}

function translateProviderErrors<T>(work: () => Promise<T>) {
  return translateErrors(work, ({ code, errors }) => {
    const fields = errors?.map(({ field, message }) => `${field}: ${message}`).join(' ')
    return fields ? `The configuration is refused. ${fields}` : PROVIDER_ERRORS[code]
  })
}

const PROVIDER_ERRORS: Record<string, string> = {
  method_not_supported: 'The provider does not offer this method.',
  wrong_environment:
    'Use --test for test credentials and the sandbox, and --live for credentials that move real money.',
}

/** Throws a CommandError that names the wrong file. The caller checks the content. */
function readProviderFile(path: string): Record<string, unknown> {
  const config = parseJsonObject(path, readConfigFile(path, 'utf8'))
  const entries = Object.entries(config).map(([name, value]) => {
    const beside = FILE_FIELDS[name]
    if (!beside) return [name, value]
    if (typeof value !== 'string') throw new CommandError(`${name} in ${path} must be a path.`)
    return [beside.field, readConfigFile(resolve(dirname(path), value), beside.encoding)]
  })
  return Object.fromEntries(entries)
}

function readConfigFile(path: string, encoding: 'base64' | 'utf8') {
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error('it is too big')
    return readFileSync(path, encoding)
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${toError(error).message}.`)
  }
}

function parseJsonObject(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // The parser's own message quotes the text, which has secrets.
  }
  throw new CommandError(`${path} is not a JSON object.`)
}

async function showProviders(
  at: CommandContext,
  { id: companyId, testMode, pixProvider, cardProvider }: Company,
): Promise<CommandResult> {
  const found = REAL_PROVIDERS.map((provider) => findMaskedAccount(at, { companyId, provider }))
  const accounts = (await Promise.all(found)).flatMap((account) => {
    if (!account) return []
    const { notifyToken, ...shown } = account
    return { ...shown, notifyUrl: buildNotifyUrl(at.config.baseUrl, account) }
  })
  const chosen = { pix: pixProvider, credit_card: cardProvider }
  const said = [
    testMode ? 'Test environment' : 'Real environment',
    ...PAYMENT_METHODS.map((method) => `${method}: ${chosen[method] ?? 'not offered'}`),
    ...accounts.map(formatAccount),
  ]
  return { json: { companyId, testMode, chosen, accounts }, text: said.join('\n') }
}

type MaskedAccount = NonNullable<Awaited<ReturnType<typeof findMaskedAccount>>>
type AccountListing = Omit<MaskedAccount, 'notifyToken'> & { notifyUrl: string }

function formatAccount({ provider, config, notifyUrl, ...account }: AccountListing) {
  const { registration, registeredUrl, testedAt, testFailure } = account
  const tested = testedAt ? `${testedAt} ${testFailure ?? 'ok'}` : 'never since it was saved'
  const lines = Object.entries(config ?? {}).map(([name, value]) => [name, JSON.stringify(value)])
  lines.push(['notifications', notifyUrl])
  if (registration) lines.push(['registration', `${registration} ${registeredUrl ?? ''}`])
  lines.push(['tested', tested])
  const encrypted = '\n  Its configuration was encrypted with another SECRET_KEY: set it again.'
  return `\nAccount at ${provider}\n${formatColumns(lines, '  ')}${config ? '' : encrypted}`
}
