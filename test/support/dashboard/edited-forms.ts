// Forms that several people have open: two fields of each that are changed, and what they come to.
import { findCompany } from '../../../src/companies/company.ts'
import { findCustomer } from '../../../src/customers/customer.ts'
import { findEndpoint } from '../../../src/webhooks/endpoints/endpoint.ts'
import { PUBLIC_HOOK_URL } from '../endpoints.ts'
import type { TestApp, TestCompany } from '../test-app.ts'
import { openLinkDashboard } from './links.ts'

export type EditedForm = {
  path: string
  /** Both write in it: as they type it, and as it is read. */
  first: { name: string; key: string; label: string } & Record<
    'ana' | 'bia' | 'anaReads' | 'biaReads',
    string
  >
  /** Bia alone writes in it. */
  second: { name: string; key: string; bia: string }
  read: () => Promise<Record<string, unknown>>
  firstOfAna: unknown
}

export function listEditedForms(testApp: TestApp) {
  const { db } = testApp
  const { create, newCustomer, readLink } = openLinkDashboard(testApp)
  return {
    async link(company) {
      const { id } = await create(company, { amountCents: 10_000, description: 'Antes' })
      return {
        path: `/painel/links/${id}/editar`,
        first: {
          ...{ name: 'amount', key: 'amountCents', label: 'valor', ana: '110,00', bia: '120,00' },
          ...{ anaReads: 'R$ 110,00', biaReads: 'R$ 120,00' },
        },
        second: { name: 'description', key: 'description', bia: 'De Bia' },
        read: () => readLink(id),
        firstOfAna: 11_000,
      }
    },
    async customer(company) {
      const id = await newCustomer(company, { email: 'm@exemplo.com.br', phone: '11987654321' })
      return {
        path: `/painel/clientes/${id}/editar`,
        first: {
          ...{ name: 'email', key: 'email', label: 'e-mail', ana: 'a@x.com.br', bia: 'b@x.com.br' },
          ...{ anaReads: 'a@x.com.br', biaReads: 'b@x.com.br' },
        },
        second: { name: 'name', key: 'name', bia: 'Maria Bia' },
        read: async () => ({ ...(await findCustomer(db, company.id, id)) }),
        firstOfAna: 'a@x.com.br',
      }
    },
    async settings(company) {
      return {
        path: '/painel/ajustes',
        first: {
          ...{ name: 'city', key: 'city', label: 'cidade', ana: 'Niterói', bia: 'Santos' },
          ...{ anaReads: 'Niterói', biaReads: 'Santos' },
        },
        second: { name: 'name', key: 'name', bia: 'Padaria Bia' },
        read: async () => ({ ...(await findCompany(db, company.id)) }),
        firstOfAna: 'Niterói',
      }
    },
    async contact(company) {
      return {
        path: '/painel/ajustes/contato',
        first: {
          ...{ name: 'noticeEmail', key: 'noticeEmail', label: 'e-mail dos avisos' },
          ...{ ana: 'ana@x.com.br', bia: 'bia@x.com.br' },
          ...{ anaReads: 'ana@x.com.br', biaReads: 'bia@x.com.br' },
        },
        second: { name: 'supportEmail', key: 'supportEmail', bia: 'oi@x.com.br' },
        read: async () => ({ ...(await findCompany(db, company.id)) }),
        firstOfAna: 'ana@x.com.br',
      }
    },
    async receivables(company) {
      return {
        path: '/painel/recebimentos',
        first: {
          ...{ name: 'interestRate', key: 'interestRateBps', label: 'taxa de juros' },
          ...{ ana: '1,99', bia: '2,49', anaReads: '1,99%', biaReads: '2,49%' },
        },
        second: { name: 'minInstallment', key: 'minInstallmentCents', bia: '20,00' },
        read: async () => ({ ...(await findCompany(db, company.id)) }),
        firstOfAna: 199,
      }
    },
    async endpoint(company) {
      const made = await company.post('/api/webhook-endpoints', { url: PUBLIC_HOOK_URL })
      const { id } = made.json()
      const [ana, bia] = [`${PUBLIC_HOOK_URL}/ana`, `${PUBLIC_HOOK_URL}/bia`]
      return {
        path: `/painel/integracoes/${id}/editar`,
        first: {
          ...{ name: 'url', key: 'url', label: 'endereço', ana, bia, anaReads: ana, biaReads: bia },
        },
        second: { name: 'events', key: 'events', bia: 'transaction.expired' },
        read: async () => ({ ...(await findEndpoint(db, company.id, id)) }),
        firstOfAna: ana,
      }
    },
  } satisfies Record<string, (company: TestCompany) => Promise<EditedForm>>
}
