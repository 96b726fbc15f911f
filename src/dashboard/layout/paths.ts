// Addresses of the dashboard that several pages link to.
export const HOME_PATH = '/painel'
export const SIGN_IN_PATH = '/painel/entrar'
/** Where a person confirms their identity. */
export const STEP_UP_PATH = '/painel/confirmar'
export const LINKS_PATH = '/painel/links'
export const LINK_IMPORTS_PATH = `${LINKS_PATH}/importar`
export const PAYMENTS_PATH = '/painel/transacoes'
export const DISPUTES_PATH = `${PAYMENTS_PATH}/contestacoes`
export const UNMATCHED_PATH = `${PAYMENTS_PATH}/sem-cobranca`
export const TO_CHECK_PATH = `${PAYMENTS_PATH}?verificar=sim`
/** The lists of payments, each without its filters. */
export const PAYMENT_TABS = {
  all: PAYMENTS_PATH,
  held: TO_CHECK_PATH,
  disputes: DISPUTES_PATH,
}
export const CUSTOMERS_PATH = '/painel/clientes'
export const API_KEYS_PATH = '/painel/chaves'
export const INTEGRATIONS_PATH = '/painel/integracoes'
export const DELIVERIES_PATH = `${INTEGRATIONS_PATH}/entregas`
export const RECEIVABLES_PATH = '/painel/recebimentos'
export const FEES_PATH = `${RECEIVABLES_PATH}/tarifas`
export const SETTINGS_PATH = '/painel/ajustes'
export const CONTACT_PATH = `${SETTINGS_PATH}/contato`
export const BRAND_PATH = `${SETTINGS_PATH}/marca`
export const TEAM_PATH = '/painel/equipe'
export const ACCOUNT_PATH = '/painel/conta'

export function linkPagePath(id: string) {
  return `${LINKS_PATH}/${id}`
}

/** The links of an imported file, in its order. */
export function linkImportPath(id: string) {
  return `${LINKS_PATH}?importacao=${id}&ordem=antigos`
}

export function paymentPagePath(id: string) {
  return `${PAYMENTS_PATH}/${id}`
}

export function customerPagePath(id: string) {
  return `${CUSTOMERS_PATH}/${id}`
}

export function endpointPagePath(id: string) {
  return `${INTEGRATIONS_PATH}/${id}`
}

export function deliveryPagePath(id: string) {
  return `${DELIVERIES_PATH}/${id}`
}

export function personPagePath(id: string) {
  return `${TEAM_PATH}/${id}`
}
