// `/painel/recebimentos/<provider>`: a company's account there. It is tested before it is saved, and its secrets are
// never shown again.
import type { FastifyInstance, FastifyReply } from 'fastify'
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
import {
  catchRefusal,
  type FormRequest,
  refuseField,
  registerConfirmation,
  registerForm,
  type ShownForm,
} from '../layout/form.ts'
import {
  type ById,
  type DashboardNeeds,
  recordAct,
  recordSecurityAct,
  requireRight,
  UPLOAD,
} from '../layout/needs.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { buildFormVersion, saveVersionedForm } from '../layout/versioned.ts'
import {
  type AccountConfig,
  describeAccountChanges,
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
} from './account-view.ts'
import { accountTexts as words } from './texts.ts'

const ACCESS = { right: 'providers', stepUp: true } as const

/** The account of a request, and all that its functions need. */
type Own = { needs: DashboardNeeds; request: FormRequest; provider: RealProvider }

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
    load: async (request) => ({ account: await loadAccount({ needs, request, provider }) }),
    toValues: ({ account }) => toAccountValues(account),
    toForm: (_row, { query }): AccountForm => {
      return { bank: readBank(toRecord(query).banco), sent: null }
    },
    readForm({ body }) {
      const sent = toRecord(body)
      const bank = readBank(sent.preset) ?? (banks ? 'custom' : undefined)
      return { bank, sent: readSentAccount(sent, listFields(provider, bank)) }
    },
    save: (request, { account }, form) =>
      saveSentAccount({ needs, request, provider }, account, form),
    view: (request, reply, shown, { account }) =>
      showAccount({ needs, request, provider }, reply, account, shown),
    done(outcome) {
      const page = accountPagePath(provider)
      return outcome.kind === 'saved' ? `${page}?feito=${outcome.done}` : page
    },
  })
}

/** Tests the sent account, and saves it unless that may lose something. */
async function saveSentAccount(own: Own, account: AccountView | undefined, form: AccountForm) {
  const { needs, request, provider } = own
  const { bank, sent } = form
  if (!sent) return { kind: 'invalid' as const, errors: [] }
  const fields = listFields(provider, bank)
  const asked = {
    ...getAccountKey(own),
    config: { ...(bank && { preset: bank }), ...sent.config },
    keepBlankSecrets: isSameBank(account, bank) && toRecord(request.body).semManter !== 'on',
  }
  const saving = saveAccountVersion(own, { fields, lost: sent.lost }, async (unchangedSince) => {
    const steps = await testAccountConfig(needs, asked)
    const risk = findUnconfirmedRisk(own, steps)
    if (!risk) {
      await saveAccount(needs, { ...asked, steps, unchangedSince })
      const done = hasFailedStep(steps) ? 'conta-salva' : 'conta-salva-e-testada'
      return { kind: 'saved' as const, done }
    }
    // Saving has an audit entry of its own.
    await recordAccountTest(own, asked.config)
    return { ...refuseField('mesmoAssim', risk), form: { ...form, steps } }
  })
  const tried = await catchRefusal(saving, ({ errors, statusCode, message }) => {
    if (errors) return toAccountFormErrors(errors, fields)
    return statusCode === 409 ? [{ field: 'actions', message }] : undefined
  })
  return tried.kind === 'saved' ? tried.saved : tried
}

/** What saving may lose, unless the person has confirmed it. */
function findUnconfirmedRisk({ request, provider }: Own, steps: ConnectionStep[]) {
  if (toRecord(request.body).mesmoAssim === 'on') return undefined
  if (isOtherAccount(steps)) return words.notReplaced
  const isBroken = hasFailedStep(steps) && isProviderInUse(request.visitor.company, provider)
  return isBroken ? words.notSaved : undefined
}

/** Registers the actions on a saved account. */
function registerAccountActions(
  app: FastifyInstance,
  needs: DashboardNeeds,
  provider: RealProvider,
) {
  const { name } = getAdapter(provider)
  const path = `/recebimentos/${provider}`
  const page = accountPagePath(provider)
  const toOwn = (request: FormRequest): Own => ({ needs, request, provider })
  const load = async (request: FormRequest) => (await loadAccount(toOwn(request))) ?? page
  const question = { section: 'recebimentos', back: page } as const

  app.post<ById>(`${path}/testar`, requireRight('providers'), async (request, reply) => {
    const own = toOwn(request)
    const tested = await testAccount(needs, getAccountKey(own))
    const account = await loadAccount(own)
    if (tested.kind === 'noAccount' || !account) return reply.redirect(page, 303)
    await recordAccountTest(own, account.config)
    const form = { bank: undefined, sent: null, steps: tested.steps }
    const version = buildFormVersion(request, toAccountValues(account))
    return showAccount(own, reply, account, { form, errors: [], version })
  })

  // Registers our address at the provider; another system's is replaced after a question.
  registerConfirmation(app, `${path}/notificacoes`, needs.show, {
    ...ACCESS,
    async load(request) {
      const account = await loadAccount(toOwn(request))
      return account && (request.method === 'POST' || account.registeredUrl) ? account : page
    },
    ask: (account) => ({ ...question, ...toRegisterQuestion(needs, account) }),
    confirm: (request) => registerAddress(toOwn(request)),
  })

  // The present address may have become known to others.
  registerConfirmation(app, `${path}/endereco`, needs.show, {
    ...ACCESS,
    load,
    ask: () => ({ ...question, ...words.rotateAddress(name), isDangerous: true }),
    confirm: (request) => rotateAddress(toOwn(request)),
  })

  registerConfirmation(app, `${path}/remover`, needs.show, {
    ...ACCESS,
    load,
    ask: () => ({ ...question, ...words.remove(name), isDangerous: true }),
    async confirm(request) {
      await removeAccount(needs.db, getAccountKey(toOwn(request)))
      const act = { action: 'provider_account_removed', subject: name } as const
      await recordSecurityAct(needs, request, act)
      return `${RECEIVABLES_PATH}?feito=conta-removida`
    },
  })
}

