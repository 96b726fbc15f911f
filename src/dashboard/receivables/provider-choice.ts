// `/painel/recebimentos/<provider>/<method>`: from now on new payments by this method go there. In the
// real environment it takes a checklist and a word, in that of tests a word; and a word takes a method
// off (`/painel/recebimentos/desligar/<method>`).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getMethodProvider } from '../../companies/company.ts'
import {
  PAYMENT_METHODS,
  type PaymentMethod,
  PROVIDER_NAMES,
  type ProviderName,
} from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { recordSecurityChange } from '../../mail/security.ts'
import { findMaskedAccount } from '../../providers/accounts.ts'
import { getCapabilities } from '../../providers/capabilities.ts'
import { chooseProvider } from '../../providers/choose.ts'
import { registerNotifications } from '../../providers/registration.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import { catchConflict } from '../layout/forms/form.ts'
import { type DashboardNeeds, getAuditActor, requireRight, STEP_UP } from '../layout/needs.ts'
import { createPageRenderer, type FormError } from '../layout/page.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { listUnmetChecks, loadGoLiveChecks } from './going-live.ts'
import { METHOD_PATHS, methodOffPath, providerChoicePath } from './methods.ts'
import {
  type AccountView,
  accountPagePath,
  isNotifyUrlPasted,
  replacementPath,
  toAccountNeeds,
} from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

const PROVIDERS_STEP_UP = requireRight('providers', STEP_UP)
const words = providerPageTexts
const PROVIDER_LABELS = providerAccountTexts.providers

type ProviderChoice = { provider: ProviderName; method: PaymentMethod }

export async function providerChoicePages(app: FastifyInstance, needs: DashboardNeeds) {
  for (const provider of PROVIDER_NAMES) {
    for (const method of PAYMENT_METHODS) {
      const can = getCapabilities(provider).methods.includes(method)
      if (can) registerChoicePages(app, needs, { provider, method })
    }
  }
  for (const method of PAYMENT_METHODS) registerOffPages(app, needs, method)
}

function registerOffPages(app: FastifyInstance, needs: DashboardNeeds, method: PaymentMethod) {
  const path = `/recebimentos/desligar/${METHOD_PATHS[method]}`
  const show = createPageRenderer(needs)
  const { question, ...confirmation } = words.off

  app.get(path, PROVIDERS_STEP_UP, (request, reply) => {
    if (request.visitor.company.testMode) throw notFoundError()
    return show(request, reply, 'dashboard/layout/confirm', {
      ...{ title: words.titles.off, section: 'recebimentos', isDangerous: true },
      ...{ question: question(texts.methods[method]), ...confirmation },
      ...{ action: methodOffPath(method), back: RECEIVABLES_PATH },
    })
  })

  app.post(path, PROVIDERS_STEP_UP, async (request, reply) => {
    const { company } = request.visitor
    if (company.testMode) throw notFoundError()
    const now = needs.now()
    await chooseProvider(needs.db, { companyId: company.id, provider: null, method, now })
    const details = { method: texts.methods[method] }
    await recordSecurityChange(needs.db, needs.mail, {
      ...getAuditActor(request),
      ...{ action: 'method_turned_off', details, now },
    })
    return reply.redirect(`${RECEIVABLES_PATH}?feito=forma-desligada`, 303)
  })
}

type ResolvedAccount =
  | { kind: 'choose'; account: AccountView | undefined }
  | { kind: 'redirect'; path: string }

