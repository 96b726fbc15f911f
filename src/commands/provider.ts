// Who moves a company's money: its accounts at providers, and which of them is chosen for each method.

import { OPERATOR, recordAudit } from '../companies/audit.ts'
import type { Company } from '../companies/company.ts'
import { METHODS, type Method, PROVIDER_NAMES, type ProviderName } from '../database/enums.ts'
import { AppError } from '../http/errors.ts'
import { newLogger } from '../http/log.ts'
import {
  type AccountNeeds,
  findAccount,
  notifyUrlOf,
  registerNotifications,
  saveAccount,
  showAccount,
  testAccount,
  tryConfig,
} from '../providers/accounts.ts'
import { chooseProvider } from '../providers/choose.ts'
import type { ConnectionStep } from '../providers/provider.ts'
import { REAL_PROVIDERS, type RealProvider } from '../providers/registry.ts'
import { providerAccountTexts } from '../providers/texts.ts'
import { texts } from '../texts.ts'
import {
  type Commands,
  columns,
  command,
  type Option,
  Refusal,
  type Result,
  required,
} from './command.ts'
import { findChosen } from './company.ts'
import { type At, atHome } from './context.ts'
import { companyOption, flag, oneOf } from './options.ts'
import { readProviderFile } from './provider-file.ts'

const NAMES = providerAccountTexts.providers

const configOption: Option<string> = {
  value: 'FILE.json',
  about:
    'The account: fields of the provider. pfx (base64), cert, key and ca (PEM) may be given as pfxFile, certFile, keyFile and caFile instead, paths relative to FILE. Absent: the account there is.',
  parse: (path) => path || undefined,
  must: 'the path of a JSON file',
}

export const commands: Commands = {
  set: command({
    about:
      'Chooses who moves what is paid by a method, after the connection was tried. With an account that is not for tests, money is real from then on.',
    options: {
      company: required(companyOption),
      method: required(oneOf(METHODS, 'How payers pay.')),
      provider: required(oneOf(PROVIDER_NAMES, 'Who moves the money.')),
      config: configOption,
      untested: flag('Also where the connection does not work.'),
    },
    run: ({ company, untested = false, ...choice }) =>
      atHome(async (at) => {
        const { id: companyId } = await findChosen(at.db, company)
        return set(at, { ...choice, companyId, untested, now: at.now })
      }),
  }),

  show: command({
    about: 'Shows who is chosen, and the accounts of a company without their secrets.',
    options: { company: required(companyOption) },
    run: ({ company }) => atHome(async (at) => show(at, await findChosen(at.db, company))),
  }),

  test: command({
    about: 'Tries the connection to a provider: a real token, a real read.',
    options: {
      company: required(companyOption),
      provider: required(oneOf(REAL_PROVIDERS, 'Which one.')),
    },
    run: ({ company, provider }) =>
      atHome(async (at) => {
        const { id: companyId } = await findChosen(at.db, company)
        const steps = await testExisting(at, { companyId, provider })
        return { json: { provider, steps }, text: listed(steps), failed: hasFailed(steps) }
      }),
  }),
}

type Account = { companyId: string; provider: RealProvider }
type Choice = {
  companyId: string
  method: Method
  provider: ProviderName
  config: string | undefined
  untested: boolean
  now: Date
}

async function set(at: At, { config: file, ...choice }: Choice): Promise<Result> {
  const { companyId, method, provider, now } = choice
  if (provider === 'sandbox') {
    if (file) throw new Refusal('The sandbox has no account: leave --config out.')
    await choose(at, choice)
    const text = `What is paid by ${method} is pretended from now on.`
    return { json: { companyId, method, provider, testMode: true, steps: [] }, text }
  }
  const account = { companyId, provider }
  const tried = file
    ? await save(at, account, { file, ...choice })
    : requireWorking(await testExisting(at, account), choice)
  await choose(at, choice)

  const { baseUrl } = at.config
  const registered = await registerNotifications(needsAt(at), { ...account, baseUrl, now })
  const steps = registered ? [...tried, registered] : tried
  const row = (await findAccount(at.db, companyId, provider))!
  const notifyUrl = notifyUrlOf(baseUrl, row)
  const said = [
    listed(steps),
    `What is paid by ${method} goes to ${provider} from now on: ${row.testMode ? 'tests only' : 'real money'}.`,
    `It is to send its notifications to ${notifyUrl}`,
    ...(baseUrl.startsWith('https:') ? [] : ['It cannot: BASE_URL has to be public and https.']),
  ]
  const json = { companyId, method, provider, testMode: row.testMode, notifyUrl, steps }
  return { json, text: said.join('\n') }
}

