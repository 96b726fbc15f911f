// The calendar of what is to come in: by day, week or month, with what should be here by now apart.

import { PAYMENT_METHODS, type PaymentMethod } from '../../database/enums.ts'
import { formatBrl, formatCalendarDay, formatCount, formatMonth } from '../../format.ts'
import { buildRecord } from '../../record.ts'
import { addDays, getDayStart } from '../../reports/days.ts'
import type { PayoutDay } from '../../reports/payouts.ts'
import { reportTexts } from '../../reports/texts.ts'
import { PAYOUTS_PATH } from '../layout/paths.ts'
import { payoutTexts } from './texts.ts'

type CalendarGroup = keyof typeof payoutTexts.groups

/** Rows begin within so many days, and are whole; all that comes later is one row. */
const DAYS_SHOWN = { dia: 35, semana: 182, mes: 400 } as const

export function toCalendarView(rows: PayoutDay[], by: CalendarGroup, today: string) {
  const past = rows.filter(({ day }) => day < today)
  const ahead = rows.filter(({ day }) => day >= today)
  const within = (days: number) => ahead.filter(({ day }) => day < addDays(today, days))
  return {
    by,
    isEmpty: rows.length === 0,
    figures: [
      { name: payoutTexts.figures.today, value: formatBrl(sumNetCents(within(1))) },
      { name: payoutTexts.figures.week, value: formatBrl(sumNetCents(within(7))) },
      { name: payoutTexts.figures.month, value: formatBrl(sumNetCents(within(30))) },
      { name: payoutTexts.figures.all, value: formatBrl(sumNetCents(ahead)) },
    ],
    tabs: Object.entries(payoutTexts.groups).map(([name, text]) => ({
      text,
      href: `${PAYOUTS_PATH}?por=${name}`,
      isCurrent: name === by,
    })),
    ahead: toTableView(ahead, (day) => {
      const start = getPeriodStart(day, by)
      return start < addDays(today, DAYS_SHOWN[by]) ? start : null
    }),
    past: toTableView(past, (day) => getPeriodStart(day, by)),
    csv: `${PAYOUTS_PATH}.csv`,
  }

  function toTableView(days: PayoutDay[], getKey: (day: string) => string | null) {
    const groups = Map.groupBy(days, ({ day }) => getKey(day))
    return {
      isEmpty: days.length === 0,
      heading: payoutTexts.headings[by],
      rows: [...groups].map(([key, group]) => ({
        label: key === null ? payoutTexts.later : formatPeriod(key, by, today),
        ...formatCells(group),
      })),
      total: formatCells(days),
    }
  }
}

function formatCells(days: PayoutDay[]) {
  const byMethod = (wanted: PaymentMethod) =>
    formatBrl(sumNetCents(days.filter(({ method }) => method === wanted)))
  return {
    ...buildRecord(PAYMENT_METHODS, byMethod),
    parts: formatCount(days.reduce((sum, { parts }) => sum + parts, 0)),
    net: formatBrl(sumNetCents(days)),
  }
}

function sumNetCents(days: PayoutDay[]) {
  return days.reduce((sum, { netCents }) => sum + netCents, 0)
}

/** Weeks begin on Monday. */
function getPeriodStart(day: string, by: CalendarGroup) {
  if (by === 'dia') return day
  if (by === 'mes') return `${day.slice(0, 7)}-01`
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
}

function formatPeriod(start: string, by: CalendarGroup, today: string) {
  if (by === 'mes') return formatMonth(getDayStart(start))
  if (by === 'semana') return reportTexts.week(formatCalendarDay(start))
  return start === today ? payoutTexts.today(formatCalendarDay(start)) : formatCalendarDay(start)
}
