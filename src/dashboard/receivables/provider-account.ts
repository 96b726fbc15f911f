// `/painel/recebimentos/<provider>`: a company's account there. It is tried before it is saved, and its
// secrets are never shown again.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../companies/audit.ts'
import { AppError } from '../../http/errors.ts'
import {
  notifyTokenOf,
  notifyUrlOf,
  registerNotifications,
  removeAccount,
  saveAccount,
  showAccount,
  testAccount,
  tryConfig,
} from '../../providers/accounts.ts'
import type { ConnectionStep } from '../../providers/provider.ts'
import { REAL_PROVIDERS, type RealProvider } from '../../providers/registry.ts'
import { providerAccountTexts } from '../../providers/texts.ts'
import type { Typed } from '../layout/form.ts'
import { actorOf, type DashboardNeeds } from '../layout/needs.ts'
import { type Problem, pagesOf } from '../layout/page.ts'
import { fieldsOf, presetOf } from './provider-fields.ts'
import { atFields, configOf, typedAccount } from './provider-form.ts'
import { type AccountPage, accountPage } from './provider-page.ts'
import { accountNeeds, accountPath, hasFailed, isInUse } from './provider-state.ts'
import { providerPageTexts } from './texts.ts'

const OWNERS = { config: { owners: true } }
const UPLOAD = { config: { owners: true, upload: true } }
const RECEIVABLES = '/painel/recebimentos'
const words = providerPageTexts
const NAMES = providerAccountTexts.providers

type Body = Record<string, unknown>

export async function providerAccountPages(app: FastifyInstance, needs: DashboardNeeds) {
  for (const provider of REAL_PROVIDERS) {
    accountForm(app, needs, provider)
    accountActions(app, needs, provider)
  }
}

function accountForm(app: FastifyInstance, needs: DashboardNeeds, provider: RealProvider) {
  const at = accountNeeds(needs)
  const show = showingOf(app, needs, provider)
  const path = `/recebimentos/${provider}`

  app.get(path, OWNERS, async (request, reply) => {
    const { banco } = request.query as { banco?: unknown }
    return show(request, reply, { preset: presetOf(banco) })
  })

  app.post(path, UPLOAD, async (request, reply) => {
    const asked = await readAccount(needs, request, provider)
    const sent = { preset: asked.preset, typed: asked.typed }
    const tried = await orProblems(asked, () => tryConfig(at, asked))
    if ('errors' in tried) return show(request, reply, { ...sent, ...tried })
    const { steps } = tried
    const { testar } = request.body as Body
    if (testar !== undefined) return show(request, reply, { ...sent, steps })

    const isRisky = hasFailed(steps) && isInUse(request.visitor.company, provider)
    const refused = isRisky && refusalOf(request)
    if (refused) return show(request, reply, { ...sent, steps, errors: [refused], isRisky })
    return save(request, reply, asked, steps)
  })

  async function save(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
    steps: ConnectionStep[],
  ) {
    const saved = await orProblems(asked, async () => {
      await saveAccount(at, { ...asked, steps })
      return steps
    })
    const { preset, typed } = asked
    if ('errors' in saved) return show(request, reply, { preset, typed, steps, ...saved })
    await record(needs, request, provider, 'provider_account_saved')
    return back(reply, provider, hasFailed(steps) ? 'conta-salva' : 'conta-salva-e-testada')
  }
}

