// Chromium from the machine, as its user meets it.
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[
    // For each window two pages that its address bar may show, which cost more than the page that is tried.
    ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
    // As Playwright has it; this list replaces the one of Playwright.
    ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
    ...['HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
    ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying'],
    ...['AimEnabled', 'PreconnectToSearch', 'MediaRouter', 'LensOverlay'],
  ]}`,
]

/** `flags`: what its user has set otherwise. */
export function launchBrowser(flags: string[] = []) {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`No Chromium at ${CHROMIUM}: install it, or name another by CHROMIUM`)
  }
  return chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_FLAGS, ...flags] })
}

let shared: Promise<Browser> | undefined

/** The one of this worker, for one test file after the other. */
export function shareBrowser() {
  shared ??= launchBrowser()
  return shared
}

/** At the end of a file: of the shared browser, which stays. */
export async function closeTabs() {
  const contexts = (await shared)?.contexts() ?? []
  await Promise.all(contexts.map((context) => context.close()))
}

/** Chromium's own account of what a tab loads. */
export async function openTrafficSession(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  return session
}

/** From now on; what the browser had is none. */
export function countTraffic(session: CDPSession) {
  const sent = new Map<string, string>()
  let bytes = 0
  session.on('Network.requestWillBeSent', ({ requestId, request, redirectResponse }) => {
    if (!request.url.startsWith('http')) return
    const id = redirectResponse ? `${requestId} redirected` : requestId
    sent.set(id, `${request.method} ${request.url}`)
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => sent.delete(requestId))
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return { read: () => ({ requests: [...sent.values()], bytes }) }
}
