// A form that was sent when its session was over: what was typed waits, sealed, in the page that asks to
// sign in, and comes back in the form itself for the same person, who sends it once more. Nothing of it is
// carried out by itself; passwords, secrets and files are typed and chosen anew.

import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MINUTE_MS } from '../../database/instant.ts'
import type { Cipher } from '../../database/sealing/encryption.ts'
import { toRecord } from '../../http/fields.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { openForm, sealForm } from './sealed-form.ts'

const KEEP_MS = 30 * MINUTE_MS
const MARK_LENGTH = 22

const PROVIDER_SECRETS = [
  ...['accessToken', 'webhookSecret', 'appId', 'clientSecret', 'passphrase', 'pfx'],
  ...['cert', 'cert.texto', 'key', 'key.texto', 'ca', 'ca.texto', 'extraQuery.gw-dev-app-key'],
]

/** Routes whose handler shows the form again where it `isKept`, and which of their fields are secrets. */
export const KEPT_FORMS: Readonly<Record<string, readonly string[]>> = {
  '/painel/links/novo': [],
  '/painel/links/:id/editar': [],
  '/painel/transacoes/:id/devolver': [],
  '/painel/clientes/novo': [],
  '/painel/clientes/:id/editar': [],
  '/painel/chaves/nova': [],
  '/painel/chaves/:id/enderecos': [],
  '/painel/chaves/:id/trocar': [],
  '/painel/integracoes/novo': ['headerValue'],
  '/painel/integracoes/:id/editar': ['headerValue'],
  '/painel/recebimentos': [],
  '/painel/recebimentos/tarifas': [],
  '/painel/recebimentos/mercadopago': PROVIDER_SECRETS,
  '/painel/recebimentos/openpix': PROVIDER_SECRETS,
  '/painel/recebimentos/pix-api': PROVIDER_SECRETS,
  '/painel/equipe/convidar': [],
  '/painel/equipe/:id/papel': [],
  '/painel/ajustes': [],
  '/painel/ajustes/emails': [],
  '/painel/ajustes/marca': [],
}

/** Never kept, whatever form they stand in. */
const NEVER_KEPT = ['_csrf', 'stepUp', 'waitingForm', 'keptForm', 'password']

const KeptForm = z.object({
  mark: z.string(),
  until: z.number(),
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
})

type FormOwner = { userId: string; testMode: boolean }

/** Whose form it is and of which environment, as the form carries it beside its token. */
export function markFormOwner(cipher: Cipher, { userId, testMode }: FormOwner) {
  return cipher
    .hmac('whose form', `${userId} ${testMode}`)
    .toString('base64url')
    .slice(0, MARK_LENGTH)
}

export function isKeptRoute({ method, routeOptions }: FastifyRequest) {
  return method === 'POST' && Object.hasOwn(KEPT_FORMS, routeOptions.url ?? '')
}

/** Of a form of ours; empty where there is nothing to keep, or too much. */
export function keepForm({ cipher, now }: KeepNeeds, { body, url, routeOptions }: FastifyRequest) {
  const { _csrf: token, waitingForm } = toRecord(body)
  const [, mark] = typeof token === 'string' ? token.split('.') : []
  if (mark === undefined) return ''
  // It may have been waiting already, for the password to be confirmed.
  const waiting = typeof waitingForm === 'string' ? waitingForm : undefined
  const sent = waiting === undefined ? body : openForm(cipher, waiting, nameWaitingForm(mark, url))
  const left = [...NEVER_KEPT, ...(KEPT_FORMS[routeOptions.url ?? ''] ?? [])]
  const typed = Object.entries(toRecord(sent)).filter(
    ([name, value]) => !left.includes(name) && isText(value),
  )
  if (typed.length === 0) return ''
  const kept = { mark, until: now().getTime() + KEEP_MS, fields: Object.fromEntries(typed) }
  return sealForm(cipher, kept, nameKeptForm(url))
}

type OpenedForm =
  | { kind: 'opened'; fields: Record<string, unknown> }
  | { kind: 'otherEnvironment' }
  | { kind: 'refused' }

/** For whom it is of, within half an hour, where it was sent to. */
export function openKeptForm(
  { cipher, now }: KeepNeeds,
  request: FastifyRequest,
  sealed: string,
): OpenedForm {
  const { url, visitor } = request
  const { data: kept } = KeptForm.safeParse(openForm(cipher, sealed, nameKeptForm(url)))
  if (!isKeptRoute(request) || !kept || kept.until <= now().getTime()) return { kind: 'refused' }
  const { user, company } = visitor
  const markOf = (testMode: boolean) => markFormOwner(cipher, { userId: user.id, testMode })
  if (kept.mark === markOf(company.testMode)) return { kind: 'opened', fields: kept.fields }
  return { kind: kept.mark === markOf(!company.testMode) ? 'otherEnvironment' : 'refused' }
}

type KeepNeeds = Pick<DashboardNeeds, 'cipher' | 'now'>

/** Of a form that waits for its person to show once more that it is them (step-up.ts). */
export function nameWaitingForm(mark: string, url: string) {
  return `waiting ${mark} ${url}`
}

function nameKeptForm(url: string) {
  return `kept ${url}`
}

function isText(value: unknown) {
  return [value].flat().every((one) => typeof one === 'string')
}
