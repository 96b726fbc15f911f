// `/painel/recebimentos/<provider>`: a company's account there. It is tried before it is saved, and its
// secrets are never shown again.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
import { hasFailedStep } from '../../providers/connection.ts'
import type { PixApiPreset } from '../../providers/pix-api/presets.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import { registerNotifications, rotateNotifyToken } from '../../providers/registration.ts'
import { REAL_PROVIDERS, type RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { catchConflict, catchRefusal, type SaveResult } from '../layout/forms/form.ts'
import {
  type FormRequest,
  registerConfirmation,
  registerForm,
  type ShownForm,
} from '../layout/forms/register.ts'
import { buildFormVersion, describeChanges, saveVersionedForm } from '../layout/forms/versioned.ts'
import { type DashboardNeeds, requireRight, STEP_UP, UPLOAD } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { recordAct, recordSecurityAct } from '../layout/security.ts'
import { listAccountFields, parsePreset } from './provider-fields.ts'
import {
  type AccountConfig,
  describeSavedField,
  isFile,
  readSentAccount,
  toAccountFormErrors,
} from './provider-form.ts'
import { type AccountForm, buildAccountViewModel } from './provider-page.ts'
import {
  type AccountView,
  accountPagePath,
  describeRisk,
  replacementPath,
  toAccountNeeds,
} from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

const words = providerPageTexts
const PROVIDER_LABELS = providerAccountTexts.providers
const BLANK_FORM: AccountForm = { preset: undefined, sent: null }

export async function providerAccountPages(app: FastifyInstance, needs: DashboardNeeds) {
  for (const provider of REAL_PROVIDERS) {
    registerAccountForm(app, needs, provider)
    registerAccountActions(app, needs, provider)
    registerNotificationActions(app, needs, provider)
  }
}

function registerAccountForm(app: FastifyInstance, needs: DashboardNeeds, provider: RealProvider) {
  registerForm(app, `/recebimentos/${provider}`, {
    right: 'providers',
    stepUp: true,
    ...UPLOAD,
    load: async (request) => ({ account: await loadAccount(needs, request, provider) }),
    toValues: ({ account }) => toAccountValues(account),
    toForm: (_row, { query }): AccountForm => ({
      preset: parsePreset(toRecord(query).banco),
      sent: null,
    }),
    readForm({ body }) {
      const sent = toRecord(body)
      const preset = parsePreset(sent.preset) ?? 'custom'
      return { preset, sent: readSentAccount(sent, listFields(provider, preset)) }
    },
    save: (request, { account }, form) => saveSentAccount(needs, request, provider, account, form),
    view: (request, reply, shown, { account }) =>
      showAccount(needs, request, reply, { provider, account, ...shown }),
    done: ({ done }) => `${accountPagePath(provider)}?feito=${done}`,
  })
}

/** Tries what was sent, and saves it unless that alone was asked for or something may be lost by it. */
async function saveSentAccount(
  needs: DashboardNeeds,
  request: FormRequest,
  provider: RealProvider,
  account: AccountView | undefined,
  form: AccountForm,
) {
  const { preset = 'custom', sent } = form
  if (!sent || sent.errors.length > 0)
    return { kind: 'invalid' as const, errors: sent?.errors ?? [] }
  const asked = { ...buildSavedAccount(request, provider, account, form), now: needs.now() }
  const fields = listFields(provider, preset)
  const at = toAccountNeeds(needs)
  const tried = await catchAccountErrors(fields, testAccountConfig(at, asked))
  if (tried.kind === 'invalid') return tried
  const steps = tried.saved
  const shown = { ...form, steps }
  const errors = findUntakenRisk(request, provider, steps)
  if (errors) {
    // What is saved has an entry of its own.
    await recordAccountTest(needs, request, asked)
    return { kind: 'invalid' as const, errors, form: { ...shown, isRisky: errors.length > 0 } }
  }
  const change = { provider, preset, lost: sent.lost }
  const saving = saveAccountVersion(needs, request, change, (unchangedSince) =>
    saveAccount(at, { ...asked, steps, unchangedSince }),
  )
  const saved = await catchAccountErrors(fields, saving)
  const outcome = saved.kind === 'saved' ? saved.saved : saved
  if (outcome.kind !== 'saved') return { ...outcome, form: shown }
  const done = hasFailedStep(steps) ? 'conta-salva' : 'conta-salva-e-testada'
  return { kind: 'saved' as const, done }
}

/** Of another bank than the one that is saved nothing is kept. */
function buildSavedAccount(
  { visitor, body }: FormRequest,
  provider: RealProvider,
  account: AccountView | undefined,
  { preset, sent }: AccountForm,
) {
  const isBank = provider === 'pix-api'
  const isKept = !isBank || account?.config?.preset === preset
  return {
    companyId: visitor.company.id,
    provider,
    config: { ...(isBank && { preset }), ...sent?.config },
    keepBlankSecrets: Boolean(account?.config) && isKept && toRecord(body).semManter !== 'on',
  }
}

/** Why nothing is saved: that it is only tried, or what may be lost by it unless the form says to save it all the same. */
function findUntakenRisk(
  { visitor, body }: FormRequest,
  provider: RealProvider,
  steps: ConnectionStep[],
) {
  const { testar, mesmoAssim } = toRecord(body)
  if (testar !== undefined) return []
  const risk = mesmoAssim === 'on' ? undefined : describeRisk(visitor.company, provider, steps)
  return risk && [{ field: 'mesmoAssim', message: risk }]
}

/** What is done with the account that is saved. */
function registerAccountActions(
  app: FastifyInstance,
  needs: DashboardNeeds,
  provider: RealProvider,
) {
  const at = toAccountNeeds(needs)
  const show = createPageRenderer(needs)
  const { name: subject } = PROVIDER_LABELS[provider]
  const path = `/recebimentos/${provider}`
  const page = accountPagePath(provider)
  const load = async (request: FastifyRequest) =>
    (await loadAccount(needs, request, provider)) ?? page
  const access = { right: 'providers', stepUp: true, load } as const

  app.post(`${path}/testar`, requireRight('providers'), async (request, reply) => {
    const tested = await testAccount(at, getAccountKey(needs, request, provider))
    const account = await loadAccount(needs, request, provider)
    if (tested.kind === 'noAccount' || !account) return reply.redirect(page, 303)
    await recordAccountTest(needs, request, account)
    const form = { ...BLANK_FORM, steps: tested.steps }
    return showSavedAccount(needs, request, reply, { provider, account, form })
  })

  // Somebody else may know the address that there is.
  registerConfirmation(app, `${path}/endereco`, show, {
    ...access,
    ask: () => ({
      section: 'recebimentos',
      ...words.rotateAddress,
      question: words.rotateAddress.question(subject),
      isDangerous: true,
      back: page,
    }),
    async confirm(request) {
      const { testMode } = request.visitor.company
      const key = getAccountKey(needs, request, provider)
      const rotated = await rotateNotifyToken(at, key)
      // Of one that no key opens its page says so.
      if (rotated.kind !== 'rotated') return page
      const action = 'notify_address_rotated'
      await recordSecurityAct(needs, request, { action, subject, testMode })
      // Ours of before is somebody else's by now; nobody else's is replaced.
      const asked = { ...key, baseUrl: needs.baseUrl, replace: rotated.wasRegistered }
      const { kind } = await registerNotifications(at, asked)
      const done = kind === 'registered' ? 'endereco-registrado' : 'endereco-trocado'
      return `${page}?feito=${done}#notificacoes`
    },
  })

  registerConfirmation(app, `${path}/remover`, show, {
    ...access,
    ask: () => ({
      title: words.titles.remove,
      section: 'recebimentos',
      ...words.remove,
      question: words.remove.question(subject),
      isDangerous: true,
      back: page,
    }),
    async confirm(request) {
      const { testMode } = request.visitor.company
      await removeAccount(needs.db, getAccountKey(needs, request, provider))
      const action = 'provider_account_removed'
      await recordSecurityAct(needs, request, { action, subject, testMode })
      return `${RECEIVABLES_PATH}?feito=conta-removida`
    },
  })
}

/** The provider is told our address; that of somebody else is replaced after a question. */
function registerNotificationActions(
  app: FastifyInstance,
  needs: DashboardNeeds,
  provider: RealProvider,
) {
  const path = `/recebimentos/${provider}/notificacoes`
  const page = accountPagePath(provider)
  const access = requireRight('providers', STEP_UP)

  app.post(path, access, async (request, reply) => {
    const replace = toRecord(request.body).trocar === 'sim'
    const key = getAccountKey(needs, request, provider)
    const asked = { ...key, baseUrl: needs.baseUrl, replace }
    const registered = await registerNotifications(toAccountNeeds(needs), asked)
    switch (registered.kind) {
      case 'noAccount':
      case 'byHand':
        return reply.redirect(page, 303)
      case 'registered':
        return reply.redirect(`${page}?feito=notificacoes-registradas`, 303)
      case 'kept':
        return reply.redirect(replacementPath(provider), 303)
      case 'failed': {
        const errors = [{ field: 'notificacoes', message: registered.reason }]
        const account = await loadAccount(needs, request, provider)
        return showSavedAccount(needs, request, reply, { provider, account, errors })
      }
    }
  })

  app.get(path, access, async (request, reply) => {
    const account = await loadAccount(needs, request, provider)
    if (!account?.registeredUrl) return reply.redirect(page, 303)
    const { consequences, ...replace } = words.replace
    return createPageRenderer(needs)(request, reply, 'dashboard/layout/confirm', {
      section: 'recebimentos',
      ...replace,
      consequences: consequences(account.registeredUrl, buildNotifyUrl(needs.baseUrl, account)),
      hidden: [{ name: 'trocar', value: 'sim' }],
      action: replacementPath(provider),
      back: page,
    })
  })
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

/** With its form as it is saved. */
function showSavedAccount(
  needs: DashboardNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Pick<ShownAccount, 'provider' | 'account'> & Partial<ShownAccount>,
) {
  const version = buildFormVersion(request, toAccountValues(shown.account))
  return showAccount(needs, request, reply, { form: BLANK_FORM, errors: [], version, ...shown })
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
  return createPageRenderer(needs)(request, reply, 'dashboard/receivables/provider-account', {
    ...buildAccountViewModel({ ...shown, company, notifyUrl }),
    ...(version && { version }),
  })
}

/** What the domain refuses stands at the fields that ask for it, or above all of them. */
async function catchAccountErrors<Saved>(
  fields: ReturnType<typeof listFields>,
  work: Promise<Saved>,
): Promise<SaveResult<Saved>> {
  const named = catchRefusal(work, ({ errors }) => errors && toAccountFormErrors(errors, fields))
  const result = await catchConflict('actions', named)
  return result.kind === 'saved' ? result.saved : result
}

function listFields(provider: RealProvider, preset: PixApiPreset) {
  const { main, more } = listAccountFields(provider, preset)
  return [...main, ...more]
}

/** What was tried, and where; nobody is told of it: no secret goes anywhere that it was not entered for. */
function recordAccountTest(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { provider, config }: { provider: RealProvider; config: AccountConfig | null },
) {
  const origins = listAccountOrigins(provider, config ?? {}).join(', ')
  const subject = PROVIDER_LABELS[provider].name
  return recordAct(needs, request, {
    action: 'provider_account_tested',
    subject,
    details: { origins },
  })
}

const SENT = 'sent'

/** The account is one field of its form, as a whole, since credentials belong together. */
type AccountValues = { account: string | null }
/** `lost`: the secrets and files that came with it. */
type AccountChange = { provider: RealProvider; preset: PixApiPreset; lost: string[] }

function toAccountValues(account: AccountView | undefined): AccountValues {
  return { account: account?.updatedAt ?? null }
}

/** `save` is told as of when it may write. Registro says which fields were changed; of secrets no more than that. */
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
      await recordSecurityAct(needs, request, {
        action,
        subject: PROVIDER_LABELS[provider].name,
        details: describeAccountChanges(change, before, after),
        testMode: request.visitor.company.testMode,
      })
      return { kind: 'saved' } as const
    },
  })
}

function describeAccountChanges(
  { provider, preset, lost }: AccountChange,
  before: AccountView | undefined,
  after: AccountView | undefined,
) {
  const fields = listFields(provider, preset)
  const describe = (account: AccountView | undefined): Record<string, string> =>
    Object.fromEntries(
      fields.map((field) => [field.name, describeSavedField(field, account?.config ?? null)]),
    )
  const sides = { before: describe(before), after: describe(after) }
  for (const { name } of fields.filter((field) => isFile(field) && lost.includes(field.name))) {
    if (sides.before[name] === words.sentFile) sides.after[name] = words.exchangedFile
  }
  const changed = fields
    .map(({ name }) => name)
    .filter((name) => sides.before[name] !== sides.after[name])
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]))
  return describeChanges<Record<string, string>>(changed, labels, sides)
}
