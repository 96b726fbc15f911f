// The rights of each role, in one table. Routes name the right that they need; menus, buttons and links appear by the
// same table.
import { ROLES, type Role } from '../database/enums.ts'
import { type FormatDocument, formatTaxId, maskTaxId } from '../format.ts'
import { buildRecord, getKeys } from '../record.ts'

const ALL: readonly Role[] = ROLES
const MONEY: readonly Role[] = ['owner', 'finance']
const SALES: readonly Role[] = ['owner', 'finance', 'member']
const OWNERS: readonly Role[] = ['owner']

const RIGHTS = {
  /** The own password, second step, sessions and environment, and leaving the company. */
  ownAccount: ALL,
  /** Links, payments, disputes, customers and reports, and downloading them. */
  read: ALL,
  editLinks: SALES,
  editCustomers: SALES,
  simulatePayments: SALES,
  refund: MONEY,
  /** The terms for payers: installments, interest, the validity of a Pix code. */
  receivables: MONEY,
  /** Expected payouts and their days. */
  payouts: ['owner', 'finance', 'accountant'],
  /** CPF and CNPJ of people in full, on their pages and in tables; lists mask them for all. */
  fullDocuments: ['owner', 'accountant'],
  /** The providers: accounts, their keys, and which one is used. */
  providers: OWNERS,
  /** Letting a link accept cards again that stopped because too many were declined. */
  resumeCards: OWNERS,
  anonymizeCustomers: OWNERS,
  apiKeys: OWNERS,
  integrations: OWNERS,
  team: OWNERS,
  settings: OWNERS,
  auditLog: OWNERS,
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof RIGHTS
/** A person's rights, for views. */
export type Rights = Record<Right, boolean>

export function hasRight(role: Role, right: Right) {
  return RIGHTS_BY_ROLE[role][right]
}

export function getRights(role: Role): Rights {
  return RIGHTS_BY_ROLE[role]
}

export function listRolesWith(right: Right): readonly Role[] {
  return RIGHTS[right]
}

/** How this role reads a person's document. */
export function getDocumentFormat(role: Role): FormatDocument {
  return hasRight(role, 'fullDocuments') ? formatTaxId : maskTaxId
}

const RIGHTS_BY_ROLE = buildRecord(ROLES, (role) =>
  buildRecord(getKeys(RIGHTS), (right) => listRolesWith(right).includes(role)),
)
