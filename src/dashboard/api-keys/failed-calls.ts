// `/painel/integracoes/chamadas`: recent failed API calls, filtered by key and status.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  FAILED_CALL_DAYS,
  type FailedCallRow,
  listFailedCallKinds,
  listFailedCalls,
} from '../../api/failed-calls.ts'
import type { Badge } from '../../http/view-functions.ts'
import { readTypedFields, registerPage } from '../layout/form.ts'
import { buildFilterOptions, countFilters, loadPage } from '../layout/list.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { failedCallTexts } from './texts.ts'

const words = failedCallTexts

type FailedCallKinds = Awaited<ReturnType<typeof listFailedCallKinds>>

export async function failedCallPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(
    app,
    needs,
    '/integracoes/chamadas',
    ['integrations', 'dashboard/api-keys/failed-calls'],
    loadFailedCalls,
  )
}

export async function loadFailedCalls({ db, ...needs }: DashboardNeeds, request: FastifyRequest) {
  const companyId = request.visitor.company.id
  const now = needs.now()
  const kinds = await listFailedCallKinds(db, companyId)
  const typed = readTypedFields(request.query)
  // Ignores values that cannot be filters.
  const apiKeyId = kinds.find((kind) => kind.apiKeyId === typed.chave)?.apiKeyId
  const status = kinds.find((kind) => String(kind.status) === typed.status)?.status
  const form = { chave: apiKeyId ?? '', status: status ? String(status) : '' }
  const { data, pager } = await loadPage(request, (page) =>
    listFailedCalls(db, { companyId, apiKeyId, status, now, ...page }),
  )
  return {
    title: words.title,
    days: FAILED_CALL_DAYS,
    calls: data.map(toFailedCallRow),
    filters: form,
    options: { keys: buildKeyOptions(kinds), statuses: buildStatusOptions(kinds) },
    filterCount: countFilters(form),
    pager,
  }
}

function toFailedCallRow(call: FailedCallRow) {
  return {
    ...call,
    call: `${call.method} ${call.route ?? words.noRoute}`,
    key: formatKeyName(call),
    badge: toStatusBadge(call.status),
  }
}

/** Our failures look different from those of the caller. */
function toStatusBadge(status: number): Badge {
  return { tone: status >= 500 ? 'bad' : 'waiting', text: String(status) }
}

function formatKeyName({ keyName, keyLastFour }: Pick<FailedCallRow, 'keyName' | 'keyLastFour'>) {
  return `${keyName} ••••${keyLastFour}`
}

function buildKeyOptions(kinds: FailedCallKinds) {
  const byId = new Map(kinds.map((kind) => [kind.apiKeyId, formatKeyName(kind)]))
  const options = [...byId].map(([value, text]) => ({ value, text }))
  return buildFilterOptions(words.anyKey, options)
}

function buildStatusOptions(kinds: FailedCallKinds) {
  const statuses = [...new Set(kinds.map(({ status }) => status))].sort((a, b) => a - b)
  const options = statuses.map((status) => ({ value: String(status), text: String(status) }))
  return buildFilterOptions(words.anyStatus, options)
}
