// `/painel/recebimentos/<provider>`: a company's account there. It is tested before it is saved, and its secrets are
// never shown again.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { conflictError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import {
  buildNotifyUrl,
  deriveNotifyToken,
  findMaskedAccount,
  listAccountOrigins,
  removeAccount,
  saveAccount,
  testAccount,
  testAccountConfig,
} from '../../providers/accounts.ts'
import { hasFailedStep, isOtherAccount } from '../../providers/connection.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import { registerNotifications, rotateNotifyToken } from '../../providers/registration.ts'
import { getAdapter, REAL_PROVIDERS, type RealProvider } from '../../providers/registry.ts'
import { catchConflict, catchRefusal, type SaveResult } from '../layout/form.ts'
import {
  type DashboardNeeds,
  recordAct,
  recordSecurityAct,
  requireRight,
  UPLOAD,
} from '../layout/needs.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import {
  type FormRequest,
  registerConfirmation,
  registerForm,
  type ShownForm,
} from '../layout/register.ts'
import { buildFormVersion, describeChanges, saveVersionedForm } from '../layout/versioned.ts'
import {
  type AccountConfig,
  describeSavedField,
  isFile,
  listFields,
  readSentAccount,
  toAccountFormErrors,
} from './account-fields.ts'
import {
  type AccountForm,
  type AccountView,
  accountPagePath,
  buildAccountPage,
  isProviderInUse,
  isSameBank,
  replacementPath,
  toAccountNeeds,
} from './account-view.ts'
import { accountTexts as words } from './texts.ts'

const ACCESS = { right: 'providers', stepUp: true } as const
const BLANK_FORM: AccountForm = { bank: undefined, sent: null }

export async function providerAccountPages(app: FastifyInstance, needs: DashboardNeeds) {
  for (const provider of REAL_PROVIDERS) {
    registerAccountForm(app, needs, provider)
    registerAccountActions(app, needs, provider)
  }
}

function registerAccountForm(app: FastifyInstance, needs: DashboardNeeds, provider: RealProvider) {
  const { banks } = getAdapter(provider)
  const readBank = (given: unknown) =>
    typeof given === 'string' && banks && Object.hasOwn(banks, given) ? given : undefined

  registerForm(app, `/recebimentos/${provider}`, {
    ...ACCESS,
    ...UPLOAD,
    load: async (request) => ({ account: await loadAccount(needs, request, provider) }),
    toValues: ({ account }) => toAccountValues(account),
    toForm: (_row, { query }): AccountForm => ({
      bank: readBank(toRecord(query).banco),
      sent: null,
    }),
    readForm({ body }) {
      const sent = toRecord(body)
      const bank = readBank(sent.preset) ?? (banks ? 'custom' : undefined)
      return { bank, sent: readSentAccount(sent, listFields(provider, bank)) }
    },
    save: (request, { account }, form) => saveSentAccount(needs, request, provider, account, form),
    view: (request, reply, shown, { account }) =>
      showAccount(needs, request, reply, { provider, account, ...shown }),
    done: ({ done }) => `${accountPagePath(provider)}?feito=${done}`,
  })
}

/** Tests the sent account, and saves it unless only a test was requested or saving may lose something. */
async function saveSentAccount(
  needs: DashboardNeeds,
  request: FormRequest,
  provider: RealProvider,
  account: AccountView | undefined,
  form: AccountForm,
) {
  const { bank, sent } = form
  if (!sent || sent.errors.length > 0)
    return { kind: 'invalid' as const, errors: sent?.errors ?? [] }
  const fields = listFields(provider, bank)
  const at = toAccountNeeds(needs)
  const asked = {
    ...getAccountKey(needs, request, provider),
    config: { ...(bank && { preset: bank }), ...sent.config },
    keepBlankSecrets: isSameBank(account, bank) && toRecord(request.body).semManter !== 'on',
  }
  const tried = await catchAccountErrors(fields, testAccountConfig(at, asked))
  if (tried.kind === 'invalid') return tried
  const shown = { ...form, steps: tried.saved }
  const errors = findUnconfirmedRisk(request, provider, tried.saved)
  if (errors) {
    // Saving has an audit entry of its own.
    await recordAccountTest(needs, request, asked)
    return { kind: 'invalid' as const, errors, form: { ...shown, isRisky: errors.length > 0 } }
  }
  const change = { provider, bank, lost: sent.lost }
  const saving = saveAccountVersion(needs, request, change, (unchangedSince) =>
    saveAccount(at, { ...asked, steps: tried.saved, unchangedSince }),
  )
  const saved = await catchAccountErrors(fields, saving)
  const outcome = saved.kind === 'saved' ? saved.saved : saved
  if (outcome.kind !== 'saved') return { ...outcome, form: shown }
  const done = hasFailedStep(tried.saved) ? 'conta-salva' : 'conta-salva-e-testada'
  return { kind: 'saved' as const, done }
}

