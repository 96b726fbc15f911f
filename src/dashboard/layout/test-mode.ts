// Payments in test mode and real ones are never summed together: a page of figures shows the one or the
// other, and lets a company that has both choose.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { toRecord } from '../../http/fields.ts'
import { hasPayments } from '../../transactions/transaction.ts'

export type TestModeSwitch = {
  testMode: boolean
  /** Where each of the two is, for a company that has both. */
  links: { real: string; test: string } | null
}

/** What is shown at first is what the company collects by now. */
export async function readTestMode(db: Database, request: FastifyRequest): Promise<TestModeSwitch> {
  const { company } = request.visitor
  const { modo } = toRecord(request.query)
  const usual = company.pixTestMode && company.cardTestMode
  const testMode = modo === 'teste' || (modo !== 'real' && usual)
  const hasOther = await hasPayments(db, company.id, !testMode)
  if (!hasOther && testMode === usual) return { testMode, links: null }
  return {
    testMode,
    links: { real: buildTestModeUrl(request, 'real'), test: buildTestModeUrl(request, 'teste') },
  }
}

/** The same page with everything else that was chosen. */
function buildTestModeUrl({ url }: FastifyRequest, modo: string) {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  searchParams.delete('cursor')
  searchParams.delete('feito')
  searchParams.set('modo', modo)
  return `${pathname}?${searchParams}`
}
