import type { Database } from '../../database/connect.ts'

export type Finding = { status: 'ok' | 'warn' | 'fail'; what: string; advice?: string }

export type DoctorCheck = { about: string; run(db: Database): Promise<Finding> }

export const reportOk = (what: string): Finding => ({ status: 'ok', what })
export const reportWarning = (what: string, advice: string): Finding => ({
  status: 'warn',
  what,
  advice,
})
export const reportFailure = (what: string, advice: string): Finding => ({
  status: 'fail',
  what,
  advice,
})
