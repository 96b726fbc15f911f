// Limits how many requests read something large at once, in this process and for one company, so that no company locks
// the others out.
import type { AppError } from './errors.ts'

type PlaceLimits = {
  max: number
  maxOfCompany: number
  refuse: () => AppError
  refuseCompany: () => AppError
}

export function createPlaces({ max, maxOfCompany, refuse, refuseCompany }: PlaceLimits) {
  const byCompany = new Map<string, number>()
  let total = 0

  return {
    /** Reserves a place, or throws when none is free. Returns the function that releases it. */
    reserve(companyId: string) {
      const own = byCompany.get(companyId) ?? 0
      if (own >= maxOfCompany) throw refuseCompany()
      if (total >= max) throw refuse()
      byCompany.set(companyId, own + 1)
      total++
      return () => release(companyId)
    },
  }

  function release(companyId: string) {
    const left = (byCompany.get(companyId) ?? 0) - 1
    if (left > 0) byCompany.set(companyId, left)
    else byCompany.delete(companyId)
    total--
  }
}
