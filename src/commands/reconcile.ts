import { CHALLENGE_PATH } from '../checkout/payment/sandbox-routes.ts'
import type { Listener } from '../database/notifications.ts'
import { createLogger } from '../http/log.ts'
import { openAccounts } from '../providers/open-accounts.ts'
import { createSandboxProvider } from '../providers/sandbox/sandbox.ts'
import { reconcileDuePayments } from '../transactions/reconciliation/reconcile.ts'
import { type Commands, defineCommand } from './command.ts'
import { type CommandContext, withContext } from './context.ts'

export const commands: Commands = {
  '': defineCommand({
    about: 'Asks the providers once about every payment that is due to be asked about.',
    options: {},
    run: () =>
      withContext(async (at) => {
        const { checked, problems } = await reconcileOnce(at)
        const said = [`Payments checked: ${checked}.`, ...problems.map(formatReconcileProblem)]
        return { json: { checked, problems }, text: said.join('\n'), failed: problems.length > 0 }
      }),
  }),
}

/** For a command that is over soon: everything is read when it is needed. */
const INERT_LISTENER: Listener = { subscribe() {}, isLive: () => false, async close() {} }

type ReconcileProblem = { transactionId?: string; msg: string }

/** At one instant, so that what is put off until later is not due again: it comes to an end. */
async function reconcileOnce({ db, cipher, config, now }: CommandContext) {
  const problems: ReconcileProblem[] = []
  const log = createLogger('warn', {
    write(line) {
      const { transactionId, msg }: ReconcileProblem = JSON.parse(line)
      problems.push({ ...(transactionId && { transactionId }), msg })
    },
  })
  const { baseUrl, checkoutUrl, webhookAllowPrivate: allowPrivate } = config
  const challengeUrl = (reference: string) => `${checkoutUrl}${CHALLENGE_PATH}/${reference}`
  const clock = { now: () => now }
  const sandbox = createSandboxProvider({ db, challengeUrl })
  const opening = {
    db,
    cipher,
    listener: INERT_LISTENER,
    sandbox,
    log,
    baseUrl,
    allowPrivate,
    ...clock,
  }
  const providers = openAccounts(opening)
  // Written here, sent by the service.
  const mail = config.smtpUrl ? { cipher } : null
  const needs = { db, providers, checkoutUrl, mail, log, ...clock }

  try {
    return { checked: await reconcileDuePayments(needs), problems }
  } finally {
    await providers.close()
  }
}

function formatReconcileProblem({ transactionId, msg }: ReconcileProblem) {
  return transactionId ? `${transactionId}: ${msg}` : msg
}
