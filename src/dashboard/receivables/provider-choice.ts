// `/painel/recebimentos/<provider>/<method>`: from now on new payments by this method go there. In the
// real environment it takes a checklist and a word, in that of tests a word; and a word takes a method
// off (`/painel/recebimentos/desligar/<method>`).

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getMethodProvider } from '../../companies/company.ts'
import {
  PAYMENT_METHODS,
  type PaymentMethod,
  PROVIDER_NAMES,
  type ProviderName,
} from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { findMaskedAccount } from '../../providers/accounts.ts'
import { getCapabilities } from '../../providers/capabilities.ts'
import { chooseProvider } from '../../providers/choose.ts'
import { registerNotifications } from '../../providers/registration.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import { catchConflict } from '../layout/forms/form.ts'
import { registerConfirmation, registerForm } from '../layout/forms/register.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { RECEIVABLES_PATH } from '../layout/paths.ts'
import { recordSecurityAct } from '../layout/security.ts'
import { listUnmetChecks, loadGoLiveChecks } from './going-live.ts'
import { METHOD_PATHS, providerChoicePath } from './methods.ts'
import {
  type AccountView,
  accountPagePath,
  isNotifyUrlPasted,
  replacementPath,
  toAccountNeeds,
} from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

const words = providerPageTexts
const PROVIDER_LABELS = providerAccountTexts.providers

type ProviderChoice = { provider: ProviderName; method: PaymentMethod }

/** The account to be chosen; the sandbox has none. */
type ChosenAccount = { account: AccountView | undefined }

export async function providerChoicePages(app: FastifyInstance, needs: DashboardNeeds) {
  for (const provider of PROVIDER_NAMES) {
    for (const method of PAYMENT_METHODS) {
      const can = getCapabilities(provider).methods.includes(method)
      if (can) registerChoice(app, needs, { provider, method })
    }
  }
  for (const method of PAYMENT_METHODS) registerOff(app, needs, method)
}

function registerOff(app: FastifyInstance, needs: DashboardNeeds, method: PaymentMethod) {
  const { db, now } = needs
  const name = texts.methods[method]
  registerConfirmation(
    app,
    `/recebimentos/desligar/${METHOD_PATHS[method]}`,
    createPageRenderer(needs),
    {
      right: 'providers',
      stepUp: true,
      async load({ visitor: { company } }) {
        if (company.testMode) throw notFoundError()
        return company
      },
      ask: () => ({
        title: words.titles.off,
        section: 'recebimentos',
        isDangerous: true,
        ...words.off,
        question: words.off.question(name),
        back: RECEIVABLES_PATH,
      }),
      async confirm(request, { id: companyId }) {
        await chooseProvider(db, { companyId, provider: null, method, now: now() })
        await recordSecurityAct(needs, request, {
          action: 'method_turned_off',
          details: { method: name },
        })
        return `${RECEIVABLES_PATH}?feito=forma-desligada`
      },
    },
  )
}

function registerChoice(app: FastifyInstance, needs: DashboardNeeds, choice: ProviderChoice): void {
  const { provider, method } = choice
  const show = createPageRenderer(needs)

  registerForm(app, `/recebimentos/${provider}/${METHOD_PATHS[method]}`, {
    right: 'providers',
    stepUp: true,
    load: (request) => loadChosenAccount(needs, request, choice),
    toForm: () => ({ isUnderstood: false }),
    readForm: ({ body }) => ({ isUnderstood: toRecord(body).entendo === 'on' }),
    async save(request, { account }, { isUnderstood }) {
      const errors = isLiveAccount(account) ? await findGoLiveErrors(needs, request, account) : []
      if (isLiveAccount(account) && !isUnderstood)
        errors.push({ field: 'entendo', message: words.understand })
      if (errors.length > 0) return { kind: 'invalid', errors }
      const { id: companyId, testMode } = request.visitor.company
      const wanted = { companyId, ...choice, now: needs.now() }
      const chosen = await catchConflict('actions', chooseProvider(needs.db, wanted))
      if (chosen.kind === 'invalid') return chosen
      await recordSecurityAct(needs, request, {
        action: 'provider_chosen',
        subject: PROVIDER_LABELS[provider].name,
        details: { method: texts.methods[method] },
        testMode,
      })
      return { kind: 'saved', path: await registerWebhook(needs, companyId, provider) }
    },
    async view(request, reply, { form, errors }, { account }) {
      if (!isLiveAccount(account)) {
        const page = { ...describeChoice(choice), action: providerChoicePath(provider, method) }
        return show(request, reply, 'dashboard/layout/confirm', { ...page, errors })
      }
      const checklist = await loadChecklist(needs, request, choice, account)
      const page = { ...checklist, ticked: form.isUnderstood, errors }
      return show(request, reply, 'dashboard/receivables/going-live', page)
    },
    done: ({ path }) => path,
  })
}

