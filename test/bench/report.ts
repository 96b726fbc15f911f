// What was measured, for people and for programs.
import { availableParallelism, cpus, loadavg } from 'node:os'
import type { Figures, Outcome, Plan } from './rounds.ts'
import { LINKS } from './seed.ts'
import type { Work } from './works.ts'

export type Weight = {
  /** Resident memory of the service before and after the load, in MB of 10^6 bytes. */
  idleMb: number
  afterMb: number
  startMs: number
}

export function machineText(postgres: string, { connections, roundS, pairs }: Plan) {
  const model = cpus()[0]?.model ?? process.arch
  const busy = loadavg()[0]!.toFixed(1)
  return [
    `${availableParallelism()} cores (${model}), load ${busy} before we began, shared by Postgres ${postgres},`,
    `the load and what is measured, each on Node ${process.versions.node}. ${connections} connections,`,
    `${LINKS} links, ${pairs} pairs of rounds of ${roundS} s. Ratio: the service's requests per second`,
    'over those of a bare control (Fastify + pg, one statement a request), the median of the pairs',
    '(lowest–highest).',
    '',
  ].join('\n')
}

export function headText() {
  const title = ''.padEnd(38)
  return `${title}ratio                req/s   p50 ms   p99 ms  errors | control  req/s   p50 ms   p99 ms  errors`
}

export function outcomeText({ title }: Work, { ratio, range, service, control }: Outcome) {
  const [lowest, highest] = range.map((value) => value.toFixed(2))
  return [
    title.padEnd(37),
    ratio.toFixed(2).padStart(5),
    `(${lowest}–${highest})`.padEnd(13),
    figuresText(service),
    '|        ',
    figuresText(control),
  ].join(' ')
}

function figuresText({ perSecond, p50, p99, errors }: Figures) {
  const columns = [perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), String(errors)]
  return columns.map((text, i) => text.padStart([6, 8, 8, 7][i]!)).join(' ')
}

export function serviceText({ idleMb, afterMb, startMs }: Weight) {
  const memory = `memory ${idleMb.toFixed(0)} MB idle, ${afterMb.toFixed(0)} MB after the load`
  return `\nservice: first answer ${startMs.toFixed(0)} ms after its start, ${memory}`
}

export function toJson(outcomes: Map<Work['name'], Outcome>, weight: Weight) {
  const works = [...outcomes].map(([name, { ratio, service }]) => {
    const { perSecond, p50, p99, errors } = service
    const figures = { ratio: round(ratio), perSecond: round(perSecond), p50: round(p50) }
    return [name, { ...figures, p99: round(p99), errors }]
  })
  return JSON.stringify({
    ...Object.fromEntries(works),
    memoryMb: { idle: round(weight.idleMb), after: round(weight.afterMb) },
    startMs: Math.round(weight.startMs),
  })
}

function round(value: number) {
  return Math.round(value * 100) / 100
}