async function choose({ db }: At, choice: Omit<Choice, 'config'>) {
  await inEnglish(() => chooseProvider(db, choice))
  const { companyId, method, provider, now } = choice
  await recordAudit(db, {
    ...{ companyId, actor: OPERATOR, action: 'provider_chosen', now },
    subject: NAMES[provider].name,
    details: { method: texts.methods[method] },
  })
}

async function save(
  at: At,
  account: Account,
  { file, untested, now }: { file: string; untested: boolean; now: Date },
) {
  const needs = needsAt(at)
  const asked = { ...account, config: readProviderFile(file), now }
  const steps = requireWorking(await inEnglish(() => tryConfig(needs, asked)), { untested })
  await inEnglish(() => saveAccount(needs, { ...asked, steps }))
  const { companyId, provider } = account
  await recordAudit(at.db, {
    ...{ companyId, actor: OPERATOR, action: 'provider_account_saved', now },
    subject: NAMES[provider].name,
  })
  return steps
}

async function testExisting(at: At, account: Account) {
  const steps = await testAccount(needsAt(at), { ...account, now: at.now })
  if (steps) return steps
  throw new Refusal(`The company has no account at ${account.provider}: give --config FILE.json.`)
}

function requireWorking(steps: ConnectionStep[], { untested }: { untested: boolean }) {
  if (untested || !hasFailed(steps)) return steps
  const why = steps.flatMap(({ ok, reason }) => (ok || !reason ? [] : [reason])).join(' ')
  throw new Refusal(`Nothing is changed, since the connection does not work: ${why}`)
}

async function show(at: At, { id: companyId, ...company }: Company): Promise<Result> {
  const found = REAL_PROVIDERS.map((provider) => showAccount(at, { companyId, provider }))
  const accounts = (await Promise.all(found)).flatMap((account) => {
    if (!account) return []
    const { notifyToken, ...shown } = account
    return { ...shown, notifyUrl: notifyUrlOf(at.config.baseUrl, account) }
  })
  const chosen = {
    pix: { provider: company.pixProvider, testMode: company.pixTestMode },
    credit_card: { provider: company.cardProvider, testMode: company.cardTestMode },
  }
  const said = [
    ...METHODS.map((method) => `${method}: ${chosen[method].provider}${suffix(chosen[method])}`),
    ...accounts.map(describe),
  ]
  return { json: { companyId, chosen, accounts }, text: said.join('\n') }
}

type Shown = { provider: string; testMode: boolean; notifyUrl: string; config: object | null } & {
  testedAt: string | null
  testFailure: string | null
}

function describe({ provider, config, notifyUrl, ...account }: Shown) {
  const lines = Object.entries(config ?? {}).map(([name, value]) => [name, JSON.stringify(value)])
  const tested = account.testedAt
    ? `${account.testedAt} ${account.testFailure ?? 'ok'}`
    : 'never since it was saved'
  return [
    `\nAccount at ${provider}${suffix(account)}`,
    columns([...lines, ['notifications', notifyUrl], ['tested', tested]], '  '),
    ...(config ? [] : ['  Its configuration was sealed under another SECRET_KEY: set it again.']),
  ].join('\n')
}

function suffix({ testMode }: { testMode: boolean }) {
  return testMode ? ' (tests)' : ''
}

function listed(steps: ConnectionStep[]) {
  return columns(steps.map(({ step, ok, reason = '' }) => [ok ? 'ok' : 'fail', step, reason]))
}

function hasFailed(steps: ConnectionStep[]) {
  return steps.some(({ ok }) => !ok)
}

function needsAt({ db, seal, config }: At): AccountNeeds {
  return { db, seal, log: newLogger('silent'), allowPrivate: config.webhookAllowPrivate }
}

/** Domain code refuses in Portuguese, to the people of a company. */
async function inEnglish<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const fields = error.errors?.map(({ field, message }) => `${field}: ${message}`).join(' ')
    const said = fields ? `The configuration is refused. ${fields}` : REFUSALS[error.code]
    throw new Refusal(said ?? error.message)
  }
}

const REFUSALS: Record<string, string> = {
  method_not_supported: 'The provider does not offer this method.',
  account_chosen:
    'The account is in use: choose another provider before changing it between tests and real money.',
  payments_under_way:
    'Payments or refunds are under way at this account: try again when they have ended.',
}
