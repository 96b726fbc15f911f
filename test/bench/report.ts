// What was measured, for people and for programs.
import { availableParallelism, cpus, loadavg } from 'node:os'
import type { DeliveryFigures } from './deliveries.ts'
import type { Figures, Outcome, Plan } from './rounds.ts'
import { LINKS } from './seed.ts'
import type { StartTimes } from './start.ts'
import type { Work } from './works.ts'

export type Weight = StartTimes & {
  /** Resident memory of the service before and after the load, in MB of 10^6 bytes. */
  idleMb: number
  afterMb: number
}

export type Setting = { postgres: string; jit: string; slim: boolean; processes: number }

export function machineText(
  { postgres, jit, slim, processes }: Setting,
  { connections, roundS, pairs }: Plan,
) {
  const model = cpus()[0]?.model ?? process.arch
  const busy = loadavg()[0]!.toFixed(1)
  const control = slim
    ? 'Fastify + pg, one statement on a slim table a request, a page by eta'
    : 'Fastify + pg, one statement a request'
  const service =
    processes > 0
      ? `\nThe service: ${processes} processes behind nginx; the control is one, without.`
      : ''
  return [
    `${availableParallelism()} cores (${model}), load ${busy} before we began, shared by Postgres ${postgres}`,
    `(jit ${jit}), the load and what is measured, each on Node ${process.versions.node}. ${connections} connections,`,
    `${LINKS} links, ${pairs} pairs of rounds of ${roundS} s. Ratios: of requests per second (lowest–highest),`,
    'and of the µs of CPU that a request takes in the program and in Postgres, over those of a bare control',
    `(${control}), each the median of the pairs.${service}`,
    '',
  ].join('\n')
}

export function headText() {
  const ratios = `${'req/s'.padEnd(18)} CPU  Postgres`
  const figures = 'req/s   p50 ms   p99 ms  CPU µs  Postgres  errors'
  return `${'ratio:'.padStart(37)} ${ratios} | service: ${figures} | control: ${figures}`
}

export function outcomeText({ title }: Work, { ratios, range, service, control }: Outcome) {
  const [lowest, highest] = range.map((value) => value.toFixed(2))
  return [
    title.padEnd(37),
    ratios.perSecond.toFixed(2).padStart(5),
    `(${lowest}–${highest})`.padEnd(12),
    ratios.cpuUs.toFixed(2),
    ratios.postgresUs.toFixed(2).padStart(9),
    '|        ',
    figuresText(service),
    '|        ',
    figuresText(control),
  ].join(' ')
}

function figuresText({ perSecond, p50, p99, cpuUs, postgresUs, errors }: Figures) {
  const columns = [perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), cpuUs.toFixed(0)]
  const all = [...columns, postgresUs.toFixed(0), String(errors)]
  return all.map((text, i) => text.padStart([6, 8, 8, 7, 9, 7][i]!)).join(' ')
}

export function deliveryText({
  connections,
  perSecond,
  p50,
  p99,
  received,
  errors,
}: DeliveryFigures) {
  const load = connections === 1 ? 'one payment after the other' : `${connections} payments at once`
  const times = `p50 ${p50} ms, p99 ${p99} ms of ${received} webhooks`
  return `approval → receiver, ${load}: ${times}, ${perSecond.toFixed(0)} payments/s, ${errors} errors`
}

export function serviceText({ idleMb, afterMb, coldMs, warmMs }: Weight) {
  const start = `first answer ${coldMs.toFixed(0)} ms after a cold start, ${warmMs.toFixed(0)} ms after a warm one`
  const [idle, after] = [idleMb, afterMb].map((mb) => `${mb.toFixed(0)} MB`)
  return `service: ${start}; memory ${idle} idle, ${after} after the load`
}

type Measured = {
  outcomes: Map<Work['name'], Outcome>
  deliveries: DeliveryFigures[]
  weight: Weight
}

export function toJson({ outcomes, deliveries, weight }: Measured) {
  const works = [...outcomes].map(([name, { ratios, service, control }]) => [
    name,
    { ratios, service, control },
  ])
  return JSON.stringify({ ...Object.fromEntries(works), deliveries, ...weight }, (_key, value) =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : value,
  )
}
