// `/painel/recebimentos/<provider>/<method>`: new payments by this method use this provider from now on, after a
// confirmation, and in the live environment also a checklist. `/painel/recebimentos/desligar/<method>` stops offering a
// method.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getMethodProvider } from '../../companies/company.ts'
import {
  isSandbox,
  PAYMENT_METHODS,
  type PaymentMethod,
  PROVIDER_NAMES,
  type ProviderName,
} from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import { toRecord } from '../../http/fields.ts'
import { buildNotifyUrl, findMaskedAccount } from '../../providers/accounts.ts'
import { chooseProvider } from '../../providers/choose.ts'
import { registerNotifications } from '../../providers/registration.ts'
import { getAdapter, getProfile } from '../../providers/registry.ts'
import { getEntries } from '../../record.ts'
import { texts } from '../../texts.ts'
import { listEndpoints } from '../../webhooks/endpoints/endpoint.ts'
import { catchConflict } from '../layout/form.ts'
import { type DashboardNeeds, recordSecurityAct } from '../layout/needs.ts'
import {
  ACCOUNT_PATH,
  CONTACT_PATH,
  INTEGRATIONS_PATH,
  RECEIVABLES_PATH,
  SETTINGS_PATH,
} from '../layout/paths.ts'
import { registerConfirmation, registerForm } from '../layout/register.ts'
import {
  type AccountView,
  accountPagePath,
  choicePath,
  METHOD_PATHS,
  replacementPath,
  toAccountNeeds,
} from './account-view.ts'
import { choiceTexts as words } from './texts.ts'

type Choice = { provider: ProviderName; method: PaymentMethod }
type CheckName = keyof typeof words.checks
type Check = {
  id: string
  text: string
  /** What to do about an unmet check, and where. */
  todo: string
  see: string | null
  href: string | null
  isDone: boolean
  isAdvice: boolean
}

const ACCESS = { right: 'providers', stepUp: true } as const
const PAGE = { section: 'recebimentos', back: RECEIVABLES_PATH } as const

export async function providerChoicePages(app: FastifyInstance, needs: DashboardNeeds) {
  for (const provider of PROVIDER_NAMES) {
    for (const method of getProfile(provider).methods)
      registerChoice(app, needs, { provider, method })
  }
  for (const method of PAYMENT_METHODS) registerOff(app, needs, method)
}

function registerOff(app: FastifyInstance, needs: DashboardNeeds, method: PaymentMethod) {
  const name = texts.methods[method]
  const path = `/recebimentos/desligar/${METHOD_PATHS[method]}`
  registerConfirmation(app, path, needs.show, {
    ...ACCESS,
    async load({ visitor: { company } }) {
      if (company.testMode) throw notFoundError()
      return company
    },
    ask: () => ({ ...PAGE, isDangerous: true, ...words.off, question: words.off.question(name) }),
    async confirm(request, { id: companyId }) {
      await chooseProvider(needs.db, { companyId, provider: null, method, now: needs.now() })
      const details = { method: name }
      await recordSecurityAct(needs, request, { action: 'method_turned_off', details })
      return `${RECEIVABLES_PATH}?feito=forma-desligada`
    },
  })
}

function registerChoice(app: FastifyInstance, needs: DashboardNeeds, choice: Choice): void {
  const { show } = needs

  registerForm(app, `/recebimentos/${choice.provider}/${METHOD_PATHS[choice.method]}`, {
    ...ACCESS,
    load: (request) => loadChosenAccount(needs, request, choice),
    toForm: () => ({ isUnderstood: false }),
    readForm: ({ body }) => ({ isUnderstood: toRecord(body).entendo === 'on' }),
    async save(request, { liveAccount }, { isUnderstood }) {
      const errors = liveAccount ? await findUnmetChecks(needs, request, choice, liveAccount) : []
      if (liveAccount && !isUnderstood) errors.push({ field: 'entendo', message: words.understand })
      if (errors.length > 0) return { kind: 'invalid', errors }
      return catchConflict('actions', saveChoice(needs, request, choice))
    },
    async view(request, reply, { form, errors }, { liveAccount }) {
      if (!liveAccount) {
        const page = { ...describeChoice(choice), errors }
        return show(request, reply, 'dashboard/layout/confirm', page)
      }
      const checklist = await loadChecklist(needs, request, choice, liveAccount)
      const page = { ...checklist, ticked: form.isUnderstood, errors }
      return show(request, reply, 'dashboard/receivables/going-live', page)
    },
    done: ({ saved }) => saved,
  })
}

