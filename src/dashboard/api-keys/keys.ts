// `/painel/chaves`: the company's API keys: created, replaced, limited to addresses, revoked. A key is shown once, when
// it is created.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  apiKeyTexts,
  findApiKey,
  issueApiKeyOnce,
  type ListedApiKey,
  listApiKeyPage,
  restrictApiKey,
  revokeApiKey,
  rollApiKey,
} from '../../api/api-key.ts'
import type { Scope } from '../../database/enums.ts'
import { HOUR_MS } from '../../database/instant.ts'
import { formatInstant } from '../../format.ts'
import { AppError, notFoundError } from '../../http/errors.ts'
import { unmapAddress } from '../../http/ip.ts'
import {
  type FormRequest,
  readTypedFields,
  registerConfirmation,
  registerForm,
  registerPage,
} from '../layout/form.ts'
import { loadPage } from '../layout/list.ts'
import { type DashboardNeeds, recordAct, recordSecurityAct } from '../layout/needs.ts'
import { API_KEYS_PATH } from '../layout/paths.ts'
import { sectionTitles } from '../layout/texts.ts'
import { saveVersionedForm } from '../layout/versioned.ts'
import {
  buildKeyCurl,
  formatKeyExpiry,
  formatScopes,
  isKeyActive,
  isKeyEnded,
  parseKeyForm,
  parseNetworks,
  readKeyForm,
  SCOPE_CHOICES,
  toKeyRow,
  type WantedKey,
} from './form.ts'
import { apiKeyPageTexts as words } from './texts.ts'

type Networks = Pick<ListedApiKey, 'allowedNetworks'>

const ACCESS = { right: 'apiKeys', stepUp: true } as const
const DEFAULT_OVERLAP = '24'
const OVERLAP_OPTIONS = Object.entries(words.overlaps).map(([value, text]) => ({ value, text }))

export async function keyPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

  registerPage(app, needs, '/chaves', ['apiKeys', 'dashboard/api-keys/list'], loadKeys)

  registerForm(app, '/chaves/nova', {
    ...ACCESS,
    load: async () => null,
    toForm: () => readKeyForm({}),
    readForm: ({ body }) => readKeyForm(body),
    parse: parseKeyForm,
    save: (request, _row, wanted) => createKey(needs, request, wanted),
    view: (request, reply, shown) =>
      show(request, reply, 'dashboard/api-keys/form', {
        title: words.titles.create,
        ...shown,
        choices: SCOPE_CHOICES,
      }),
    done: (made, _row, request, reply) =>
      made.kind === 'unchanged'
        ? `${API_KEYS_PATH}?feito=chave-ja-criada`
        : showCreated(request, reply, made),
  })

  registerForm(app, '/chaves/:id/trocar', {
    ...ACCESS,
    load: (request) => findRollableKey(needs, request),
    toForm: () => ({ hours: DEFAULT_OVERLAP }),
    readForm: ({ body }) => ({ hours: readTypedFields(body).hours ?? '' }),
    save: (request, key, form) => rollKey(needs, request, key, form),
    view: (request, reply, shown, key) =>
      show(request, reply, 'dashboard/api-keys/roll', {
        ...toRollPage(key, needs.now()),
        ...shown,
      }),
    done: (rolled, _row, request, reply) => showCreated(request, reply, rolled),
  })

  registerForm(app, '/chaves/:id/enderecos', {
    ...ACCESS,
    load: (request) => findLiveKey(needs, request),
    toValues: toNetworks,
    toForm: ({ allowedNetworks }) => ({ networks: allowedNetworks?.join('\n') ?? '' }),
    readForm: ({ body }) => ({ networks: readTypedFields(body).networks ?? '' }),
    parse: ({ networks }) => parseNetworks(networks),
    save: (request, _key, networks) => saveNetworks(needs, request, networks),
    view: (request, reply, shown, key) =>
      show(request, reply, 'dashboard/api-keys/restrict', {
        ...toRestrictPage(request, key, needs.now()),
        ...shown,
      }),
    done: `${API_KEYS_PATH}?feito=chave-limitada`,
  })

  registerConfirmation(app, '/chaves/:id/revogar', show, {
    ...ACCESS,
    load: (request) => findKey(needs, request),
    ask: (key) => toRevokePage(key, needs.now()),
    confirm: (request, key) => revokeKey(needs, request, key),
  })

  function showCreated(request: FormRequest, reply: FastifyReply, made: CreatedKey) {
    return show(request, reply, 'dashboard/api-keys/created', toCreatedPage(made, needs.baseUrl))
  }
}

export async function loadKeys({ db, now }: DashboardNeeds, request: FastifyRequest) {
  const { data, pager } = await loadPage(request, (page) =>
    listApiKeyPage(db, request.visitor.company.id, page),
  )
  return {
    title: sectionTitles.chaves,
    keys: data.map((key) => toKeyRow(key, now())),
    pager,
  }
}

