// `/painel/relatorios`: what came in during some days, by day, week, month, method, link or tag, beside the
// period before; and the same as CSV.

import type { FastifyInstance } from 'fastify'
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

  app.get('/relatorios', READ, async (request, reply) => {
    const { kind, by, days, shift, errors, ...form } = readReportQuery(request, toDay(needs.now()))
    const parts = {
      title: sectionTitles.relatorios,
      section: 'relatorios' as const,
      ...{ by, errors, ...form },
    }
    if (errors.length > 0) {
      return show(request, reply, 'dashboard/reports/reports', { ...parts, report: null })
    }
    const report = await buildComparedReport(db, request.visitor.company.id, kind, days, {
      shift,
      now: needs.now(),
    })
    return show(request, reply, 'dashboard/reports/reports', {
      ...parts,
      report: {
        ...toReportView(kind, report, {
          now: formatReportDays(days),
          before: formatReportDays(shiftRangeBack(days, shift)),
        }),
        isUnfinished: days.to > toDay(needs.now()),
        // Of the very days that are shown, also when the file is fetched on another one.
        tables: listTableLinks(
          '/painel/relatorios',
          new URLSearchParams({ por: by, ...form.fields }),
        ),
      },
    })
  })

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

function formatReportDays({ from, to }: ReportRange) {
  const [first, last] = [from, addDays(to, -1)].map((day) => formatDay(getDayStart(day)))
  return reportTexts.days(first ?? '', last ?? '')
}
