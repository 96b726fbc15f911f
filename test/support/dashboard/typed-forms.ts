// The forms of the dashboard that outlive their session, each with something typed.
import type { TestCompany } from '../test-app.ts'

/** Where the form is, what is typed into which of its fields, and where it is sent unless to its own page. */
type TypedForm = [path: string, field: string, value: string, action?: string]

type Subjects = Record<
  'personId' | 'paymentId' | 'linkId' | 'customerId' | 'endpointId',
  string
> & { company: TestCompany }

/** By their routes. */
export function listTypedForms({
  company,
  personId,
  paymentId,
  linkId,
  customerId,
  endpointId,
}: Subjects): Record<string, TypedForm> {
  return {
    '/painel/links/novo': ['/painel/links/novo', 'title', 'Bolo de fubá'],
    '/painel/links/:id/editar': [`/painel/links/${linkId}/editar`, 'title', 'Bolo de milho'],
    '/painel/transacoes/:id/devolver': [
      `/painel/transacoes/${paymentId}/devolver`,
      'reason',
      'Veio cru',
    ],
    '/painel/clientes/novo': ['/painel/clientes/novo', 'name', 'Joana D’Arc'],
    '/painel/clientes/:id/editar': [`/painel/clientes/${customerId}/editar`, 'name', 'Maria Souza'],
    '/painel/chaves/nova': ['/painel/chaves/nova', 'name', 'Loja do centro'],
    '/painel/chaves/:id/enderecos': [
      `/painel/chaves/${company.keyId}/enderecos`,
      'networks',
      '203.0.113.9',
    ],
    '/painel/chaves/:id/trocar': [`/painel/chaves/${company.keyId}/trocar`, 'hours', '168'],
    '/painel/integracoes/novo': ['/painel/integracoes/novo', 'url', 'https://loja.com.br/novo'],
    '/painel/integracoes/:id/editar': [
      `/painel/integracoes/${endpointId}/editar`,
      'url',
      'https://x.com.br/y',
    ],
    '/painel/recebimentos': ['/painel/recebimentos', 'minInstallment', '12,34'],
    '/painel/recebimentos/tarifas': ['/painel/recebimentos/tarifas', 'pixRate', '0,99'],
    '/painel/recebimentos/mercadopago': [
      '/painel/recebimentos/mercadopago',
      'publicKey',
      'TEST-chave',
    ],
    '/painel/recebimentos/openpix': [
      '/painel/recebimentos/openpix',
      'baseUrl',
      'https://pix.exemplo',
    ],
    '/painel/recebimentos/pix-api': [
      '/painel/recebimentos/pix-api?banco=custom',
      'clientId',
      'padaria-1',
    ],
    '/painel/equipe/convidar': ['/painel/equipe/convidar', 'email', 'nova@exemplo.com.br'],
    '/painel/equipe/:id/papel': [
      `/painel/equipe/${personId}`,
      'role',
      'accountant',
      `/painel/equipe/${personId}/papel`,
    ],
    '/painel/ajustes': ['/painel/ajustes', 'city', 'Ouro Preto'],
    '/painel/ajustes/emails': ['/painel/ajustes/emails', 'noticeEmail', 'avisos@exemplo.com.br'],
    '/painel/ajustes/marca': ['/painel/ajustes/marca', 'color', '#123456'],
  }
}
