// What a key may do. A key without scopes may do everything.
import { type Resource, SCOPES, type Scope } from '../database/words.ts'

export function isAllowed(scopes: readonly Scope[] | null, resource: Resource, reading: boolean) {
  if (scopes === null || scopes.includes(resource)) return true
  return reading && (scopes.includes('read') || scopes.includes(`${resource}:read`))
}

/** `payment-links,transactions:read` as a list; undefined when one of them does not exist. */
export function parseScopes(text: string): Scope[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  const scopes = names.filter((name): name is Scope => SCOPES.includes(name as Scope))
  return scopes.length === names.length ? [...new Set(scopes)] : undefined
}
