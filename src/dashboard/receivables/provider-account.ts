// `/painel/recebimentos/<provider>`: a company's account there. It is tried before it is saved, and its
// secrets are never shown again.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toRecord } from '../../http/fields.ts'
import {
  buildNotifyUrl,
  deriveNotifyToken,
  findMaskedAccount,
  removeAccount,
  saveAccount,
  testAccount,
  testAccountConfig,
} from '../../providers/accounts.ts'
import { hasFailedStep } from '../../providers/connection.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import { registerNotifications } from '../../providers/registration.ts'
import { REAL_PROVIDERS, type RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import {
  catchConflict,
  catchRefusal,
  type SaveResult,
  type TypedFields,
} from '../layout/forms/form.ts'
import { buildFormVersion } from '../layout/forms/versioned.ts'
import { type DashboardNeeds, requireRight, STEP_UP, UPLOAD } from '../layout/needs.ts'
import { createPageRenderer, type FieldConflict } from '../layout/page.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import {
  recordAccountAudit,
  recordAccountTest,
  saveAccountVersion,
  toAccountValues,
} from './provider-changes.ts'
import { listAccountFields, parsePreset } from './provider-fields.ts'
import {
  listLostSecrets,
  readAccountConfig,
  readTypedAccount,
  toAccountFormErrors,
} from './provider-form.ts'
import { type AccountViewInput, buildAccountViewModel } from './provider-page.ts'
import { accountPagePath, describeRisk, replacementPath, toAccountNeeds } from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

const PROVIDERS = requireRight('providers')
const PROVIDERS_STEP_UP = requireRight('providers', STEP_UP)
const words = providerPageTexts
const PROVIDER_LABELS = providerAccountTexts.providers

export async function providerAccountPages(app: FastifyInstance, needs: DashboardNeeds) {
  for (const provider of REAL_PROVIDERS) {
    registerAccountForm(app, needs, provider)
    registerAccountActions(app, needs, provider)
  }
}

function registerAccountForm(app: FastifyInstance, needs: DashboardNeeds, provider: RealProvider) {
  const at = toAccountNeeds(needs)
  const show = createAccountRenderer(needs, provider)
  const path = `/recebimentos/${provider}`

  app.get(path, PROVIDERS_STEP_UP, async (request, reply) => {
    const { banco } = toRecord(request.query)
    return show(request, reply, { preset: parsePreset(banco) })
  })

  app.post(path, requireRight('providers', { ...UPLOAD, ...STEP_UP }), async (request, reply) => {
    const asked = await readAccountInput(needs, request, provider)
    const sent = { preset: asked.preset, typed: asked.typed, lost: asked.lost }
    const tried = await catchAccountErrors(asked, () => testAccountConfig(at, asked))
    if (tried.kind === 'invalid') return show(request, reply, { ...sent, errors: tried.errors })
    const steps = tried.saved
    const { testar } = toRecord(request.body)
    const risk = findUntakenRisk(request, provider, steps)
    if (testar === undefined && risk === undefined)
      return saveAndRedirect(request, reply, asked, steps)
    // What is saved has an entry of its own.
    await recordAccountTest(needs, request, asked)
    const warning = risk && { errors: [{ field: 'mesmoAssim', message: risk }], isRisky: true }
    return show(request, reply, { ...sent, steps, ...warning })
  })

  async function saveAndRedirect(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AccountInput,
    steps: ConnectionStep[],
  ) {
    const { preset, typed, lost } = asked
    const save = (unchangedSince: string | null) =>
      saveAccount(at, { ...asked, steps, unchangedSince })
    const saved = await catchAccountErrors(asked, () =>
      saveAccountVersion(needs, request, asked, save),
    )
    if (saved.kind === 'invalid') {
      return show(request, reply, { preset, typed, lost, steps, errors: saved.errors })
    }
    const { saved: outcome } = saved
    if (outcome.kind === 'conflict')
      return show(request, reply, { preset, typed, lost, steps, conflicts: outcome.conflicts })
    if (outcome.kind === 'unchanged') return redirectToAccount(reply, provider)
    const done = hasFailedStep(steps) ? 'conta-salva' : 'conta-salva-e-testada'
    return redirectToAccount(reply, provider, done)
  }
}

/** What may be lost by saving it, unless the form says to save it all the same. */
function findUntakenRisk(
  { visitor, body }: FastifyRequest,
  provider: RealProvider,
  steps: ConnectionStep[],
) {
  const { testar, mesmoAssim } = toRecord(body)
  const isTaken = testar !== undefined || mesmoAssim === 'on'
  return isTaken ? undefined : describeRisk(visitor.company, provider, steps)
}

