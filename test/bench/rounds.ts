// Drives both programs by autocannon in alternating rounds, so that whatever else this machine does
// meets both. A ratio is the median of those of neighbouring rounds.
import autocannon from 'autocannon'
import type { Program } from './programs.ts'
import type { RequestsOf, Side, Work } from './works.ts'

/** How exactly autocannon ends a round. */
const SAMPLE_MS = 50

export type Plan = { connections: number; warmUpRequests: number; roundS: number; pairs: number }

export type Figures = { perSecond: number; p50: number; p99: number; errors: number }

export type Outcome = Record<Side, Figures> & {
  /** The service's requests per second over the control's. */
  ratio: number
  /** The lowest and the highest of any pair of rounds. */
  range: [number, number]
}

type Round = { perSecond: number; latenciesMs: number[]; errors: number }

export async function measure(
  { status, requests }: Work,
  programs: Record<Side, Program>,
  { connections, warmUpRequests, roundS, pairs }: Plan,
): Promise<Outcome> {
  const rounds: Record<Side, Round[]> = { service: [], control: [] }
  const drive = (side: Side, until: Until) =>
    round(programs[side].url, { requests: requests[side], status, connections, until })

  await drive('control', { amount: warmUpRequests })
  const { errors } = await drive('service', { amount: warmUpRequests })
  for (let pair = 0; pair < pairs; pair++) {
    const order: Side[] = pair % 2 === 0 ? ['control', 'service'] : ['service', 'control']
    for (const side of order) rounds[side].push(await drive(side, { duration: roundS }))
  }

  const ratios = rounds.service.map(({ perSecond }, i) => perSecond / rounds.control[i]!.perSecond)
  const service = figuresOf(rounds.service)
  return {
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)],
    service: { ...service, errors: service.errors + errors },
    control: figuresOf(rounds.control),
  }
}

type Until = { amount: number } | { duration: number }
type Load = { requests: RequestsOf; status: number; connections: number; until: Until }

/** So many connections, each of which sends its next request as soon as the last was answered. */
async function round(url: string, { requests, status, connections, until }: Load): Promise<Round> {
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
  const latencies = rounds.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: at(0.5),
    p99: at(0.99),
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
  }
}

function median(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)]
  return (sorted[low]! + sorted[high]!) / 2
}
