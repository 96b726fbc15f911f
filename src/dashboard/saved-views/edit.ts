// `/painel/visoes`: a list's filters saved under a name, called otherwise, and deleted.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { VIEWED_LISTS, type ViewedList } from '../../database/enums.ts'
import { notFoundError } from '../../http/errors.ts'
import { textField } from '../../http/text.ts'
import {
  createSavedView,
  findSavedView,
  removeSavedView,
  renameSavedView,
  VIEW_NAME_LENGTH,
  VIEW_QUERY_LENGTH,
} from '../../users/saved-views.ts'
import { readTypedFields } from '../layout/forms/form.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { savedViewPath } from '../layout/paths.ts'
import { buildViewUrl, LISTS, toSavedQuery } from './lists.ts'
import { savedViewTexts } from './texts.ts'

const OWN_ACCOUNT = requireRight('ownAccount')
const words = savedViewTexts
const NAME = 'nome'

const ViewName = textField({ min: 1, max: VIEW_NAME_LENGTH })

type ViewForm = {
  list: ViewedList
  query: string
  name: string
  /** Null for a new one. */
  id: string | null
  message?: string | undefined
}

export async function savedViewPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, now } = needs
  const show = createPageRenderer(needs)

  app.get('/visoes/nova', OWN_ACCOUNT, (request, reply) =>
    showForm(request, reply, readNewView(request.query)),
  )

  app.post('/visoes/nova', OWN_ACCOUNT, async (request, reply) => {
    const form = readNewView(request.body)
    const { list, query } = form
    const name = ViewName.safeParse(form.name)
    if (request.isKept) return showForm(request, reply, form)
    if (!name.success) return showForm(request, reply, { ...form, message: words.name })
    const view = { userId: request.visitor.user.id, list, query, name: name.data }
    const result = await createSavedView(db, view, now())
    if (result.kind !== 'saved') {
      return showForm(request, reply, { ...form, message: words[result.kind] })
    }
    return reply.redirect(buildViewUrl(view, now()), 303)
  })

  app.get<ById>('/visoes/:id', OWN_ACCOUNT, async (request, reply) =>
    showForm(request, reply, await requireView(request)),
  )

  app.post<ById>('/visoes/:id', OWN_ACCOUNT, async (request, reply) => {
    const view = await requireView(request)
    const { [NAME]: typed = '' } = readTypedFields(request.body)
    const form = { ...view, name: typed }
    const name = ViewName.safeParse(typed)
    if (request.isKept) return showForm(request, reply, form)
    if (!name.success) return showForm(request, reply, { ...form, message: words.name })
    const result = await renameSavedView(db, toKey(request), name.data)
    if (result.kind === 'gone') throw notFoundError()
    if (result.kind !== 'saved') {
      return showForm(request, reply, { ...form, message: words[result.kind] })
    }
    return reply.redirect(buildViewUrl(view, now()), 303)
  })

  app.post<ById>('/visoes/:id/remover', OWN_ACCOUNT, async (request, reply) => {
    const { list } = await requireView(request)
    await removeSavedView(db, toKey(request))
    return reply.redirect(LISTS[list].path, 303)
  })

  function readNewView(given: unknown): ViewForm {
    const { lista, consulta = '', [NAME]: name = '' } = readTypedFields(given)
    const list = VIEWED_LISTS.find((one) => one === lista) ?? 'links'
    const { data: query = '' } = Query.safeParse(toSavedQuery(`?${consulta}`, now()))
    return { list, query, name, id: null }
  }

  async function requireView(request: FastifyRequest<ById>) {
    const view = await findSavedView(db, toKey(request))
    if (!view) throw notFoundError()
    return view
  }

  function showForm(request: FastifyRequest, reply: FastifyReply, form: ViewForm) {
    const { list, query, name, id, message } = form
    const titles = id === null ? words.create : words.change
    return show(request, reply, 'dashboard/saved-views/edit', {
      ...{ title: titles.title, section: LISTS[list].section, button: titles.button },
      errors: message ? [{ field: NAME, message }] : [],
      form: { name, list, query },
      action: savedViewPath(id ?? 'nova'),
      remove: id && `${savedViewPath(id)}/remover`,
      back: buildViewUrl(form, now()),
    })
  }
}

const Query = z.string().max(VIEW_QUERY_LENGTH)

function toKey({ params, visitor }: FastifyRequest<ById>) {
  return { userId: visitor.user.id, id: params.id }
}
