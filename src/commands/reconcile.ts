import { createLogger } from '../http/log.ts'
import { reconcileDuePayments } from '../transactions/reconciliation/reconcile.ts'
import { createCommand, createProgress } from './command.ts'
import { type CommandContext, printingInContext } from './context.ts'
import { withPayNeeds } from './pay-needs.ts'

export const command = createCommand('reconcile')
  .description('Asks the providers once about every payment that is due to be checked.')
  .action(
    printingInContext(async (at) => {
      const { checked, problems } = await reconcileOnce(at)
      const said = [`Payments checked: ${checked}.`, ...problems.map(formatReconcileProblem)]
      return { json: { checked, problems }, text: said.join('\n'), failed: problems.length > 0 }
    }),
  )

type ReconcileProblem = { transactionId?: string; msg: string }

/** Time stands still meanwhile, so that a postponed check is not due again and the loop ends. */
async function reconcileOnce(at: CommandContext) {
  const problems: ReconcileProblem[] = []
  const log = createLogger('warn', {
    write(line) {
      const { transactionId, msg }: ReconcileProblem = JSON.parse(line)
      problems.push({ ...(transactionId && { transactionId }), msg })
    },
  })
  const show = createProgress()
  const checked = await withPayNeeds(at, log, (needs) =>
    reconcileDuePayments(needs, (count) => show(`payments: ${count} checked`)),
  )
  return { checked, problems }
}

function formatReconcileProblem({ transactionId, msg }: ReconcileProblem) {
  return transactionId ? `${transactionId}: ${msg}` : msg
}
