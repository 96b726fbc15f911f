// Who moves a company's money: its accounts at providers, and which of them is chosen for each method.

import { OPERATOR, recordAudit } from '../companies/audit.ts'
import type { Company } from '../companies/company.ts'
import {
  PAYMENT_METHODS,
  type PaymentMethod,
  PROVIDER_NAMES,
  type ProviderName,
} from '../database/enums.ts'
import { requireFound } from '../database/found.ts'
import { createLogger } from '../http/log.ts'
import {
  type AccountNeeds,
  buildNotifyUrl,
  findAccount,
  findMaskedAccount,
  registerNotifications,
  saveAccount,
  testAccount,
  testAccountConfig,
} from '../providers/accounts.ts'
import { chooseProvider } from '../providers/choose.ts'
import { hasFailedStep, toRegisterSteps } from '../providers/connection.ts'
import type { ConnectionStep } from '../providers/provider.ts'
import { REAL_PROVIDERS, type RealProvider } from '../providers/registry.ts'
import { providerAccountTexts } from '../providers/texts.ts'
import { texts } from '../texts.ts'
import {
  CommandError,
  type CommandResult,
  type Commands,
  defineCommand,
  defineFlag,
  formatColumns,
  type Option,
  requireOption,
  translateErrors,
} from './command.ts'
import { findCompanyByIdOrName } from './company.ts'
import { type CommandContext, withContext } from './context.ts'
import { choiceOption, companyOption } from './options.ts'
import { readProviderFile } from './provider-file.ts'

const PROVIDER_LABELS = providerAccountTexts.providers
const MERCADO_PAGO_EVENTS =
  'There, in Suas integrações > Webhooks, tick two events: Order (Mercado Pago) and Chargebacks.'

const configOption: Option<string> = {
  value: 'FILE.json',
  about:
    'The account: fields of the provider. pfx (base64), cert, key and ca (PEM) may be given as pfxFile, certFile, keyFile and caFile instead, paths relative to FILE. liabilityShift of mercadopago: required (default), or preferred to approve cards also where their bank does not bear fraud. Absent: the account there is.',
  parse: (path) => path || undefined,
  mustBe: 'the path of a JSON file',
}

export const commands: Commands = {
  set: defineCommand({
    about:
      'Chooses who moves what is paid by a method, after the connection was tried. With an account that is not for tests, money is real from then on.',
    options: {
      company: requireOption(companyOption),
      method: requireOption(choiceOption(PAYMENT_METHODS, 'How payers pay.')),
      provider: requireOption(choiceOption(PROVIDER_NAMES, 'Who moves the money.')),
      config: configOption,
      untested: defineFlag('Also where the connection does not work.'),
    },
    run: ({ company, untested = false, ...choice }) =>
      withContext(async (at) => {
        const { id: companyId } = await findCompanyByIdOrName(at.db, company)
        return setProvider(at, { ...choice, companyId, untested, now: at.now })
      }),
  }),

  show: defineCommand({
    about: 'Shows who is chosen, and the accounts of a company without their secrets.',
    options: { company: requireOption(companyOption) },
    run: ({ company }) =>
      withContext(async (at) => showProviders(at, await findCompanyByIdOrName(at.db, company))),
  }),

  test: defineCommand({
    about: 'Tries the connection to a provider: a real token, a real read.',
    options: {
      company: requireOption(companyOption),
      provider: requireOption(choiceOption(REAL_PROVIDERS, 'Which one.')),
    },
    run: ({ company, provider }) =>
      withContext(async (at) => {
        const { id: companyId } = await findCompanyByIdOrName(at.db, company)
        const steps = await testSavedAccount(at, { companyId, provider })
        return { json: { provider, steps }, text: formatSteps(steps), failed: hasFailedStep(steps) }
      }),
  }),
}

type AccountRef = { companyId: string; provider: RealProvider }
type ProviderSetting = {
  companyId: string
  method: PaymentMethod
  provider: ProviderName
  config: string | undefined
  untested: boolean
  now: Date
}

async function setProvider(
  at: CommandContext,
  { config: file, ...choice }: ProviderSetting,
): Promise<CommandResult> {
  const { companyId, method, provider, now } = choice
  if (provider === 'sandbox') {
    if (file) throw new CommandError('The sandbox has no account: leave --config out.')
    await applyProviderChoice(at, choice)
    const text = `What is paid by ${method} is pretended from now on.`
    return { json: { companyId, method, provider, testMode: true, steps: [] }, text }
  }
  const account = { companyId, provider }
  const tried = file
    ? await saveTestedAccount(at, account, { file, ...choice })
    : requirePassingSteps(await testSavedAccount(at, account), choice)
  await applyProviderChoice(at, choice)

  const { baseUrl } = at.config
  const registered = await registerNotifications(getAccountNeeds(at), { ...account, baseUrl, now })
  const steps = [...tried, ...toRegisterSteps(registered)]
  const row = requireFound(await findAccount(at.db, companyId, provider))
  const notifyUrl = buildNotifyUrl(baseUrl, row)
  const said = [
    formatSteps(steps),
    `What is paid by ${method} goes to ${provider} from now on: ${row.testMode ? 'tests only' : 'real money'}.`,
    `It is to send its notifications to ${notifyUrl}`,
    ...(provider === 'mercadopago' ? [MERCADO_PAGO_EVENTS] : []),
    ...(baseUrl.startsWith('https:') ? [] : ['It cannot: BASE_URL has to be public and https.']),
  ]
  const json = { companyId, method, provider, testMode: row.testMode, notifyUrl, steps }
  return { json, text: said.join('\n') }
}

