import type { Database } from '../database/connect.ts'

export type LinkRouteNeeds = { db: Database; checkoutUrl: string; now: () => Date }
