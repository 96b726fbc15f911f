// Addresses of the dashboard that several of its pages lead to.
export const HOME = '/painel'
export const SIGN_IN = '/painel/entrar'
export const LINKS = '/painel/links'
export const PAYMENTS = '/painel/transacoes'
export const CUSTOMERS = '/painel/clientes'

export function linkPath(id: string) {
  return `${LINKS}/${id}`
}

export function paymentPath(id: string) {
  return `${PAYMENTS}/${id}`
}

export function customerPath(id: string) {
  return `${CUSTOMERS}/${id}`
}
