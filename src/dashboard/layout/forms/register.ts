// A form of the dashboard that changes what there is: shown, sent, shown again with its errors or with what somebody
// else changed meanwhile, or saved and left. A page says only what is its own.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Right } from '../../../users/roles.ts'
import { requireRight } from '../needs.ts'
import type { FieldConflict, FormError, FormVersion } from '../page.ts'
import { type FormResult, readTypedFields, type TypedFields } from './form.ts'
import { buildFormVersion, type FieldValues } from './versioned.ts'

type FormPage<Row, Values> = {
  right: Right
  /** The password or a code is asked for before the form is shown. */
  stepUp?: true
  /** What the form changes, as it stands. */
  load: (request: FastifyRequest) => Promise<Row>
  /** What makes the form stale when it changes. */
  toValues: (row: Row) => FieldValues
  /** As a person types them. */
  toFields: (row: Row) => TypedFields
  read: (fields: TypedFields) => FormResult<Values>
  /** Told in the audit log; a form that is stale is a conflict (versioned.ts). */
  save: (request: FastifyRequest, values: Values) => Promise<SaveOutcome>
  view: (request: FastifyRequest, reply: FastifyReply, shown: ShownForm) => Promise<unknown>
  /** Where a person goes on when it is saved. */
  done: string
}

type SaveOutcome =
  | { kind: 'saved' | 'unchanged' }
  | { kind: 'invalid'; errors: FormError[] }
  | { kind: 'conflict'; conflicts: FieldConflict[] }

type ShownForm = { form: TypedFields; errors: FormError[]; version: FormVersion }

/** GET and POST of a path below /painel. */
export function registerForm<Row, Values>(
  app: FastifyInstance,
  path: string,
  page: FormPage<Row, Values>,
) {
  const options = requireRight(page.right, page.stepUp && { stepUp: true })

  app.get(path, options, async (request, reply) => {
    const row = await page.load(request)
    return show(request, reply, row, page.toFields(row))
  })

  app.post(path, options, async (request, reply) => {
    const row = await page.load(request)
    const form = readTypedFields(request.body)
    const read = page.read(form)
    const outcome = read.kind === 'valid' ? await page.save(request, read.values) : read
    return outcome.kind === 'invalid' || outcome.kind === 'conflict'
      ? show(request, reply, row, form, outcome)
      : reply.redirect(page.done, 303)
  })

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    row: Row,
    form: TypedFields,
    { errors = [], conflicts }: { errors?: FormError[]; conflicts?: FieldConflict[] } = {},
  ) {
    const version = buildFormVersion(request, page.toValues(row), conflicts)
    return page.view(request, reply, { form, errors, version })
  }
}
