// `/painel/relatorios`: what came in during some days, by month, method, link or tag, and the same as CSV.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatDay } from '../../format.ts'
import { sendCsv } from '../../http/csv.ts'
import { buildReportColumns, buildReportFileName, streamReportRows } from '../../reports/csv.ts'
import { addDays, getDayStart, toDay } from '../../reports/days.ts'
import { buildReport } from '../../reports/reports.ts'
import { reportTexts } from '../../reports/texts.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { readTestMode } from '../layout/test-mode.ts'
import { sectionTitles } from '../layout/texts.ts'
import { readReportQuery } from './query.ts'
import { toReportView } from './view.ts'

export async function reportPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(app, needs)

  app.get('/relatorios', async (request, reply) => {
    const { asked, mode } = await readQuery(request)
    const { kind, by, days, errors, ...form } = asked
    const parts = {
      title: sectionTitles.relatorios,
      section: 'relatorios' as const,
      ...{ mode, by, errors, ...form },
    }
    if (errors.length > 0) {
      return show(request, reply, 'dashboard/reports/reports', { ...parts, report: null })
    }
    const range = { ...days, testMode: mode.testMode }
    const report = await buildReport(db, request.visitor.company.id, kind, range)
    return show(request, reply, 'dashboard/reports/reports', {
      ...parts,
      report: {
        ...toReportView(kind, report),
        days: reportTexts.days(formatReportDay(days.from), formatReportDay(addDays(days.to, -1))),
        csv: buildReportCsvUrl(by, form.fields, mode.testMode),
      },
    })
  })

  app.get('/relatorios.csv', async (request, reply) => {
    const { asked, mode } = await readQuery(request)
    const { kind, days } = asked
    const range = { ...days, testMode: mode.testMode }
    const report = await buildReport(db, request.visitor.company.id, kind, range)
    return sendCsv(
      reply,
      buildReportColumns(kind),
      streamReportRows(report),
      buildReportFileName(kind, days),
    )
  })

  async function readQuery(request: FastifyRequest) {
    const mode = await readTestMode(db, request)
    return { asked: readReportQuery(request, toDay(needs.now())), mode }
  }
}

function formatReportDay(day: string) {
  return formatDay(getDayStart(day))
}

/** Of the very days that are shown, also when the file is fetched on another one. */
function buildReportCsvUrl(por: string, fields: { de: string; ate: string }, testMode: boolean) {
  const query = new URLSearchParams({ por, ...fields, modo: testMode ? 'teste' : 'real' })
  return `/painel/relatorios.csv?${query}`
}