/** What is done with the account that is saved. */
function accountActions(app: FastifyInstance, needs: DashboardNeeds, provider: RealProvider) {
  const at = accountNeeds(needs)
  const show = showingOf(app, needs, provider)
  const path = `/recebimentos/${provider}`

  app.post(`${path}/testar`, OWNERS, async (request, reply) => {
    const steps = await testAccount(at, keyOf(request))
    return steps ? show(request, reply, { steps }) : back(reply, provider)
  })

  app.post(`${path}/notificacoes`, OWNERS, async (request, reply) => {
    const { baseUrl } = needs
    const step = await registerNotifications(at, { ...keyOf(request), baseUrl })
    if (!step) return back(reply, provider)
    if (step.ok) return back(reply, provider, 'notificacoes-registradas')
    return show(request, reply, { errors: [{ field: 'notificacoes', message: step.reason! }] })
  })

  app.get(`${path}/remover`, OWNERS, async (request, reply) => {
    if (!(await showAccount(needs, keyOf(request)))) return back(reply, provider)
    const { question, ...remove } = words.remove
    return pagesOf(app, needs)(request, reply, 'confirm', {
      ...{ title: words.titles.remove, section: 'recebimentos', ...remove },
      ...{ question: question(NAMES[provider].name), isDangerous: true },
      ...{ action: `${accountPath(provider)}/remover`, back: accountPath(provider) },
    })
  })

  app.post(`${path}/remover`, OWNERS, async (request, reply) => {
    if (!(await showAccount(needs, keyOf(request)))) return back(reply, provider)
    try {
      await removeAccount(needs.db, keyOf(request))
    } catch (error) {
      return show(request, reply, { errors: [conflictOf(error)] })
    }
    await record(needs, request, provider, 'provider_account_removed')
    return reply.redirect(`${RECEIVABLES}?feito=conta-removida`, 303)
  })

  function keyOf(request: FastifyRequest) {
    return { companyId: request.visitor.company.id, provider, now: needs.now() }
  }
}

function back(reply: FastifyReply, provider: RealProvider, done?: string) {
  return reply.redirect(accountPath(provider) + (done ? `?feito=${done}` : ''), 303)
}

async function record(
  { db, now }: DashboardNeeds,
  request: FastifyRequest,
  provider: RealProvider,
  action: 'provider_account_saved' | 'provider_account_removed',
) {
  const entry = { action, subject: NAMES[provider].name, now: now() }
  await recordAudit(db, { ...actorOf(request), ...entry })
}

/** An account in use that does not work is saved only by who says so. */
function refusalOf({ body }: FastifyRequest): Problem | undefined {
  if ((body as Body).mesmoAssim === 'on') return undefined
  return { field: 'mesmoAssim', message: words.notSaved }
}

type Asked = Awaited<ReturnType<typeof readAccount>>

/** What was typed and uploaded. Of another bank than the one that is saved nothing is kept. */
async function readAccount(
  needs: DashboardNeeds,
  { visitor, body }: FastifyRequest,
  provider: RealProvider,
) {
  const sent = body as Body
  const companyId = visitor.company.id
  const preset = presetOf(sent.preset) ?? 'custom'
  const { main, more } = fieldsOf(provider, preset)
  const fields = [...main, ...more]
  const { config, problems } = configOf(sent, fields)
  const saved = (await showAccount(needs, { companyId, provider }))?.config
  const isSameBank = provider !== 'pix-api' || saved?.preset === preset
  return {
    ...{ companyId, provider, preset, fields, problems, now: needs.now() },
    config: provider === 'pix-api' ? { preset, ...config } : config,
    keep: Boolean(saved) && isSameBank && sent.semManter !== 'on',
    typed: typedAccount(sent, fields),
  }
}

async function orProblems(
  { fields, problems }: Asked,
  work: () => Promise<ConnectionStep[]>,
): Promise<{ steps: ConnectionStep[] } | { errors: Problem[] }> {
  if (problems.length > 0) return { errors: problems }
  try {
    return { steps: await work() }
  } catch (error) {
    if (error instanceof AppError && error.errors) return { errors: atFields(error.errors, fields) }
    return { errors: [conflictOf(error)] }
  }
}

function conflictOf(error: unknown): Problem {
  if (!(error instanceof AppError) || error.statusCode !== 409) throw error
  return { field: 'actions', message: error.message }
}

type State = Pick<AccountPage, 'steps' | 'errors' | 'isRisky'> & {
  preset?: AccountPage['preset']
  typed?: Typed
}

function showingOf(app: FastifyInstance, needs: DashboardNeeds, provider: RealProvider) {
  const show = pagesOf(app, needs)
  return async (request: FastifyRequest, reply: FastifyReply, state: State) => {
    const { company } = request.visitor
    const key = { companyId: company.id, provider }
    const account = await showAccount(needs, key)
    const notifyToken = account?.notifyToken ?? notifyTokenOf(needs.seal, key)
    const notifyUrl = notifyUrlOf(needs.baseUrl, { provider, notifyToken })
    const page = accountPage({ ...state, company, provider, account, notifyUrl })
    return show(request, reply, 'receivables/account', page)
  }
}
