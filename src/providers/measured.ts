// Measures the duration and the result of calls to a provider.
import { SECOND_MS } from '../database/instant.ts'
import type { Metrics, ProviderOperation } from '../http/metrics.ts'
import { type Provider, ProviderDown } from './provider.ts'

export function measureProvider(provider: Provider, metrics: Metrics): Provider {
  const { list, quotes } = provider
  return {
    ...provider,
    charge: (charge, now) => measureCall('charge', () => provider.charge(charge, now)),
    find: (key, now, lane) => measureCall('find', () => provider.find(key, now, lane)),
    cancel: (key, now, options) => measureCall('cancel', () => provider.cancel(key, now, options)),
    refund: (request, now) => measureCall('refund', () => provider.refund(request, now)),
    findRefund: (key, now) => measureCall('findRefund', () => provider.findRefund(key, now)),
    ...(list && { list: (window, now) => measureCall('list', () => list(window, now)) }),
    ...(quotes && { quotes: (card) => measureCall('quotes', () => quotes(card)) }),
  }

  async function measureCall<T>(operation: ProviderOperation, call: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const observe = (outcome: 'ok' | 'down' | 'failed') => {
      const seconds = (performance.now() - startedAt) / SECOND_MS
      metrics.observeProviderCall({ provider: provider.name, operation, outcome }, seconds)
    }
    try {
      const answer = await call()
      observe('ok')
      return answer
    } catch (error) {
      observe(error instanceof ProviderDown ? 'down' : 'failed')
      throw error
    }
  }
}
