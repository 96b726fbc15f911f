// What a call's token must allow, and no more: a bank may refuse the whole token for one scope that the
// application was not given.

import type { BankSettings } from './config.ts'

type ScopedCall = { method: 'GET' | 'PUT' | 'PATCH'; path: string }

/** As configured, or as the bank wants it, for all calls; else by what is called. */
export function getCallScope({ scope }: Pick<BankSettings, 'scope'>, call: ScopedCall): string {
  if (scope !== null) return scope
  if (call.path.startsWith('/webhook')) return 'webhook.write webhook.read'
  if (call.path.startsWith('/cob')) return 'cob.write cob.read'
  return call.method === 'GET' ? 'pix.read' : 'pix.write pix.read'
}
