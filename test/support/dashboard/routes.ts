// Every route of the dashboard, as the program itself lists them.
import Fastify, { type FastifyContextConfig, type RouteOptions } from 'fastify'
import type { DashboardNeeds } from '../../../src/dashboard/layout/needs.ts'
import { createPageRenderer } from '../../../src/dashboard/layout/page.ts'
import { dashboardRoutes } from '../../../src/dashboard/routes.ts'
import type { Right } from '../../../src/users/roles.ts'
import type { TestApp } from '../test-app.ts'

export type DashboardRoute = {
  method: 'GET' | 'POST'
  url: string
  /** Absent where no session is needed. */
  right: Right | undefined
  stepUp: FastifyContextConfig['stepUp']
}

/** Tables and pictures take as long to make as ten pages. */
export function isFile(path: string) {
  return /\.(csv|xlsx|svg|png)$/.test(path)
}

export function buildDashboardNeeds({ needs }: TestApp): DashboardNeeds {
  const asset = (file: string) => file
  return { ...needs, asset, mail: null, show: createPageRenderer({ ...needs, asset }) }
}

export async function listDashboardRoutes(testApp: TestApp): Promise<DashboardRoute[]> {
  const program = Fastify()
  const found: RouteOptions[] = []
  program.addHook('onRoute', (route) => void found.push(route))
  const needs = buildDashboardNeeds(testApp)
  await program.register((scope) => dashboardRoutes(scope, needs), { prefix: '/painel' })
  await program.ready()
  await program.close()
  return found.flatMap(({ method, url, config }) =>
    [method]
      .flat()
      .filter((one) => one !== 'HEAD')
      .map((one) => ({
        ...{ method: one as DashboardRoute['method'], url },
        ...{ right: config?.right, stepUp: config?.stepUp },
      })),
  )
}
