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
import { catchConflict, registerConfirmation, registerForm } from '../layout/form.ts'
import { type DashboardNeeds, recordSecurityAct } from '../layout/needs.ts'
import type { FormError } from '../layout/page.ts'
import {
  ACCOUNT_PATH,
  CONTACT_PATH,
  INTEGRATIONS_PATH,
  RECEIVABLES_PATH,
  SETTINGS_PATH,
} from '../layout/paths.ts'
import {
  type AccountView,
  accountPagePath,
  choicePath,
  METHOD_PATHS,
  replacementPath,
} from './account-view.ts'
import { choiceTexts as words } from './texts.ts'

type Choice = { provider: ProviderName; method: PaymentMethod }

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
    ask: () => ({ ...PAGE, isDangerous: true, ...words.off(name) }),
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
      const errors: FormError[] = liveAccount
        ? await findUnmetChecks(needs, request, choice, liveAccount)
        : []
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
  const { kind } = await registerNotifications(needs, asked)
  if (kind === 'kept') return `${replacementPath(provider)}?feito=provedor-escolhido`
  return kind === 'failed' ? `${RECEIVABLES_PATH}?feito=provedor-sem-notificacoes` : done
}

/** The question in the test environment. */
function describeChoice({ provider, method }: Choice) {
  const by = texts.methods[method]
  const question = isSandbox(provider)
    ? words.toSandbox(by)
    : words.toTest(getProfile(provider).name, by)
  return { ...PAGE, action: choicePath(provider, method), ...question }
}

/** The checks before a company goes live: required ones, and advice. */
export async function loadChecklist(
  { db, baseUrl, mail }: DashboardNeeds,
  { visitor: { company, user } }: FastifyRequest,
  { provider, method }: Choice,
  account: AccountView,
) {
  const { name, notifications } = getAdapter(account.provider)
  const endpoints = await listEndpoints(db, company.id)
  const hasEndpoint = endpoints.some(({ disabledAt }) => disabledAt === null)
  const done: Record<keyof typeof words.checks, boolean> = {
    taxId: company.taxId !== null,
    support: company.supportEmail !== null || company.supportPhone !== null,
    connection: account.testedAt !== null && account.testFailure === null,
    https: baseUrl.startsWith('https:'),
    notice: hasEndpoint || (mail !== null && company.mailPayments),
    secondStep: user.totpEnabled,
  }
  const paths = { ...CHECK_PATHS, connection: accountPagePath(provider) }
  const checks = getEntries(words.checks).map(([check, text]) => ({
    ...text,
    id: `check-${check}`,
    isDone: done[check],
    isAdvice: check === 'secondStep',
    href: paths[check],
  }))
  return {
    ...PAGE,
    title: words.goLive,
    provider: name,
    method: texts.methods[method],
    path: choicePath(provider, method),
    checks,
    isReady: checks.every(({ isDone, isAdvice }) => isDone || isAdvice),
    /** What happens to the notification address. */
    notifications: notifications.onChoice,
    /** The notification address, if a person must give it to the provider. */
    pasted: notifications.isPasted ? buildNotifyUrl(baseUrl, account) : null,
  }
}

/** Where an unmet check is mended. */
const CHECK_PATHS = {
  taxId: SETTINGS_PATH,
  support: CONTACT_PATH,
  https: null,
  notice: INTEGRATIONS_PATH,
  secondStep: ACCOUNT_PATH,
}

/** Returns the unmet checks, which prevent going live. */
async function findUnmetChecks(
  needs: DashboardNeeds,
  request: FastifyRequest,
  choice: Choice,
  account: AccountView,
) {
  const { checks } = await loadChecklist(needs, request, choice, account)
  return checks.flatMap(({ id, todo, isDone, isAdvice }) =>
    isDone || isAdvice ? [] : [{ field: id, message: todo }],
  )
}