async function applyProviderChoice(
  { db }: CommandContext,
  choice: Omit<ProviderSetting, 'config'>,
) {
  await translateProviderErrors(() => chooseProvider(db, choice))
  const { companyId, method, provider, now } = choice
  await recordAudit(db, {
    ...{ companyId, actor: OPERATOR, action: 'provider_chosen', now },
    subject: PROVIDER_LABELS[provider].name,
    details: { method: texts.methods[method] },
  })
}

async function saveTestedAccount(
  at: CommandContext,
  account: AccountRef,
  { file, untested, now }: { file: string; untested: boolean; now: Date },
) {
  const needs = getAccountNeeds(at)
  const asked = { ...account, config: readProviderFile(file), now }
  const steps = requirePassingSteps(
    await translateProviderErrors(() => testAccountConfig(needs, asked)),
    { untested },
  )
  await translateProviderErrors(() => saveAccount(needs, { ...asked, steps }))
  const { companyId, provider } = account
  await recordAudit(at.db, {
    ...{ companyId, actor: OPERATOR, action: 'provider_account_saved', now },
    subject: PROVIDER_LABELS[provider].name,
  })
  return steps
}

async function testSavedAccount(at: CommandContext, account: AccountRef) {
  const tested = await testAccount(getAccountNeeds(at), { ...account, now: at.now })
  if (tested.kind === 'tested') return tested.steps
  throw new CommandError(
    `The company has no account at ${account.provider}: give --config FILE.json.`,
  )
}

function requirePassingSteps(steps: ConnectionStep[], { untested }: { untested: boolean }) {
  if (untested || !hasFailedStep(steps)) return steps
  const why = steps.flatMap(({ ok, reason }) => (ok || !reason ? [] : [reason])).join(' ')
  throw new CommandError(`Nothing is changed, since the connection does not work: ${why}`)
}

async function showProviders(
  at: CommandContext,
  { id: companyId, ...company }: Company,
): Promise<CommandResult> {
  const found = REAL_PROVIDERS.map((provider) => findMaskedAccount(at, { companyId, provider }))
  const accounts = (await Promise.all(found)).flatMap((account) => {
    if (!account) return []
    const { notifyToken, ...shown } = account
    return { ...shown, notifyUrl: buildNotifyUrl(at.config.baseUrl, account) }
  })
  const chosen = {
    pix: { provider: company.pixProvider, testMode: company.pixTestMode },
    credit_card: { provider: company.cardProvider, testMode: company.cardTestMode },
  }
  const said = [
    ...PAYMENT_METHODS.map(
      (method) => `${method}: ${chosen[method].provider}${formatModeSuffix(chosen[method])}`,
    ),
    ...accounts.map(formatAccount),
  ]
  return { json: { companyId, chosen, accounts }, text: said.join('\n') }
}

type MaskedAccount = NonNullable<Awaited<ReturnType<typeof findMaskedAccount>>>
type AccountListing = Omit<MaskedAccount, 'notifyToken'> & { notifyUrl: string }

function formatAccount({ provider, config, notifyUrl, ...account }: AccountListing) {
  const lines = Object.entries(config ?? {}).map(([name, value]) => [name, JSON.stringify(value)])
  const tested = account.testedAt
    ? `${account.testedAt} ${account.testFailure ?? 'ok'}`
    : 'never since it was saved'
  return [
    `\nAccount at ${provider}${formatModeSuffix(account)}`,
    formatColumns([...lines, ['notifications', notifyUrl], ['tested', tested]], '  '),
    ...(config ? [] : ['  Its configuration was sealed under another SECRET_KEY: set it again.']),
  ].join('\n')
}

function formatModeSuffix({ testMode }: { testMode: boolean }) {
  return testMode ? ' (tests)' : ''
}

function formatSteps(steps: ConnectionStep[]) {
  return formatColumns(steps.map(({ step, ok, reason = '' }) => [ok ? 'ok' : 'fail', step, reason]))
}

function getAccountNeeds({ db, cipher, config }: CommandContext): AccountNeeds {
  return { db, cipher, log: createLogger('silent'), allowPrivate: config.webhookAllowPrivate }
}

function translateProviderErrors<T>(work: () => Promise<T>) {
  return translateErrors(work, ({ code, errors }) => {
    const fields = errors?.map(({ field, message }) => `${field}: ${message}`).join(' ')
    return fields ? `The configuration is refused. ${fields}` : PROVIDER_ERRORS[code]
  })
}

const PROVIDER_ERRORS: Record<string, string> = {
  method_not_supported: 'The provider does not offer this method.',
  account_chosen:
    'The account is in use: choose another provider before changing it between tests and real money.',
  payments_under_way:
    'Payments or refunds are under way at this account: try again when they have ended.',
}
