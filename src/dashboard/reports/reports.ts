// `/painel/relatorios`: the revenue of some days, by day, week, month, method, link or tag, beside the previous period;
// and the same as CSV.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatDay } from '../../format.ts'
import { buildComparedReport } from '../../reports/comparison.ts'
import { buildReportColumns, buildReportFileName, streamReportRows } from '../../reports/csv.ts'
import { addDays, getDayStart, toDay } from '../../reports/days.ts'
import { buildReport, type ReportRange, shiftRangeBack } from '../../reports/reports.ts'
import { reportTexts } from '../../reports/texts.ts'
import { listTableLinks, registerTable } from '../layout/exports.ts'
import { type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { sectionTitles } from '../layout/texts.ts'
import { readReportQuery } from './query.ts'
import { toReportView } from './view.ts'

const READ = requireRight('read')

export async function reportPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { db } = needs
  const show = createPageRenderer(needs)

  app.get('/relatorios', READ, async (request, reply) =>
    show(request, reply, 'dashboard/reports/reports', await loadReports(needs, request)),
  )

  registerTable(app, '/relatorios', needs, async (request) => {
    const { kind, days } = readReportQuery(request, toDay(needs.now()))
    const report = await buildReport(db, request.visitor.company.id, kind, days)
    return {
      columns: buildReportColumns(kind),
      rows: streamReportRows(report),
      name: buildReportFileName(kind, days),
      subject: sectionTitles.relatorios,
    }
  })
}

export async function loadReports(needs: DashboardNeeds, request: FastifyRequest) {
  const asked = readReportQuery(request, toDay(needs.now()))
  const { by, errors, fields, tabs, periods } = asked
  return {
    title: sectionTitles.relatorios,
    section: 'relatorios' as const,
    errors,
    by,
    fields,
    tabs,
    periods,
    /** Null when the requested days are invalid. */
    report: errors.length > 0 ? null : await loadReport(needs, request, asked),
  }
}

async function loadReport(
  { db, now }: DashboardNeeds,
  { visitor: { company } }: FastifyRequest,
  { kind, by, days, shift, fields }: ReturnType<typeof readReportQuery>,
) {
  const report = await buildComparedReport(db, company.id, kind, days, { shift, now: now() })
  return {
    ...toReportView(kind, report, {
      now: formatReportDays(days),
      before: formatReportDays(shiftRangeBack(days, shift)),
    }),
    /** The last day is not over. */
    isUnfinished: days.to > toDay(now()),
    // The exact days that are shown, since the file may be downloaded on another day.
    tables: listTableLinks('/painel/relatorios', new URLSearchParams({ por: by, ...fields })),
  }
}

function formatReportDays({ from, to }: ReportRange) {
  const [first, last] = [from, addDays(to, -1)].map((day) => formatDay(getDayStart(day)))
  return reportTexts.days(first ?? '', last ?? '')
}