function registerChoicePages(app: FastifyInstance, needs: DashboardNeeds, choice: ProviderChoice) {
  const { provider, method } = choice
  const path = `/recebimentos/${provider}/${METHOD_PATHS[method]}`
  const showConfirm = createConfirmRenderer(needs, choice)
  const showChecklist = createChecklistRenderer(needs, choice)

  app.get(path, PROVIDERS_STEP_UP, async (request, reply) => {
    const found = await resolveAccount(request)
    if (found.kind === 'redirect') return reply.redirect(found.path, 303)
    return show(request, reply, { account: found.account })
  })

  app.post(path, PROVIDERS_STEP_UP, async (request, reply) => {
    const found = await resolveAccount(request)
    if (found.kind === 'redirect') return reply.redirect(found.path, 303)
    const { account } = found
    const errors = isLiveAccount(account) ? await findGoLiveErrors(needs, request, account) : []
    if (errors.length > 0) return show(request, reply, { account, errors })
    const chosen = await chooseProviderOrError(request)
    if (chosen.kind === 'invalid') return show(request, reply, { account, errors: chosen.errors })
    return reply.redirect(await registerWebhook(request), 303)
  })

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { account, errors = [] }: ProviderChoiceState,
  ) {
    return isLiveAccount(account)
      ? showChecklist(request, reply, { account, errors })
      : showConfirm(request, reply, errors)
  }

  async function chooseProviderOrError(request: FastifyRequest) {
    const { company } = request.visitor
    const now = needs.now()
    const wanted = { companyId: company.id, ...choice, now }
    const chosen = await catchConflict('actions', chooseProvider(needs.db, wanted))
    if (chosen.kind === 'invalid') return chosen
    await recordSecurityChange(needs.db, needs.mail, {
      ...getAuditActor(request),
      ...{
        testMode: company.testMode,
        action: 'provider_chosen',
        subject: PROVIDER_LABELS[provider].name,
        now,
      },
      details: { method: texts.methods[method] },
    })
    return chosen
  }

  /** The account to be chosen; or where to go instead. */
  async function resolveAccount({
    visitor: { company },
  }: FastifyRequest): Promise<ResolvedAccount> {
    if (getMethodProvider(company, method) === provider) {
      return { kind: 'redirect', path: RECEIVABLES_PATH }
    }
    if (provider === 'sandbox' && !company.testMode) throw notFoundError()
    if (provider === 'sandbox') return { kind: 'choose', account: undefined }
    const account = await findMaskedAccount(needs, { companyId: company.id, provider })
    return account
      ? { kind: 'choose', account }
      : { kind: 'redirect', path: accountPagePath(provider) }
  }

  /** The page that says how it went, or asks whether somebody else's address is replaced. */
  async function registerWebhook({ visitor: { company } }: FastifyRequest) {
    const done = `${RECEIVABLES_PATH}?feito=provedor-escolhido`
    if (provider === 'sandbox') return done
    const key = { companyId: company.id, provider, now: needs.now() }
    const asked = { ...key, baseUrl: needs.baseUrl }
    const { kind } = await registerNotifications(toAccountNeeds(needs), asked)
    if (kind === 'kept') return `${replacementPath(provider)}?feito=provedor-escolhido`
    return kind === 'failed' ? `${RECEIVABLES_PATH}?feito=provedor-sem-notificacoes` : done
  }
}

type ProviderChoiceState = { account: AccountView | undefined; errors?: FormError[] }

function isLiveAccount(account: AccountView | undefined): account is AccountView {
  return account !== undefined && !account.testMode
}

async function findGoLiveErrors(
  needs: DashboardNeeds,
  { visitor, body }: FastifyRequest,
  account: AccountView,
): Promise<FormError[]> {
  const { checks } = await loadGoLiveChecks(needs, visitor, account)
  const isUnderstood = toRecord(body).entendo === 'on'
  const errors = listUnmetChecks(checks)
  return isUnderstood ? errors : [...errors, { field: 'entendo', message: words.understand }]
}

function createChecklistRenderer(needs: DashboardNeeds, { provider, method }: ProviderChoice) {
  const show = createPageRenderer(needs)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { account, errors = [] }: { account: AccountView; errors?: FormError[] },
  ) => {
    const { checks, notifyUrl } = await loadGoLiveChecks(needs, request.visitor, account)
    return show(request, reply, 'dashboard/receivables/going-live', {
      ...{ title: words.titles.goLive, section: 'recebimentos', errors },
      ...{ provider: PROVIDER_LABELS[provider].name, method: texts.methods[method] },
      ...{ path: providerChoicePath(provider, method), back: RECEIVABLES_PATH },
      musts: checks.filter(({ isAdvice }) => !isAdvice),
      advice: checks.filter(({ isAdvice }) => isAdvice),
      isReady: listUnmetChecks(checks).length === 0,
      notifications: provider === 'sandbox' ? null : words.registration[provider],
      pasted: isNotifyUrlPasted(provider) ? notifyUrl : null,
      ticked: toRecord(request.body).entendo === 'on',
    })
  }
}

/** In the test environment. */
function createConfirmRenderer(needs: DashboardNeeds, { provider, method }: ProviderChoice) {
  const show = createPageRenderer(needs)
  const { choose, titles } = words
  const [name, by] = [PROVIDER_LABELS[provider].name, texts.methods[method]]
  const page =
    provider === 'sandbox'
      ? {
          title: titles.sandbox,
          question: choose.toSandbox(by),
          consequences: choose.sandboxConsequences,
          button: choose.back,
        }
      : {
          title: titles.test,
          question: choose.toTest(name, by),
          consequences: choose.testConsequences,
          button: choose.button(name),
        }
  return (request: FastifyRequest, reply: FastifyReply, errors: FormError[] = []) =>
    show(request, reply, 'dashboard/layout/confirm', {
      ...{ section: 'recebimentos', errors, ...page },
      ...{ action: providerChoicePath(provider, method), back: RECEIVABLES_PATH },
    })
}