/** Why nothing is saved: it is only tested (no error), or saving may lose something without a confirmation. */
function findUnconfirmedRisk(
  { visitor: { company }, body }: FormRequest,
  provider: RealProvider,
  steps: ConnectionStep[],
) {
  const { testar, mesmoAssim } = toRecord(body)
  if (testar !== undefined) return []
  if (mesmoAssim === 'on') return undefined
  const isBroken = hasFailedStep(steps) && isProviderInUse(company, provider)
  const risk = isOtherAccount(steps) ? words.notReplaced : isBroken ? words.notSaved : undefined
  return risk && [{ field: 'mesmoAssim', message: risk }]
}

/** Registers the actions on a saved account. */
function registerAccountActions(
  app: FastifyInstance,
  needs: DashboardNeeds,
  provider: RealProvider,
) {
  const at = toAccountNeeds(needs)
  const { show } = needs
  const { name } = getAdapter(provider)
  const path = `/recebimentos/${provider}`
  const page = accountPagePath(provider)
  const load = async (request: FastifyRequest) =>
    (await loadAccount(needs, request, provider)) ?? page
  const question = { section: 'recebimentos', back: page } as const

  app.post(`${path}/testar`, requireRight('providers'), async (request, reply) => {
    const tested = await testAccount(at, getAccountKey(needs, request, provider))
    const account = await loadAccount(needs, request, provider)
    if (tested.kind === 'noAccount' || !account) return reply.redirect(page, 303)
    await recordAccountTest(needs, request, account)
    const version = buildFormVersion(request, toAccountValues(account))
    const form = { ...BLANK_FORM, steps: tested.steps }
    return showAccount(needs, request, reply, { provider, account, form, errors: [], version })
  })

  // Registers our address at the provider; another system's is replaced after a question.
  registerConfirmation(app, `${path}/notificacoes`, show, {
    ...ACCESS,
    async load(request) {
      const account = await loadAccount(needs, request, provider)
      return account && (request.method === 'POST' || account.registeredUrl) ? account : page
    },
    ask: (account) => ({ ...question, ...toRegisterQuestion(needs, account) }),
    confirm: (request) => registerAddress(needs, request, provider),
  })

  // The present address may have become known to others.
  registerConfirmation(app, `${path}/endereco`, show, {
    ...ACCESS,
    load,
    ask: () => ({
      ...question,
      ...words.rotateAddress,
      question: words.rotateAddress.question(name),
      isDangerous: true,
    }),
    confirm: (request) => rotateAddress(needs, request, provider),
  })

  registerConfirmation(app, `${path}/remover`, show, {
    ...ACCESS,
    load,
    ask: () => ({
      ...question,
      ...words.remove,
      question: words.remove.question(name),
      isDangerous: true,
    }),
    async confirm(request) {
      await removeAccount(needs.db, getAccountKey(needs, request, provider))
      const action = 'provider_account_removed'
      await recordSecurityAct(needs, request, { action, subject: name })
      return `${RECEIVABLES_PATH}?feito=conta-removida`
    },
  })
}

function toRegisterQuestion({ baseUrl }: DashboardNeeds, account: AccountView) {
  const { registeredUrl } = account
  if (!registeredUrl) return words.register
  const consequences = words.replace.consequences(registeredUrl, buildNotifyUrl(baseUrl, account))
  return { ...words.replace, consequences, hidden: [{ name: 'trocar', value: 'sim' }] }
}

async function registerAddress(
  needs: DashboardNeeds,
  request: FastifyRequest,
  provider: RealProvider,
) {
  const page = accountPagePath(provider)
  const registered = await registerNotifications(toAccountNeeds(needs), {
    ...getAccountKey(needs, request, provider),
    baseUrl: needs.baseUrl,
    replace: toRecord(request.body).trocar === 'sim',
  })
  switch (registered.kind) {
    case 'noAccount':
    case 'byHand':
      return page
    case 'registered':
      return `${page}?feito=notificacoes-registradas`
    case 'kept':
      return replacementPath(provider)
    case 'failed':
      throw conflictError('not_registered', registered.reason)
  }
}

