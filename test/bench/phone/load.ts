// What a phone loads of a page and how soon it sees it, by Chromium's own account of it (CDP).
import type { Browser, CDPSession, Page } from 'playwright-core'
import { countTraffic, openTrafficSession } from '../../support/processes/browser.ts'

export type Load = {
  /** Addresses in the order they were asked for. */
  requests: string[]
  /** Over the wire, headers included. */
  bytes: number
  firstPaintMs: number
  largestPaintMs: number
  /** Until nothing more was loaded. */
  loadedMs: number
  /** What of each task of the page's beyond 50 ms kept it from answering a touch. */
  blockedMs: number
  layoutShift: number
}

type Network = { latencyMs: number; kbitPerS: number; cpuSlowdown: number }

/** WebPageTest's 3G Slow, on a phone of the cheaper kind. */
export const SLOW_3G: Network = { latencyMs: 400, kbitPerS: 400, cpuSlowdown: 4 }

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const BITS = 8
const LONG_TASK_MS = 50

/** A tab of somebody who was never there. */
export async function openPhone(browser: Browser, { latencyMs, kbitPerS, cpuSlowdown }: Network) {
  const context = await browser.newContext({ locale: 'pt-BR', ...PHONE })
  const page = await context.newPage()
  const session = await openTrafficSession(context, page)
  const throughput = (kbitPerS * 1_000) / BITS
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return { page, session, close: () => context.close() }
}

export async function measureLoad(
  { page, session }: { page: Page; session: CDPSession },
  url: string,
): Promise<Load> {
  const traffic = countTraffic(session)
  await page.addInitScript(watchPaints)
  await page.goto(url, { waitUntil: 'networkidle' })
  return { ...(await page.evaluate(readPaints, LONG_TASK_MS)), ...traffic.read() }
}

/** Runs in the page, before anything of it. */
function watchPaints() {
  const seen = { largest: 0, shift: 0, tasks: [] as number[] }
  Object.assign(globalThis, { seenPaints: seen })
  const watch = (type: string, take: (entry: never) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as never)
    }).observe({ type, buffered: true })
  watch('largest-contentful-paint', ({ startTime }: PerformanceEntry) => {
    seen.largest = startTime
  })
  watch('layout-shift', ({ value }: { value: number }) => {
    seen.shift += value
  })
  watch('longtask', ({ duration }: PerformanceEntry) => seen.tasks.push(duration))
}

/** Runs in the page. */
function readPaints(longTaskMs: number) {
  const { seenPaints: seen } = globalThis as unknown as {
    seenPaints: { largest: number; shift: number; tasks: number[] }
  }
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const ends = [navigation?.loadEventEnd ?? 0, ...resources.map(({ responseEnd }) => responseEnd)]
  return {
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    largestPaintMs: seen.largest,
    loadedMs: Math.max(...ends),
    blockedMs: seen.tasks.reduce((sum, duration) => sum + duration - longTaskMs, 0),
    layoutShift: seen.shift,
  }
}
