// `/painel/recebimentos/<provider>/<method>`: from now on new payments by this method go there. To real
// money it takes a checklist and a word; back to tests a word.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { channelOf } from '../../companies/company.ts'
import { METHODS, type Method, PROVIDER_NAMES, type ProviderName } from '../../database/enums.ts'
import { AppError } from '../../http/errors.ts'
import { registerNotifications, showAccount } from '../../providers/accounts.ts'
import { capabilitiesOf } from '../../providers/capabilities.ts'
import { chooseProvider } from '../../providers/choose.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import { texts } from '../../texts.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { goingLive, unmet } from './going-live.ts'
import { choicePath, METHOD_PATHS } from './methods.ts'
import { accountNeeds, accountPath, type ShownAccount } from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

const OWNERS = { config: { owners: true } }
const RECEIVABLES = '/painel/recebimentos'
const words = providerPageTexts
const NAMES = providerAccountTexts.providers

type Choice = { provider: ProviderName; method: Method }

export async function providerChoicePages(app: FastifyInstance, needs: DashboardNeeds) {
  for (const provider of PROVIDER_NAMES) {
    for (const method of METHODS) {
      const can = capabilitiesOf(provider).methods.includes(method)
      if (can) choicePages(app, needs, { provider, method })
    }
  }
}

function choicePages(app: FastifyInstance, needs: DashboardNeeds, choice: Choice) {
  const { provider, method } = choice
  const path = `/recebimentos/${provider}/${METHOD_PATHS[method]}`
  const showConfirm = confirming(app, needs, choice)
  const showChecklist = checking(app, needs, choice)

  app.get(path, OWNERS, async (request, reply) => {
    const [account, elsewhere] = await look(request)
    return elsewhere ? reply.redirect(elsewhere, 303) : show(request, reply, { account })
  })

  app.post(path, OWNERS, async (request, reply) => {
    const [account, elsewhere] = await look(request)
    if (elsewhere) return reply.redirect(elsewhere, 303)
    const errors = isReal(account) ? await reasonsAgainst(needs, request, account) : []
    if (errors.length > 0) return show(request, reply, { account, errors })
    const refused = await choose(request, !isReal(account))
    if (refused) return show(request, reply, { account, errors: [refused] })
    return reply.redirect(`${RECEIVABLES}?feito=${await register(request)}`, 303)
  })

  function show(request: FastifyRequest, reply: FastifyReply, { account, errors = [] }: Shown) {
    return isReal(account)
      ? showChecklist(request, reply, { account, errors })
      : showConfirm(request, reply, errors)
  }

  async function choose(request: FastifyRequest, testMode: boolean): Promise<Problem | undefined> {
    const { company } = request.visitor
    const now = needs.now()
    try {
      await chooseProvider(needs.db, { companyId: company.id, ...choice, testMode, now })
    } catch (error) {
      if (!(error instanceof AppError) || error.statusCode !== 409) throw error
      return { field: 'actions', message: error.message }
    }
    await recordAudit(needs.db, {
      ...actorOf(request),
      ...{ action: 'provider_chosen', subject: NAMES[provider].name, now },
      details: {
        method: texts.methods[method],
        mode: words.choose.mode[testMode ? 'test' : 'real'],
      },
    })
    return undefined
  }

  /** The account to be chosen; or where to go instead. */
  async function look({
    visitor: { company },
  }: FastifyRequest): Promise<[ShownAccount | undefined, string | null]> {
    if (channelOf(company, method).provider === provider) return [undefined, RECEIVABLES]
    if (provider === 'sandbox') return [undefined, null]
    const account = await showAccount(needs, { companyId: company.id, provider })
    return [account, account ? null : accountPath(provider)]
  }

  /** The key of the sentence that says how it went. */
  async function register({ visitor: { company } }: FastifyRequest) {
    if (provider === 'sandbox') return 'provedor-escolhido'
    const key = { companyId: company.id, provider, now: needs.now() }
    const asked = { ...key, baseUrl: needs.baseUrl }
    const step = await registerNotifications(accountNeeds(needs), asked)
    return step?.ok === false ? 'provedor-sem-notificacoes' : 'provedor-escolhido'
  }
}

type Shown = { account: ShownAccount | undefined; errors?: Problem[] }

function isReal(account: ShownAccount | undefined): account is ShownAccount {
  return account !== undefined && !account.testMode
}

async function reasonsAgainst(
  needs: DashboardNeeds,
  { visitor, body }: FastifyRequest,
  account: ShownAccount,
): Promise<Problem[]> {
  const { checks } = await goingLive(needs, visitor, account)
  const isUnderstood = (body as { entendo?: unknown }).entendo === 'on'
  const errors = unmet(checks)
  return isUnderstood ? errors : [...errors, { field: 'entendo', message: words.understand }]
}

function checking(app: FastifyInstance, needs: DashboardNeeds, { provider, method }: Choice) {
  const show = pagesOf(app, needs)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { account, errors = [] }: { account: ShownAccount; errors?: Problem[] },
  ) => {
    const { checks, notifyUrl } = await goingLive(needs, request.visitor, account)
    return show(request, reply, 'receivables/going-live', {
      ...{ title: words.titles.goLive, section: 'recebimentos', errors },
      ...{ provider: NAMES[provider].name, method: texts.methods[method] },
      ...{ path: choicePath(provider, method), back: RECEIVABLES },
      musts: checks.filter(({ isAdvice }) => !isAdvice),
      advice: checks.filter(({ isAdvice }) => isAdvice),
      isReady: unmet(checks).length === 0,
      pasted: provider === 'mercadopago' ? notifyUrl : null,
      ticked: (request.body as { entendo?: unknown } | undefined)?.entendo === 'on',
    })
  }
}

/** To tests, from wherever. */
function confirming(app: FastifyInstance, needs: DashboardNeeds, { provider, method }: Choice) {
  const show = pagesOf(app, needs)
  const { choose, titles } = words
  const [name, by] = [NAMES[provider].name, texts.methods[method]]
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
  return (request: FastifyRequest, reply: FastifyReply, errors: Problem[] = []) =>
    show(request, reply, 'confirm', {
      ...{ section: 'recebimentos', errors, ...page },
      ...{ action: choicePath(provider, method), back: RECEIVABLES },
    })
}
