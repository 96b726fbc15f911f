// The browser of a person: recognised by a cookie when the person signed in from it before (users/session.ts), with one
// cookie for each person, since several may share a browser; and its name, `Chrome no Android`.

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEVICE_VALID_MS, issueDeviceToken } from '../../users/session.ts'
import { normalizeEmail } from '../../users/user.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { getSessionCookie } from './session-guard.ts'
import { deviceTexts } from './texts.ts'

/** A user agent names several browsers; the first match counts. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

export function readDeviceToken(
  { cookies }: FastifyRequest,
  needs: Pick<DashboardNeeds, 'baseUrl'>,
  email: string,
) {
  return cookies[getDeviceCookie(needs, email).name]
}

/** Makes this browser a known device of the person. */
export async function setDeviceCookie(
  reply: FastifyReply,
  needs: Pick<DashboardNeeds, 'db' | 'cipher' | 'baseUrl' | 'now'>,
  { id, email }: { id: string; email: string },
) {
  const token = await issueDeviceToken(needs.db, needs.cipher, id, needs.now())
  if (!token) return
  const { name, options } = getDeviceCookie(needs, email)
  reply.setCookie(name, token, { ...options, maxAge: DEVICE_VALID_MS / 1000 })
}

function getDeviceCookie(needs: Pick<DashboardNeeds, 'baseUrl'>, email: string) {
  const { name, options } = getSessionCookie(needs)
  const person = createHash('sha256').update(normalizeEmail(email)).digest('hex').slice(0, 12)
  return { name: `${name}-aparelho-${person}`, options }
}

export function describeDevice(userAgent: string) {
  const { device, browser: anyBrowser, unknownDevice } = deviceTexts
  const [browser, system] = [
    matchUserAgent(BROWSERS, userAgent),
    matchUserAgent(SYSTEMS, userAgent),
  ]
  if (system) return device(browser ?? anyBrowser, system)
  return browser ?? unknownDevice
}

function matchUserAgent(known: [RegExp, string][], userAgent: string) {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1]
}
