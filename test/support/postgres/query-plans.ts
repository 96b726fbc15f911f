// Reads Postgres's plans for the statements that our code runs.
import pg from 'pg'
import type { Database } from '../../../src/database/connect.ts'

export type QueryPlan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Heap Fetches'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: QueryPlan[]
}

/** With the values of each statement, or without them, as a prepared statement may come to be planned. */
export type PlanMode = 'force_custom_plan' | 'force_generic_plan'

type SeenStatement = { text: string; values: unknown[] }

/**
 * Runs `work` and tells what Postgres did for each statement that it made about what is named: the pool
 * has others too, of whatever runs beside it.
 */
export async function explainStatements(
  db: Database,
  about: RegExp,
  work: () => Promise<unknown>,
  plans: PlanMode = 'force_custom_plan',
) {
  const client = db.$client
  const seen: SeenStatement[] = []
  const { query } = client
  client.query = ((config: { text: string; values?: unknown[] }, values?: unknown[]) => {
    if (config.text && about.test(config.text)) {
      seen.push({ text: config.text, values: values ?? config.values ?? [] })
    }
    return Reflect.apply(query, client, [config, values])
  }) as typeof query
  try {
    await work()
  } finally {
    client.query = query
  }
  return explainSeen(db, seen, plans)
}

export function listPlanNodes(plan: QueryPlan): QueryPlan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(listPlanNodes)]
}

async function explainSeen(db: Database, seen: SeenStatement[], plans: PlanMode) {
  const connection = await db.$client.connect()
  try {
    await connection.query(`set plan_cache_mode = ${plans}`)
    const explained: QueryPlan[] = []
    for (const [i, { text, values }] of seen.entries()) {
      await connection.query(`prepare looked_${i} as ${text}`)
      const literals = values.map(toLiteral)
      const arguments_ = literals.length > 0 ? `(${literals.join(', ')})` : ''
      const { rows } = await connection.query(
        `explain (analyze, format json) execute looked_${i} ${arguments_}`,
      )
      explained.push(rows[0]['QUERY PLAN'][0].Plan)
      await connection.query(`deallocate looked_${i}`)
    }
    return explained
  } finally {
    await connection.query('reset plan_cache_mode')
    connection.release()
  }
}

function toLiteral(value: unknown) {
  if (value === null) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  return pg.escapeLiteral(
    Array.isArray(value) ? `{${value.map((one) => JSON.stringify(one)).join()}}` : String(value),
  )
}
