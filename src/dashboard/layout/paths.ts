// Addresses of the dashboard that several of its pages lead to.
export const HOME_PATH = '/painel'
export const SIGN_IN_PATH = '/painel/entrar'
export const LINKS_PATH = '/painel/links'
export const PAYMENTS_PATH = '/painel/transacoes'
export const CUSTOMERS_PATH = '/painel/clientes'

export function linkPagePath(id: string) {
  return `${LINKS_PATH}/${id}`
}

export function paymentPagePath(id: string) {
  return `${PAYMENTS_PATH}/${id}`
}

export function customerPagePath(id: string) {
  return `${CUSTOMERS_PATH}/${id}`
}