/** `liveAccount`: the account for live money; null for tests. */
async function loadChosenAccount(
  needs: DashboardNeeds,
  { visitor: { company } }: FastifyRequest,
  { provider, method }: Choice,
): Promise<{ liveAccount: AccountView | null } | string> {
  if (getMethodProvider(company, method) === provider) return RECEIVABLES_PATH
  if (isSandbox(provider) && !company.testMode) throw notFoundError()
  if (isSandbox(provider)) return { liveAccount: null }
  const account = await findMaskedAccount(needs, { companyId: company.id, provider })
  if (!account) return accountPagePath(provider)
  return { liveAccount: account.testMode ? null : account }
}

/** Returns the next page: the result, or the question whether another system's address is replaced. */
async function saveChoice(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { provider, method }: Choice,
) {
  const key = { companyId: request.visitor.company.id, now: needs.now() }
  await chooseProvider(needs.db, { ...key, provider, method })
  await recordSecurityAct(needs, request, {
    action: 'provider_chosen',
    subject: getProfile(provider).name,
    details: { method: texts.methods[method] },
  })
  const done = `${RECEIVABLES_PATH}?feito=provedor-escolhido`
  if (isSandbox(provider)) return done
  const asked = { ...key, provider, baseUrl: needs.baseUrl }
  const { kind } = await registerNotifications(toAccountNeeds(needs), asked)
  if (kind === 'kept') return `${replacementPath(provider)}?feito=provedor-escolhido`
  return kind === 'failed' ? `${RECEIVABLES_PATH}?feito=provedor-sem-notificacoes` : done
}

/** The question in the test environment. */
function describeChoice({ provider, method }: Choice) {
  const { toTest, toSandbox } = words
  const [name, by] = [getProfile(provider).name, texts.methods[method]]
  return {
    ...PAGE,
    action: choicePath(provider, method),
    ...(provider === 'sandbox'
      ? { ...toSandbox, question: toSandbox.question(by) }
      : { ...toTest, question: toTest.question(name, by), button: toTest.button(name) }),
  }
}

/** The checks before a company goes live: required ones, and advice. */
export async function loadChecklist(
  { db, baseUrl, mail }: Pick<DashboardNeeds, 'db' | 'baseUrl' | 'mail'>,
  { visitor: { company, user } }: FastifyRequest,
  { provider, method }: Choice,
  account: AccountView,
) {
  const { name, notifications } = getAdapter(account.provider)
  const by: string = texts.methods[method]
  const endpoints = await listEndpoints(db, company.id)
  const hasEndpoint = endpoints.some(({ disabledAt }) => disabledAt === null)
  const facts: Record<CheckName, { isDone: boolean; href?: string }> = {
    taxId: { isDone: company.taxId !== null, href: SETTINGS_PATH },
    support: {
      isDone: company.supportEmail !== null || company.supportPhone !== null,
      href: CONTACT_PATH,
    },
    connection: {
      isDone: account.testedAt !== null && account.testFailure === null,
      href: accountPagePath(provider),
    },
    https: { isDone: baseUrl.startsWith('https:') },
    notice: {
      isDone: hasEndpoint || (mail !== null && company.mailPayments),
      href: INTEGRATIONS_PATH,
    },
    secondStep: { isDone: user.totpEnabled, href: ACCOUNT_PATH },
  }
  const checks: Check[] = getEntries(facts).map(([check, { isDone, href = null }]) => ({
    ...words.checks[check],
    id: `check-${check}`,
    isDone,
    isAdvice: check === 'secondStep',
    href,
  }))
  return {
    ...PAGE,
    title: words.goLive,
    provider: name,
    method: by,
    path: choicePath(provider, method),
    checks,
    isReady: checks.every(({ isDone, isAdvice }) => isDone || isAdvice),
    /** What happens to the notification address. */
    notifications: notifications.onChoice,
    /** The notification address, if a person must give it to the provider. */
    pasted: notifications.isPasted ? buildNotifyUrl(baseUrl, account) : null,
  }
}

/** Returns the unmet checks, which prevent going live. */
async function findUnmetChecks(
  needs: DashboardNeeds,
  request: FastifyRequest,
  choice: Choice,
  account: AccountView,
) {
  const { checks } = await loadChecklist(needs, request, choice, account)
  return checks
    .filter(({ isDone, isAdvice }) => !isDone && !isAdvice)
    .map(({ id, todo }) => ({ field: id, message: todo }))
}