async function rotateAddress(
  needs: DashboardNeeds,
  request: FastifyRequest,
  provider: RealProvider,
) {
  const at = toAccountNeeds(needs)
  const key = getAccountKey(needs, request, provider)
  const rotated = await rotateNotifyToken(at, key)
  // If no key decrypts the account, its page says so.
  if (rotated.kind !== 'rotated') return accountPagePath(provider)
  const { name: subject } = getAdapter(provider)
  await recordSecurityAct(needs, request, { action: 'notify_address_rotated', subject })
  // Our former address is now an unknown one at the provider and must be replaced; addresses of other systems stay.
  const asked = { ...key, baseUrl: needs.baseUrl, replace: rotated.wasRegistered }
  const { kind } = await registerNotifications(at, asked)
  const done = kind === 'registered' ? 'endereco-registrado' : 'endereco-trocado'
  return `${accountPagePath(provider)}?feito=${done}#notificacoes`
}

function getAccountKey(needs: DashboardNeeds, { visitor }: FastifyRequest, provider: RealProvider) {
  return { companyId: visitor.company.id, provider, now: needs.now() }
}

function loadAccount(needs: DashboardNeeds, { visitor }: FastifyRequest, provider: RealProvider) {
  return findMaskedAccount(needs, { companyId: visitor.company.id, provider })
}

type ShownAccount = ShownForm<AccountForm> & {
  provider: RealProvider
  account: AccountView | undefined
}

function showAccount(
  needs: DashboardNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  { version, ...shown }: ShownAccount,
) {
  const { company } = request.visitor
  const { provider, account } = shown
  const key = { companyId: company.id, provider }
  const notifyToken = account?.notifyToken ?? deriveNotifyToken(needs.cipher, key)
  const notifyUrl = buildNotifyUrl(needs.baseUrl, { provider, notifyToken })
  return needs.show(request, reply, 'dashboard/receivables/provider-account', {
    ...buildAccountPage({ ...shown, company, notifyUrl }),
    errors: shown.errors,
    ...(version && { version }),
  })
}

/** Shows refusals of the domain at their fields, or above the form. */
async function catchAccountErrors<Saved>(
  fields: ReturnType<typeof listFields>,
  work: Promise<Saved>,
): Promise<SaveResult<Saved>> {
  const named = catchRefusal(work, ({ errors }) => errors && toAccountFormErrors(errors, fields))
  const result = await catchConflict('actions', named)
  return result.kind === 'saved' ? result.saved : result
}

/** Audits a test, without an e-mail: secrets are only sent to the address that they were entered for. */
function recordAccountTest(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { provider, config }: { provider: RealProvider; config: AccountConfig | null },
) {
  const origins = listAccountOrigins(provider, config ?? {}).join(', ')
  const subject = getAdapter(provider).name
  const details = { origins }
  return recordAct(needs, request, { action: 'provider_account_tested', subject, details })
}

const SENT = 'sent'

/** The account is one field of its form, since credentials belong together. */
type AccountValues = { account: string | null }
/** `lost`: the secrets and files that came with it. */
type AccountChange = { provider: RealProvider; bank: string | undefined; lost: string[] }

function toAccountValues(account: AccountView | undefined): AccountValues {
  return { account: account?.updatedAt ?? null }
}

/** Passes to `save` the version that it may overwrite. The audit log gets names of changed fields only. */
async function saveAccountVersion(
  needs: DashboardNeeds,
  request: FastifyRequest,
  change: AccountChange,
  save: (unchangedSince: string | null) => Promise<unknown>,
) {
  const { provider } = change
  const action = 'provider_account_saved'
  return saveVersionedForm(needs, request, {
    find: () => loadAccount(needs, request, provider),
    toValues: toAccountValues,
    typed: { account: SENT },
    describe: ({ account }: AccountValues) => ({
      account: account === SENT ? words.yourAccount : words.savedAccount,
    }),
    labels: { account: words.wholeAccount },
    audited: { action },
    async save(before) {
      await save(before?.updatedAt ?? null)
      const after = await loadAccount(needs, request, provider)
      const details = describeAccountChanges(change, before, after)
      const subject = getAdapter(provider).name
      await recordSecurityAct(needs, request, { action, subject, details })
      return { kind: 'saved' } as const
    },
  })
}

function describeAccountChanges(
  { provider, bank, lost }: AccountChange,
  before: AccountView | undefined,
  after: AccountView | undefined,
) {
  const labels: Record<string, string> = {}
  const was: Record<string, string> = {}
  const is: Record<string, string> = {}
  for (const field of listFields(provider, bank)) {
    const { name, label } = field
    const old = describeSavedField(field, before?.config ?? null)
    const isExchanged = isFile(field) && lost.includes(name) && old === words.sentFile
    const now = isExchanged ? words.exchangedFile : describeSavedField(field, after?.config ?? null)
    if (old === now) continue
    labels[name] = label
    was[name] = old
    is[name] = now
  }
  return describeChanges(Object.keys(labels), labels, { before: was, after: is })
}
