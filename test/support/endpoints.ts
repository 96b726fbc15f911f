// Companies that keep their webhook endpoints through the API.
import type { House } from './house.ts'

export const ENDPOINTS = '/api/webhook-endpoints'
/** An address that needs no name server to be found public. */
export const HOOK = 'https://93.184.216.34/hook'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export function openEndpoints({ app, newCompany, anotherProcess }: House) {
  /** With `local`, of a process whose webhooks may go to this machine. */
  async function newCaller({ local = false } = {}) {
    const company = await newCompany()
    const process = local ? await anotherProcess({ webhookAllowPrivate: true }) : app
    const headers = { authorization: `Bearer ${company.key}` }

    /** Of the endpoints' part of the API. */
    function ask(method: Method, path = '', payload?: object) {
      const url = `${ENDPOINTS}${path}`
      return process.inject({ method, url, headers, ...(payload && { payload }) })
    }

    async function add(more: object = {}) {
      const response = await ask('POST', '', { url: HOOK, ...more })
      return response.json<{ id: string; secret: string; url: string; events: string[] }>()
    }

    return { ...company, ask, add }
  }

  return { newCaller }
}
