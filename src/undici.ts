// Hands on what is used of undici. Its index also loads a fetch, a WebSocket, caches and mocks: 12 MB
// of memory, and a quarter of a second on a busy machine.
import { createRequire } from 'node:module'
import type * as Undici from 'undici'

export type Agent = Undici.Agent
export type ConnectOptions = Undici.buildConnector.BuildOptions
export type Connector = Undici.buildConnector.connector

type RequestOptions = Omit<Undici.Dispatcher.RequestOptions, 'origin' | 'path'> & {
  dispatcher: Undici.Dispatcher
}

const require = createRequire(import.meta.url)

export const Agent: typeof Undici.Agent = require('undici/lib/dispatcher/agent.js')
export const buildConnector: typeof Undici.buildConnector = require('undici/lib/core/connect.js')
const dispatchRequest: Undici.Dispatcher['request'] = require('undici/lib/api/api-request.js')

/** As undici's own, which follows no redirect either; there is no dispatcher by default. */
export async function request(url: string, { dispatcher, ...options }: RequestOptions) {
  const { origin, pathname, search } = new URL(url)
  return await dispatchRequest.call(dispatcher, { ...options, origin, path: pathname + search })
}
