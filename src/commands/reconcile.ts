import { CHALLENGE_PATH } from '../checkout/sandbox-routes.ts'
import { newLogger } from '../http/log.ts'
import { sandboxProvider } from '../providers/sandbox.ts'
import { reconcileDue } from '../transactions/reconcile.ts'
import { type Commands, command } from './command.ts'
import { type At, atHome } from './home.ts'

export const commands: Commands = {
  '': command({
    about: 'Asks the providers once about every payment that is due to be asked about.',
    options: {},
    run: () =>
      atHome(async (at) => {
        const { checked, problems } = await reconcileOnce(at)
        const said = [`Payments checked: ${checked}.`, ...problems.map(describe)]
        return { json: { checked, problems }, text: said.join('\n'), failed: problems.length > 0 }
      }),
  }),
}

type Problem = { transactionId?: string; msg: string }

/** At one instant, so that what is put off until later is not due again: it comes to an end. */
async function reconcileOnce({ db, config: { checkoutUrl }, now }: At) {
  const problems: Problem[] = []
  const log = newLogger('warn', {
    write(line) {
      const { transactionId, msg }: Problem = JSON.parse(line)
      problems.push({ ...(transactionId && { transactionId }), msg })
    },
  })
  const challengeUrl = (reference: string) => `${checkoutUrl}${CHALLENGE_PATH}/${reference}`
  const providers = { sandbox: sandboxProvider({ db, challengeUrl }) }
  const needs = { db, providers, checkoutUrl, log, now: () => now }

  let checked = 0
  for (let more = -1; more !== 0; checked += more) more = await reconcileDue(needs)
  return { checked, problems }
}

function describe({ transactionId, msg }: Problem) {
  return transactionId ? `${transactionId}: ${msg}` : msg
}