async function loadChosenAccount(
  needs: DashboardNeeds,
  { visitor: { company } }: FastifyRequest,
  { provider, method }: ProviderChoice,
): Promise<ChosenAccount | string> {
  if (getMethodProvider(company, method) === provider) return RECEIVABLES_PATH
  if (provider === 'sandbox' && !company.testMode) throw notFoundError()
  if (provider === 'sandbox') return { account: undefined }
  const account = await findMaskedAccount(needs, { companyId: company.id, provider })
  return account ? { account } : accountPagePath(provider)
}

function isLiveAccount(account: AccountView | undefined): account is AccountView {
  return account !== undefined && !account.testMode
}

async function findGoLiveErrors(
  needs: DashboardNeeds,
  { visitor }: FastifyRequest,
  account: AccountView,
) {
  const { checks } = await loadGoLiveChecks(needs, visitor, account)
  return listUnmetChecks(checks)
}

/** The page that says how it went, or asks whether somebody else's address is replaced. */
async function registerWebhook(needs: DashboardNeeds, companyId: string, provider: ProviderName) {
  const done = `${RECEIVABLES_PATH}?feito=provedor-escolhido`
  if (provider === 'sandbox') return done
  const asked = { companyId, provider, now: needs.now(), baseUrl: needs.baseUrl }
  const { kind } = await registerNotifications(toAccountNeeds(needs), asked)
  if (kind === 'kept') return `${replacementPath(provider)}?feito=provedor-escolhido`
  return kind === 'failed' ? `${RECEIVABLES_PATH}?feito=provedor-sem-notificacoes` : done
}

export async function loadChecklist(
  needs: DashboardNeeds,
  { visitor }: FastifyRequest,
  { provider, method }: ProviderChoice,
  account: AccountView,
) {
  const { checks, notifyUrl } = await loadGoLiveChecks(needs, visitor, account)
  const name: string = PROVIDER_LABELS[provider].name
  const by: string = texts.methods[method]
  const notifications: string | null = provider === 'sandbox' ? null : words.registration[provider]
  return {
    title: words.titles.goLive,
    section: 'recebimentos' as const,
    provider: name,
    method: by,
    path: providerChoicePath(provider, method),
    back: RECEIVABLES_PATH,
    musts: checks.filter(({ isAdvice }) => !isAdvice),
    advice: checks.filter(({ isAdvice }) => isAdvice),
    isReady: listUnmetChecks(checks).length === 0,
    /** What to do about the provider's notifications, in a sentence; the sandbox sends none. */
    notifications,
    /** Where the provider's notifications go, if a person must tell it. */
    pasted: isNotifyUrlPasted(provider) ? notifyUrl : null,
  }
}

/** The question in the test environment. */
function describeChoice({ provider, method }: ProviderChoice) {
  const { choose, titles } = words
  const [name, by] = [PROVIDER_LABELS[provider].name, texts.methods[method]]
  const page = { section: 'recebimentos' as const, back: RECEIVABLES_PATH }
  return provider === 'sandbox'
    ? {
        ...page,
        title: titles.sandbox,
        question: choose.toSandbox(by),
        consequences: choose.sandboxConsequences,
        button: choose.back,
      }
    : {
        ...page,
        title: titles.test,
        question: choose.toTest(name, by),
        consequences: choose.testConsequences,
        button: choose.button(name),
      }
}
