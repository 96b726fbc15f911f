// Places in this process that are held for as long as somebody reads: so many in all, and of them so many for
// one company, so that none locks the others out.
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
    /** Throws where there is none left. What it answers gives the place back, once. */
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
