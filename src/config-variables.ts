// The kinds of value that a variable of the environment may have: each says what it must be, and never what
// it was.
import { isIP } from 'node:net'
import { z } from 'zod'

export const booleanVariable = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1')

export const urlVariable = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address such as ${example}` })

export const secretKeyVariable = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64 (make one: openssl rand -base64 32)')

const PORT_ERROR = 'must be a number from 0 to 65535'
const MAX_PORT = 65_535
export const portVariable = z
  .string()
  .regex(/^\d{1,5}$/, PORT_ERROR)
  .transform(Number)
  .refine((port) => port <= MAX_PORT, PORT_ERROR)

const PROXY_NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal']
const TRUST_PROXY_ERROR =
  'must be false, the number of proxies in front, such as 1, or their addresses and networks, such as ' +
  'loopback, uniquelocal or 10.0.0.0/8'
export const trustProxyVariable = z
  .string()
  .refine(
    (text) => text !== 'true',
    'must not be true, which lets every sender choose an address: write the number of proxies in front, ' +
      'such as 1, or their networks, such as loopback, uniquelocal or 10.0.0.0/8',
  )
  .refine(
    (text) => text === 'true' || text === 'false' || isHopCount(text) || isNetworkList(text),
    TRUST_PROXY_ERROR,
  )

// A name, if any, and one address: nothing that would make a second header or recipient of it.
export const senderVariable = z
  .string()
  .regex(
    /^(?:[^<>",;:\p{Cc}]{1,100} <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u,
    'must be an address such as Vintém <nao-responda@example.com>',
  )

const MAX_RETENTION_DAYS = 36_500

/** Never fewer than what is promised of what is kept. */
export function retentionVariable(least: number) {
  const error = `must be a number of days from ${least} to ${MAX_RETENTION_DAYS}`
  return z
    .string()
    .regex(/^\d{1,5}$/, error)
    .transform(Number)
    .refine((days) => days >= least && days <= MAX_RETENTION_DAYS, error)
}

/** A number of proxies, rather than whose addresses they have. */
export function isHopCount(text: string) {
  return /^\d{1,2}$/.test(text)
}

function isNetworkList(text: string) {
  return text.split(',').every((part) => isProxyNetwork(part.trim()))
}

/** Not all of the internet, which would be everybody's word. */
function isProxyNetwork(text: string) {
  if (PROXY_NETWORK_NAMES.includes(text)) return true
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return (
    /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (family === 4 ? 32 : 128)
  )
}
