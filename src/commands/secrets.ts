// `secrets`: encrypts secrets again with the current key, and rotates secrets that no other command changes.
import { Option } from '@commander-js/extra-typings'
import { OPERATOR } from '../companies/audit.ts'
import type { Company } from '../companies/company.ts'
import { rotateRedirectSecret } from '../companies/redirect-secret.ts'
import { keepSecretKey } from '../database/open.ts'
import { type ResealedColumn, type ResealProgress, resealAll } from '../database/sealing/reseal.ts'
import { createLogger } from '../http/log.ts'
import { recordSecurityChange } from '../mail/security.ts'
import { buildNotifyUrl } from '../providers/accounts.ts'
import { registerNotifications, rotateNotifyToken } from '../providers/registration.ts'
import { getAdapter, REAL_PROVIDERS, type RealProvider } from '../providers/registry.ts'
import { formatEnvironment, printingInEnvironment } from './chosen-company.ts'
import { CommandError, type CommandResult, createCommand, createProgress } from './command.ts'
import { type CommandContext, printingInContext } from './context.ts'
import { addEnvironmentCommand } from './options.ts'

const ADVICE = {
  done: 'Everything is under SECRET_KEY. Once every process has been started with it, SECRET_KEY_PREVIOUS can be removed: one that knows only the key before opens nothing any more.',
  file: '.data/secret-key holds SECRET_KEY by now, and no longer the key before, which opens older dumps.',
  again:
    'Not everything could be sealed again: keep SECRET_KEY_PREVIOUS. What is in use is done by running this again; what no key opens has to be entered anew.',
  byHand: 'Give it to the provider; until then its payments are found by asking.',
}

export const command = createCommand('secrets').description('What is kept encrypted.')

command
  .command('rotate')
  .description(
    'Seals everything that is encrypted again under SECRET_KEY, beside a running service. Stopped half-way, run it again.',
  )
  .action(
    printingInContext(async ({ db, cipher, config }) => {
      const show = createProgress()
      const columns = await resealAll(db, cipher, (progress) =>
        show(formatResealProgress(progress)),
      )
      const failed = columns.some(({ busy, unreadable }) => busy + unreadable > 0)
      const isFileReplaced = !failed && keepSecretKey(config)
      const advice = failed ? ADVICE.again : ADVICE.done
      const lines = [...columns.flatMap(formatColumn), advice]
      return {
        json: { columns },
        text: (isFileReplaced ? [...lines, ADVICE.file] : lines).join('\n'),
        failed,
      }
    }),
  )

addEnvironmentCommand(command, 'rotate-redirect')
  .description(
    'Gives a company a new secret for the signature of returns to its pages, and shows it; the one before ends at once.',
  )
  .action(
    printingInEnvironment(async ({ db, cipher, mail, now }, { id, testMode }) => {
      const rotated = await db.transaction(async (tx) => {
        const by = { companyId: id, testMode, actor: OPERATOR, now }
        await recordSecurityChange(tx, mail, { ...by, action: 'redirect_secret_rotated' })
        return rotateRedirectSecret(tx, cipher, { companyId: id, now })
      })
      if (rotated.kind === 'changed') throw new CommandError('The company is gone.')
      const { redirectSecret } = rotated
      return {
        json: { id, testMode, redirectSecret },
        text: `New secret that signs the return to a shop, of the ${formatEnvironment(testMode)} environment (shown only now): ${redirectSecret}`,
      }
    }),
  )

addEnvironmentCommand(command, 'rotate-notification')
  .description(
    'Gives an account at a provider a new address of notifications, and registers it there where the provider has an API for that; the one before ends at once.',
  )
  .addOption(
    new Option('--provider <PROVIDER>', 'Whose account.')
      .choices(REAL_PROVIDERS)
      .makeOptionMandatory(),
  )
  .action(printingInEnvironment(rotateNotifyAddress))

async function rotateNotifyAddress(
  { db, cipher, config, mail, now }: CommandContext,
  { id: companyId, testMode }: Company,
  { provider }: { provider: RealProvider },
): Promise<CommandResult> {
  const { baseUrl, webhookAllowPrivate: allowPrivate } = config
  const needs = { db, cipher, allowPrivate, log: createLogger('silent') }
  const account = { companyId, provider, now }
  const rotated = await rotateNotifyToken(needs, account)
  if (rotated.kind === 'noAccount') {
    throw new CommandError(`The company has no account at ${provider}: see provider show.`)
  }
  if (rotated.kind === 'unreadable') {
    throw new CommandError(
      'Today’s SECRET_KEY does not open this account: save it again by provider set.',
    )
  }
  const subject = getAdapter(provider).name
  const by = { companyId, testMode, actor: OPERATOR, subject, now }
  await recordSecurityChange(db, mail, { ...by, action: 'notify_address_rotated' })
  // Our former address is now an unknown one at the provider and must be replaced; addresses of other systems stay.
  const replace = rotated.wasRegistered
  const { kind } = await registerNotifications(needs, { ...account, baseUrl, replace })
  const notifyUrl = buildNotifyUrl(baseUrl, rotated)
  const said = kind === 'registered' ? 'It is registered there.' : ADVICE.byHand
  return {
    json: { companyId, provider, notifyUrl, registered: kind === 'registered' },
    text: `New address of notifications: ${notifyUrl}\n${said}`,
    failed: kind === 'failed',
  }
}

function formatResealProgress({ name, looked, resealed }: ResealProgress) {
  return `${name}: ${looked} looked at, ${resealed} sealed again`
}

function formatColumn({ name, resealed, unreadable, unreadableRows, busy }: ResealedColumn) {
  const said = [`${name}: ${resealed} sealed again`]
  if (busy > 0) said.push(`  ${busy} in use by others all the while`)
  if (unreadable > 0) {
    const more = unreadable > unreadableRows.length ? ', …' : ''
    said.push(`  ${unreadable} that no key opens: ${unreadableRows.join(', ')}${more}`)
  }
  return said
}
