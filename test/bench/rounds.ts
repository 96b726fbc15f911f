// Drives both programs by autocannon in alternating rounds, so that whatever else this machine does
// meets both. A ratio is the median of those of neighbouring rounds.
import autocannon from 'autocannon'
import type { Program } from './programs.ts'
import type { RequestsOf, Side, Work } from './works.ts'

/** How exactly autocannon ends a round. */
const SAMPLE_MS = 50

export type Plan = { connections: number; warmUpRequests: number; roundS: number; pairs: number }

/** `cpuUs` of the program and `postgresUs` of Postgres for each request. */
type Cost = { cpuUs: number; postgresUs: number }

export type Figures = Cost & { perSecond: number; p50: number; p99: number; errors: number }

type Ratios = { perSecond: number; cpuUs: number; postgresUs: number }

export type Outcome = Record<Side, Figures> & {
  /** The service's over the control's. */
  ratios: Ratios
  /** The lowest and the highest ratio of requests per second of any pair of rounds. */
  range: [number, number]
}

export type Contest = { programs: Record<Side, Program>; readPostgresCpuUs: () => number }

type Round = Cost & { perSecond: number; latenciesMs: number[]; errors: number }

export async function measure(
  { status, requests, roundRequests }: Work,
  contest: Contest,
  { connections, warmUpRequests, roundS, pairs }: Plan,
): Promise<Outcome> {
  const rounds: Record<Side, Round[]> = { service: [], control: [] }
  const drive = (side: Side, until: Until) =>
    driveRound(contest, side, { requests: requests[side], status, connections, until })
  const until = roundRequests ? { amount: roundRequests } : { duration: roundS }

  const warmUp = { amount: Math.min(warmUpRequests, roundRequests ?? warmUpRequests) }
  await drive('control', warmUp)
  const { errors } = await drive('service', warmUp)
  for (let pair = 0; pair < pairs; pair++) {
    const order: Side[] = pair % 2 === 0 ? ['control', 'service'] : ['service', 'control']
    for (const side of order) rounds[side].push(await drive(side, until))
  }

  const ratiosOf = (figure: keyof Ratios) =>
    rounds.service.map((round, i) => round[figure] / rounds.control[i]![figure])
  const speeds = ratiosOf('perSecond')
  const service = figuresOf(rounds.service)
  return {
    ratios: {
      perSecond: median(speeds),
      cpuUs: median(ratiosOf('cpuUs')),
      postgresUs: median(ratiosOf('postgresUs')),
    },
    range: [Math.min(...speeds), Math.max(...speeds)],
    service: { ...service, errors: service.errors + errors },
    control: figuresOf(rounds.control),
  }
}

type Until = { amount: number } | { duration: number }
type Load = { requests: RequestsOf; status: number; connections: number; until: Until }

async function driveRound(
  { programs, readPostgresCpuUs }: Contest,
  side: Side,
  load: Load,
): Promise<Round> {
  const program = programs[side]
  const before = { cpuUs: program.cpuUs(), postgresUs: readPostgresCpuUs() }
  const round = await sendLoad(program.url, load)
  const answered = round.latenciesMs.length + round.errors
  return {
    ...round,
    cpuUs: (program.cpuUs() - before.cpuUs) / answered,
    postgresUs: (readPostgresCpuUs() - before.postgresUs) / answered,
  }
}

/** So many connections, each of which sends its next request as soon as the last was answered. */
export async function sendLoad(url: string, { requests, status, connections, until }: Load) {
  const latenciesMs: number[] = []
  let wrong = 0
  const { errors, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    let opened = 0
    const setupClient = (client: autocannon.Client) =>
      client.setRequests(requests(opened++, connections))
    const load = autocannon(
      { url, connections, setupClient, sampleInt: SAMPLE_MS, ...until },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    load.on('response', (_client, code, _bytes, ms) => {
      if (code === status) latenciesMs.push(ms)
      else wrong++
    })
  })
  return { perSecond: latenciesMs.length / duration, latenciesMs, errors: wrong + errors }
}

function figuresOf(rounds: Round[]): Figures {
  const at = pickShare(rounds.flatMap(({ latenciesMs }) => latenciesMs))
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: at(0.5),
    p99: at(0.99),
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
    cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
    postgresUs: median(rounds.map(({ postgresUs }) => postgresUs)),
  }
}

/** The value that so much of them all lie below. */
export function pickShare(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  return (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}

export function median(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)]
  return (sorted[low]! + sorted[high]!) / 2
}
