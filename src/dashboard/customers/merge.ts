// `/painel/clientes/:id/unir?com=…`: two customers who seem to be one person become one.
import type { FastifyInstance } from 'fastify'
import type { CustomerRow } from '../../customers/customer.ts'
import { chooseKept, listSamePeople, mergeCustomers } from '../../customers/merge.ts'
import type { Database } from '../../database/connect.ts'
import { eq } from '../../database/drizzle.ts'
import { isUuid } from '../../database/id.ts'
import { customers } from '../../database/tables.ts'
import { formatPhone } from '../../format.ts'
import { toRecord } from '../../http/fields.ts'
import { sumCustomerRevenue } from '../../reports/revenue.ts'
import { type FormRequest, registerConfirmation } from '../layout/form.ts'
import { type DashboardNeeds, recordAct } from '../layout/needs.ts'
import { customerPagePath } from '../layout/paths.ts'
import { describeChange } from '../layout/versioned.ts'
import { findRequestedCustomer } from './customer.ts'
import { customerPageTexts } from './texts.ts'

const words = customerPageTexts.merge

export async function customerMergePages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db, now, show } = needs

  registerConfirmation(app, '/clientes/:id/unir', show, {
    right: 'editCustomers',
    load: (request) => findPair(db, request),
    ask: ({ first, second, kept, merged }) => ({
      title: customerPageTexts.titles.merge,
      isDangerous: true,
      question: words.question(merged.name, kept.name),
      consequences: [
        words.moved(merged.name, kept.name),
        words.kept(kept.name, merged.name),
        ...(kept.taxId ? [words.document(kept.name, merged.name)] : []),
        words.forever,
      ],
      button: words.button,
      action: `${customerPagePath(first.id)}/unir?com=${second.id}`,
      back: customerPagePath(first.id),
    }),
    async confirm(request, { kept, merged }) {
      const from = [merged.name, merged.email, merged.phone && formatPhone(merged.phone)]
      const customer = describeChange(words.label, from.filter(Boolean).join(', '), kept.name)
      const entry = {
        action: 'customer_merged',
        subjectId: kept.id,
        details: { customer },
      } as const
      await mergeCustomers(db, { kept, merged }, now(), (tx) =>
        recordAct({ db: tx, now }, request, entry),
      )
      return `${customerPagePath(kept.id)}?feito=clientes-unidos`
    },
  })
}

/** The customers who may be the same person, with what they paid. */
export async function loadSamePeople(db: Database, customer: CustomerRow) {
  const people = await listSamePeople(db, customer)
  return Promise.all(
    people.map(async (person) => ({
      ...person,
      sum: await sumCustomerRevenue(db, person.companyId, person.id),
    })),
  )
}

/** Leads back to the customer when the other one is merged already, or is another person. */
async function findPair(db: Database, request: FormRequest) {
  const first = await findRequestedCustomer(db, request)
  const { com } = toRecord(request.query)
  const isOther = typeof com === 'string' && isUuid(com) ? eq(customers.id, com) : undefined
  const [second] = isOther ? await listSamePeople(db, first, isOther) : []
  return second ? { first, second, ...chooseKept(first, second) } : customerPagePath(first.id)
}