/** Returns `unchanged` when the form was sent before: its key is not shown twice. */
function createKey(needs: DashboardNeeds, request: FastifyRequest, wanted: WantedKey) {
  const { id, name, scopes } = wanted
  const { id: companyId } = request.visitor.company
  return needs.db.transaction(async (tx) => {
    const issued = await issueApiKeyOnce(tx, { ...wanted, companyId })
    if (issued.kind === 'existing') return { kind: 'unchanged' } as const
    const act = { action: 'key_created', subjectId: id, subject: name } as const
    await recordSecurityAct({ ...needs, db: tx }, request, act)
    return { kind: 'saved', name, scopes, key: issued.key, old: null } as const
  })
}

type CreatedKey = {
  name: string
  key: string
  scopes: Scope[] | null
  /** The key that this one replaces; `until` is null when the old key no longer works. */
  old: { last4: string; until: string | null } | null
}

export function toCreatedPage({ name, key, scopes, old }: CreatedKey, baseUrl: string) {
  return {
    title: words.titles.created,
    name,
    key,
    old,
    scopes: formatScopes(scopes),
    curl: buildKeyCurl(baseUrl, key, scopes),
  }
}

/** A form that is sent twice finds the key already replaced. */
async function findRollableKey(needs: DashboardNeeds, request: FormRequest) {
  const key = await findKey(needs, request)
  if (request.method === 'POST' && key.expiresAt) return `${API_KEYS_PATH}?feito=chave-ja-trocada`
  if (!isKeyActive(key)) throw keyEndedError()
  return key
}

export function toRollPage(key: ListedApiKey, now: Date) {
  return {
    title: words.titles.roll,
    key: toKeyRow(key, now),
    options: OVERLAP_OPTIONS,
  }
}

async function rollKey(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { companyId, id, name, lastFour }: ListedApiKey,
  { hours }: { hours: string },
) {
  if (!Object.hasOwn(words.overlaps, hours))
    return { kind: 'invalid' as const, errors: [{ field: 'hours', message: words.overlap }] }
  const now = needs.now()
  const until = new Date(now.getTime() + Number(hours) * HOUR_MS)
  const { key, scopes } = await rollApiKey(needs.db, { companyId, id, until, now })
  await recordSecurityAct(needs, request, {
    action: 'key_rolled',
    subjectId: id,
    subject: name,
    details: { until: until.toISOString() },
  })
  const old = {
    last4: lastFour,
    until: hours === '0' ? null : formatKeyExpiry(until.toISOString()),
  }
  return { kind: 'saved' as const, name, key, scopes, old }
}

export function toRestrictPage({ ip }: FastifyRequest, key: ListedApiKey, now: Date) {
  return {
    title: words.titles.restrict,
    key: toKeyRow(key, now),
    /** The address of the visitor. */
    ownAddress: unmapAddress(ip),
  }
}

function saveNetworks(needs: DashboardNeeds, request: FormRequest, { allowedNetworks }: Networks) {
  const action = 'key_restricted'
  return saveVersionedForm(needs, request, {
    find: () => findLiveKey(needs, request),
    toValues: toNetworks,
    describe: (networks: Networks) => ({
      allowedNetworks: networks.allowedNetworks?.join(', ') ?? words.anywhere,
    }),
    labels: { allowedNetworks: words.titles.restrict },
    typed: { allowedNetworks },
    audited: { action, subjectId: request.params.id },
    save: ({ id, companyId, name, allowedNetworks: before }, { details }) =>
      needs.db.transaction(async (tx) => {
        const wanted = { id, companyId, allowedNetworks, before }
        const { kind } = await restrictApiKey(tx, wanted)
        if (kind === 'notActive') return undefined
        const act = { action, subjectId: id, subject: name, details } as const
        await recordSecurityAct({ ...needs, db: tx }, request, act)
        return { kind: 'saved' } as const
      }),
  })
}

function toNetworks({ allowedNetworks }: Networks): Networks {
  return { allowedNetworks }
}

function toRevokePage(key: ListedApiKey, now: Date) {
  if (isKeyEnded(key, now)) throw keyEndedError()
  const { question, used, unused, refused, forEver, button } = words.revoke
  const last = key.lastUsedAt ? used(formatInstant(key.lastUsedAt, now)) : unused
  return {
    title: words.titles.revoke,
    isDangerous: true,
    question: question(key.name, key.lastFour),
    consequences: [last, refused, forEver],
    button,
    back: API_KEYS_PATH,
  }
}

async function revokeKey(
  needs: DashboardNeeds,
  request: FastifyRequest,
  { id, companyId, name }: ListedApiKey,
) {
  const { kind } = await revokeApiKey(needs.db, id, needs.now(), companyId)
  if (kind === 'revoked')
    await recordAct(needs, request, { action: 'key_revoked', subjectId: id, subject: name })
  return `${API_KEYS_PATH}?feito=chave-revogada`
}

/** Throws 404 when it belongs to another company. */
async function findKey({ db }: DashboardNeeds, { visitor, params }: FormRequest) {
  const key = await findApiKey(db, visitor.company.id, params.id)
  if (!key) throw notFoundError(apiKeyTexts.notFound)
  return key
}

/** Throws 409 when it no longer works. */
async function findLiveKey(needs: DashboardNeeds, request: FormRequest) {
  const key = await findKey(needs, request)
  if (isKeyEnded(key, needs.now())) throw keyEndedError()
  return key
}

/** For a page about a key that no longer works. */
function keyEndedError() {
  return new AppError(409, 'not_rollable', apiKeyTexts.notRollable)
}
