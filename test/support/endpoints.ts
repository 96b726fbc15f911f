// Companies that keep their webhook endpoints through the API.
import type { TestApp } from './test-app.ts'

export const ENDPOINTS_PATH = '/api/webhook-endpoints'
/** An address that needs no name server to be found public. */
export const PUBLIC_HOOK_URL = 'https://93.184.216.34/hook'

type EndpointMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

type NewEndpointAnswer = {
  id: string
  secret: string
  url: string
  events: string[]
  headerNames: string[]
}

export function openEndpoints({ app, needs, newCompany, anotherProcess }: TestApp) {
  /** With `local`, through a process that may send webhooks to this machine: the test's own, where it is one. */
  async function newCaller({ local = false } = {}) {
    const company = await newCompany()
    const isOther = local && !needs.allowPrivate
    const process = isOther ? await anotherProcess({ allowPrivate: true }) : app
    const headers = { authorization: `Bearer ${company.key}` }

    /** Of the endpoints' part of the API. */
    function ask(method: EndpointMethod, path = '', payload?: object) {
      const url = `${ENDPOINTS_PATH}${path}`
      return process.inject({ method, url, headers, ...(payload && { payload }) })
    }

    async function add(more: object = {}) {
      const response = await ask('POST', '', { url: PUBLIC_HOOK_URL, ...more })
      return response.json<NewEndpointAnswer>()
    }

    return { ...company, ask, add }
  }

  return { newCaller }
}