/** What is done with the account that is saved. */
function registerAccountActions(
  app: FastifyInstance,
  needs: DashboardNeeds,
  provider: RealProvider,
) {
  const at = toAccountNeeds(needs)
  const show = createAccountRenderer(needs, provider)
  const path = `/recebimentos/${provider}`

  app.post(`${path}/testar`, PROVIDERS, async (request, reply) => {
    const key = getAccountKey(request)
    const tested = await testAccount(at, key)
    if (tested.kind === 'noAccount') return redirectToAccount(reply, provider)
    const account = await findMaskedAccount(needs, key)
    await recordAccountTest(needs, request, { provider, config: account?.config ?? null })
    return show(request, reply, { steps: tested.steps })
  })

  app.post(`${path}/notificacoes`, PROVIDERS_STEP_UP, async (request, reply) => {
    const { baseUrl } = needs
    const replace = toRecord(request.body).trocar === 'sim'
    const asked = { ...getAccountKey(request), baseUrl, replace }
    const registered = await registerNotifications(at, asked)
    switch (registered.kind) {
      case 'noAccount':
      case 'byHand':
        return redirectToAccount(reply, provider)
      case 'registered':
        return redirectToAccount(reply, provider, 'notificacoes-registradas')
      case 'kept':
        return reply.redirect(replacementPath(provider), 303)
      case 'failed': {
        const error = { field: 'notificacoes', message: registered.reason }
        return show(request, reply, { errors: [error] })
      }
    }
  })

  app.get(`${path}/notificacoes`, PROVIDERS_STEP_UP, async (request, reply) => {
    const account = await findMaskedAccount(needs, getAccountKey(request))
    if (!account?.registeredUrl) return redirectToAccount(reply, provider)
    const { consequences, ...replace } = words.replace
    const ours = buildNotifyUrl(needs.baseUrl, account)
    return createPageRenderer(needs)(request, reply, 'dashboard/layout/confirm', {
      ...{ section: 'recebimentos', ...replace },
      consequences: consequences(account.registeredUrl, ours),
      hidden: [{ name: 'trocar', value: 'sim' }],
      ...{ action: replacementPath(provider), back: accountPagePath(provider) },
    })
  })

  app.get(`${path}/remover`, PROVIDERS_STEP_UP, async (request, reply) => {
    if (!(await findMaskedAccount(needs, getAccountKey(request))))
      return redirectToAccount(reply, provider)
    const { question, ...remove } = words.remove
    return createPageRenderer(needs)(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.remove, section: 'recebimentos', ...remove },
      ...{ question: question(PROVIDER_LABELS[provider].name), isDangerous: true },
      ...{ action: `${accountPagePath(provider)}/remover`, back: accountPagePath(provider) },
    })
  })

  app.post(`${path}/remover`, PROVIDERS_STEP_UP, async (request, reply) => {
    if (!(await findMaskedAccount(needs, getAccountKey(request))))
      return redirectToAccount(reply, provider)
    const removed = await catchConflict('actions', removeAccount(needs.db, getAccountKey(request)))
    if (removed.kind === 'invalid') return show(request, reply, { errors: removed.errors })
    await recordAccountAudit(needs, request, provider, 'provider_account_removed')
    return reply.redirect(`${RECEIVABLES_PATH}?feito=conta-removida`, 303)
  })

  function getAccountKey(request: FastifyRequest) {
    return { companyId: request.visitor.company.id, provider, now: needs.now() }
  }
}

function redirectToAccount(reply: FastifyReply, provider: RealProvider, done?: string) {
  return reply.redirect(accountPagePath(provider) + (done ? `?feito=${done}` : ''), 303)
}

type AccountInput = Awaited<ReturnType<typeof readAccountInput>>

/** What was typed and uploaded. Of another bank than the one that is saved nothing is kept. */
async function readAccountInput(
  needs: DashboardNeeds,
  { visitor, body }: FastifyRequest,
  provider: RealProvider,
) {
  const sent = toRecord(body)
  const companyId = visitor.company.id
  const preset = parsePreset(sent.preset) ?? 'custom'
  const { main, more } = listAccountFields(provider, preset)
  const fields = [...main, ...more]
  const { config, problems } = readAccountConfig(sent, fields)
  const saved = (await findMaskedAccount(needs, { companyId, provider }))?.config
  const isSameBank = provider !== 'pix-api' || saved?.preset === preset
  return {
    ...{ companyId, provider, preset, fields, problems, now: needs.now() },
    config: provider === 'pix-api' ? { preset, ...config } : config,
    keepBlankSecrets: Boolean(saved) && isSameBank && sent.semManter !== 'on',
    typed: readTypedAccount(sent, fields),
    lost: listLostSecrets(sent, fields),
  }
}

async function catchAccountErrors<Saved>(
  { fields, problems }: AccountInput,
  work: () => Promise<Saved>,
): Promise<SaveResult<Saved>> {
  if (problems.length > 0) return { kind: 'invalid', errors: problems }
  const named = catchRefusal(work(), ({ errors }) => errors && toAccountFormErrors(errors, fields))
  const result = await catchConflict('actions', named)
  return result.kind === 'saved' ? result.saved : result
}

type AccountPageState = Pick<AccountViewInput, 'steps' | 'errors' | 'isRisky'> & {
  conflicts?: FieldConflict[]
  preset?: AccountViewInput['preset']
  typed?: TypedFields
  lost?: string[]
}

function createAccountRenderer(needs: DashboardNeeds, provider: RealProvider) {
  const show = createPageRenderer(needs)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { conflicts, ...state }: AccountPageState,
  ) => {
    const { company } = request.visitor
    const key = { companyId: company.id, provider }
    const account = await findMaskedAccount(needs, key)
    const notifyToken = account?.notifyToken ?? deriveNotifyToken(needs.cipher, key)
    const notifyUrl = buildNotifyUrl(needs.baseUrl, { provider, notifyToken })
    const page = buildAccountViewModel({ ...state, company, provider, account, notifyUrl })
    const version = buildFormVersion(request, toAccountValues(account), conflicts)
    return show(request, reply, 'dashboard/receivables/provider-account', { ...page, version })
  }
}
