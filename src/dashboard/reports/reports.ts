// `/painel/relatorios`: what came in during some days, by month, method, link or tag, and the same as CSV.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatDay } from '../../format.ts'
import { sendCsv } from '../../http/csv.ts'
import { reportColumns, reportCsv, reportFileName } from '../../reports/csv.ts'
import { addDays, dayOf, startOf } from '../../reports/days.ts'
import { reportOf } from '../../reports/reports.ts'
import { reportTexts } from '../../reports/texts.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { pagesOf } from '../layout/page.ts'
import { modeOf } from '../layout/test-mode.ts'
import { sectionTitles } from '../layout/texts.ts'
import { askedFor } from './query.ts'
import { reportShape } from './view.ts'

export async function reportPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = pagesOf(app, needs)

  app.get('/relatorios', async (request, reply) => {
    const { asked, mode } = await readQuery(request)
    const { kind, by, days, errors, ...form } = asked
    const parts = {
      title: sectionTitles.relatorios,
      section: 'relatorios' as const,
      ...{ mode, by, errors, ...form },
    }
    if (errors.length > 0) {
      return show(request, reply, 'reports/report', { ...parts, report: null })
    }
    const range = { ...days, testMode: mode.testMode }
    const report = await reportOf(db, request.visitor.company.id, kind, range)
    return show(request, reply, 'reports/report', {
      ...parts,
      report: reportShape(kind, report),
      days: reportTexts.days(textOf(days.from), textOf(addDays(days.to, -1))),
      csv: csvOf(by, form.fields, mode.testMode),
    })
  })

  app.get('/relatorios.csv', async (request, reply) => {
    const { asked, mode } = await readQuery(request)
    const { kind, days } = asked
    const range = { ...days, testMode: mode.testMode }
    const report = await reportOf(db, request.visitor.company.id, kind, range)
    return sendCsv(reply, reportColumns(kind), reportCsv(report), reportFileName(kind, days))
  })

  async function readQuery(request: FastifyRequest) {
    const mode = await modeOf(db, request)
    return { asked: askedFor(request, dayOf(needs.now())), mode }
  }
}

function textOf(day: string) {
  return formatDay(startOf(day))
}

/** Of the very days that are shown, also when the file is fetched on another one. */
function csvOf(por: string, fields: { de: string; ate: string }, testMode: boolean) {
  const query = new URLSearchParams({ por, ...fields, modo: testMode ? 'teste' : 'real' })
  return `/painel/relatorios.csv?${query}`
}
