// Registers a form of the dashboard: shows it, shows it again with its errors or with another person's changes, or
// saves it and redirects. A page adds only its own parts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Right } from '../../users/roles.ts'
import { catchConflict, type FormResult } from './form.ts'
import { type ById, requireRight } from './needs.ts'
import type { FieldConflict, FormError, FormVersion, PageParts, RenderPage } from './page.ts'
import { buildFormVersion, type FieldValues } from './versioned.ts'

type FormAccess = {
  /** Null outside the session guard. */
  right: Right | null
  /** Asks for the password or a code before the form is shown. */
  stepUp?: true
  /** Accepts a form that was opened in the other environment. */
  anyEnvironment?: true
  /** The largest uploaded file, in bytes. */
  upload?: number
}

/** `id` is empty for an address without one. */
export type FormRequest = FastifyRequest<ById>

type FormPage<Row, Form, Outcome, Values> = FormAccess & {
  /** Loads the row of the form, or returns an address to redirect to when the form cannot be used. */
  load: (request: FormRequest) => Promise<Row | string>
  /** The values that make the form stale when another person changes them. */
  toValues?: (row: Row) => FieldValues
  /** The form as it is first shown. */
  toForm: (row: Row, request: FormRequest) => Form
  /** The form as it was typed. */
  readForm: (request: FormRequest, row: Row) => Form
  /** Converts the typed form to values or errors; when absent, `save` gets the typed form. */
  parse?: (form: Form, row: Row) => FormResult<Values>
  /** Saves and audits; a stale form is a conflict (versioned.ts). */
  save: (request: FormRequest, row: Row, values: Values) => Promise<Outcome>
  view: (
    request: FormRequest,
    reply: FastifyReply,
    shown: ShownForm<Form>,
    row: Row,
  ) => Promise<unknown>
  /** The address to redirect to after saving, or a function that sends its own answer, shown only once. */
  done:
    | string
    | ((
        saved: SavedOf<Outcome>,
        row: Row,
        request: FormRequest,
        reply: FastifyReply,
      ) => string | Promise<unknown>)
}

/** Without errors the form is only shown again; `form` replaces the sent values. */
type FormRefusal<Form> = { form?: Form } & (
  | { kind: 'invalid'; errors: FormError[] }
  | { kind: 'conflict'; conflicts: FieldConflict[] }
)

type Refused = { kind: 'invalid' | 'conflict' }
type SavedOf<Outcome> = Exclude<Outcome, Refused>

export type ShownForm<Form> = { form: Form; errors: FormError[]; version?: FormVersion }

/** Registers GET and POST of a path below /painel. */
export function registerForm<
  Row,
  Form,
  Outcome extends { kind: 'saved' | 'unchanged' } | FormRefusal<Form>,
  Values = Form,
>(app: FastifyInstance, path: string, page: FormPage<Row, Form, Outcome, Values>) {
  const { right, stepUp, anyEnvironment, upload } = page
  const asked = { ...(stepUp && { stepUp }), ...(anyEnvironment && { anyEnvironment }) }
  const shown = right ? requireRight(right, asked) : {}
  const sent = right ? requireRight(right, { ...asked, ...(upload && { upload }) }) : {}

  app.get<ById>(path, shown, async (request, reply) => {
    const row = await page.load(request)
    if (typeof row === 'string') return reply.redirect(row, 303)
    return show(request, reply, row, page.toForm(row, request))
  })

  app.post<ById>(path, sent, async (request, reply) => {
    const row = await page.load(request)
    if (typeof row === 'string') return reply.redirect(row, 303)
    const form = page.readForm(request, row)
    const outcome = await parseAndSave(request, row, form)
    if (isRefused(outcome)) return show(request, reply, row, outcome.form ?? form, outcome)
    const { done } = page
    // TypeScript does not narrow a type parameter.
    const saved = outcome as SavedOf<Outcome>
    const next = typeof done === 'string' ? done : done(saved, row, request, reply)
    return typeof next === 'string' ? reply.redirect(next, 303) : next
  })

  async function parseAndSave(request: FormRequest, row: Row, form: Form) {
    // Without `parse` the values are the form, which TypeScript does not know.
    if (!page.parse) return page.save(request, row, form as unknown as Values)
    const parsed = page.parse(form, row)
    return parsed.kind === 'invalid' ? parsed : page.save(request, row, parsed.values)
  }

  function show(
    request: FormRequest,
    reply: FastifyReply,
    row: Row,
    form: Form,
    { errors = [], conflicts }: { errors?: FormError[]; conflicts?: FieldConflict[] } = {},
  ) {
    const values = page.toValues?.(row)
    const version = values && { version: buildFormVersion(request, values, conflicts) }
    return page.view(request, reply, { form, errors, ...version }, row)
  }
}

function isRefused<Form>(
  outcome: { kind: 'saved' | 'unchanged' } | FormRefusal<Form>,
): outcome is FormRefusal<Form> {
  return outcome.kind === 'invalid' || outcome.kind === 'conflict'
}

type Confirmation<Row> = FormAccess & {
  load: (request: FormRequest) => Promise<Row | string>
  ask: (row: Row, request: FormRequest) => Question
  /**
   * Acts, and returns the address to redirect to, or a function that sends an answer which is shown only once; a
   * conflict (409) is shown above the question.
   */
  confirm: (
    request: FormRequest,
    row: Row,
  ) => Promise<string | ((reply: FastifyReply) => Promise<unknown>)>
}

type ConfirmPage = PageParts<'dashboard/layout/confirm'>
/** Without an `action` it is sent to its own address. */
type Question = Omit<ConfirmPage, 'action'> & Partial<Pick<ConfirmPage, 'action'>>

/** Registers an action with a confirmation on its own page: GET asks, POST acts. */
export function registerConfirmation<Row>(
  app: FastifyInstance,
  path: string,
  show: RenderPage,
  { load, ask, confirm, ...access }: Confirmation<Row>,
): void {
  registerForm(app, path, {
    ...access,
    load,
    toForm: () => null,
    readForm: () => null,
    save: (request, row) => catchConflict('content', confirm(request, row)),
    view(request, reply, { errors }, row) {
      const [action = ''] = request.url.split('?')
      const question = { action, ...ask(row, request), errors }
      return show(request, reply, 'dashboard/layout/confirm', question)
    },
    done: ({ saved }, _row, _request, reply) => (typeof saved === 'string' ? saved : saved(reply)),
  })
}
