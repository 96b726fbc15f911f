// The scopes of API keys. A key without scopes may do everything.
import type { FastifyInstance } from 'fastify'
import { type Resource, SCOPES, type Scope } from '../database/enums.ts'
import { AppError } from '../http/errors.ts'
import { texts } from '../texts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The resource that the key needs a scope for, to read or to write. */
    resource?: Resource
  }
}

/**
 * Checks scopes, after requests are counted, so that refused ones count too. Registering a route without a resource
 * throws, because every key could call it.
 */
export function requireScopes(app: FastifyInstance) {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.resource) throw new Error(`${method} ${url} names no resource`)
  })

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, scopes } = request
    if (scopes === null) return done()
    const { resource } = request.routeOptions.config
    const reading = method === 'GET' || method === 'HEAD'
    if (!resource || isScopeAllowed(scopes, resource, reading)) return done()
    const needed = reading ? `${resource}:read` : resource
    done(new AppError(403, 'insufficient_scope', texts.insufficientScope(needed)))
  })
}

/** Parses `payment-links,transactions:read`; undefined when a scope is unknown. */
export function parseScopes(text: string): Scope[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  const scopes = names.map((name) => SCOPES.find((scope) => scope === name))
  return scopes.every((scope) => scope !== undefined) ? [...new Set(scopes)] : undefined
}

export function isScopeAllowed(scopes: readonly Scope[], resource: Resource, reading: boolean) {
  if (scopes.includes(resource)) return true
  return reading && (scopes.includes('read') || scopes.includes(`${resource}:read`))
}