function toRegisterQuestion({ baseUrl }: DashboardNeeds, account: AccountView) {
  const { registeredUrl } = account
  if (!registeredUrl) return words.register
  const question = words.replace(registeredUrl, buildNotifyUrl(baseUrl, account))
  return { ...question, hidden: [{ name: 'trocar', value: 'sim' }] }
}

async function registerAddress(own: Own) {
  const { needs, request, provider } = own
  const page = accountPagePath(provider)
  const registered = await registerNotifications(needs, {
    ...getAccountKey(own),
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

async function rotateAddress(own: Own) {
  const { needs, request, provider } = own
  const key = getAccountKey(own)
  const rotated = await rotateNotifyToken(needs.db, key)
  if (rotated.kind !== 'rotated') return accountPagePath(provider)
  const { name: subject } = getAdapter(provider)
  await recordSecurityAct(needs, request, { action: 'notify_address_rotated', subject })
  // Our former address is now an unknown one at the provider and must be replaced; addresses of other systems stay.
  const asked = { ...key, baseUrl: needs.baseUrl, replace: rotated.wasRegistered }
  const { kind } = await registerNotifications(needs, asked)
  const done = kind === 'registered' ? 'endereco-registrado' : 'endereco-trocado'
  return `${accountPagePath(provider)}?feito=${done}#notificacoes`
}

function getAccountKey({ needs, request, provider }: Own) {
  return { companyId: request.visitor.company.id, provider, now: needs.now() }
}

function loadAccount({ needs, request, provider }: Own) {
  return findMaskedAccount(needs, { companyId: request.visitor.company.id, provider })
}

function showAccount(
  { needs, request, provider }: Own,
  reply: FastifyReply,
  account: AccountView | undefined,
  { version, ...shown }: ShownForm<AccountForm>,
) {
  const { company } = request.visitor
  const key = { companyId: company.id, provider }
  const notifyToken = account?.notifyToken ?? deriveNotifyToken(needs.cipher, key)
  const notifyUrl = buildNotifyUrl(needs.baseUrl, { provider, notifyToken })
  return needs.show(request, reply, 'dashboard/receivables/provider-account', {
    ...buildAccountPage({ ...shown, provider, account, company, notifyUrl }),
    errors: shown.errors,
    ...(version && { version }),
  })
}

/** Audits a test, without an e-mail: secrets are only sent to the address that they were entered for. */
function recordAccountTest({ needs, request, provider }: Own, config: AccountConfig | null) {
  const origins = listAccountOrigins(provider, config ?? {}).join(', ')
  const subject = getAdapter(provider).name
  const details = { origins }
  return recordAct(needs, request, { action: 'provider_account_tested', subject, details })
}

/** The account is one field of its form, since credentials belong together. */
function toAccountValues(account: AccountView | undefined) {
  return { account: account?.updatedAt ?? null }
}

/** Passes to `save` the version that it may overwrite. The audit log gets names of changed fields only. */
async function saveAccountVersion<Outcome extends { kind: string }>(
  own: Own,
  { fields, lost }: { fields: ReturnType<typeof listFields>; lost: string[] },
  save: (unchangedSince: string | null) => Promise<Outcome>,
) {
  const { needs, request, provider } = own
  const { company } = request.visitor
  const action = 'provider_account_saved'
  const subject = getAdapter(provider).name
  return saveVersionedForm(needs, request, {
    find: () => loadAccount(own),
    toValues: toAccountValues,
    // An account that is sent always counts as a change.
    typed: { account: 'sent' },
    describe: () => ({ account: words.savedAccount }),
    labels: { account: words.wholeAccount },
    audited: {
      action,
      isOf: (entry, { account: savedAt }) =>
        entry.subject === subject &&
        entry.testMode === company.testMode &&
        savedAt !== null &&
        entry.createdAt >= savedAt,
    },
    async save(before) {
      const outcome = await save(before?.updatedAt ?? null)
      if (outcome.kind !== 'saved') return outcome
      const after = await loadAccount(own)
      const configs = { before: before?.config ?? null, after: after?.config ?? null }
      const details = describeAccountChanges(fields, { ...configs, lost })
      await recordSecurityAct(needs, request, { action, subject, details })
      return outcome
    },
  })
}
