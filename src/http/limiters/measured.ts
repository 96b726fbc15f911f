// What a limiter does not let through, by the word that its keys begin with: never by who it was.
import type { Limiter } from '../limiter.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** The keys of the API's own limit are ids, without a word before. */
const API_LIMIT_NAME = 'api-key'

export function measureLimiter(limiter: Limiter, metrics: Metrics): Limiter {
  return {
    ...limiter,
    async countHit(key, limit, what) {
      const count = await limiter.countHit(key, limit, what)
      if (count.exceeded) metrics.countRefusal(getLimitName(key))
      return count
    },
  }
}

function getLimitName(key: string) {
  const end = key.indexOf(':')
  return end === -1 ? API_LIMIT_NAME : key.slice(0, end)
}
