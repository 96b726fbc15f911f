// `secrets`: encrypts secrets again with the current key, and rotates secrets that no other command changes.
import { Option } from '@commander-js/extra-typings'
import { OPERATOR } from '../companies/audit.ts'
import type { Company } from '../companies/company.ts'
import { rotateRedirectSecret } from '../companies/redirect-secret.ts'
import {
  type ReencryptedColumn,
  type ReencryptProgress,
  reencryptAll,
} from '../database/encryption/reencrypt.ts'
import { keepSecretKey } from '../database/open.ts'
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
  done: 'Everything is encrypted with SECRET_KEY. Once every process has been started with it, SECRET_KEY_PREVIOUS can be removed: a process that has only the former key decrypts nothing any more.',
  none: 'No key was changed: SECRET_KEY_PREVIOUS is not set here, and everything is encrypted with the SECRET_KEY of this command. To change it, give both to this command, as to the service.',
  file: '.data/secret-key now has SECRET_KEY, and no longer the former key, which decrypts older dumps.',
  again:
    'Not everything could be encrypted again: keep SECRET_KEY_PREVIOUS. For rows in use run this again; enter again what no key decrypts.',
  byHand: 'Give it to the provider; until then its payments are found by asking.',
}

export const command = createCommand('secrets').description('The encrypted secrets.')

command
  .command('rotate')
  .description(
    'Encrypts all secrets again with SECRET_KEY, beside a running service. If it is interrupted, run it again.',
  )
  .action(
    printingInContext(async ({ db, cipher, config }) => {
      const show = createProgress()
      const columns = await reencryptAll(db, cipher, (progress) =>
        show(formatReencryptProgress(progress)),
      )
      const failed = columns.some(({ busy, unreadable }) => busy + unreadable > 0)
      const isFileReplaced = !failed && keepSecretKey(config)
      const success = config.previousSecretKey ? ADVICE.done : ADVICE.none
      const advice = failed ? ADVICE.again : success
      const lines = [...columns.flatMap(formatColumn), advice]
      return {
        // Scripts of operators read the count under this name.
        json: {
          columns: columns.map(({ reencrypted: resealed, ...rest }) => ({ ...rest, resealed })),
        },
        text: (isFileReplaced ? [...lines, ADVICE.file] : lines).join('\n'),
        failed,
      }
    }),
  )

addEnvironmentCommand(command, 'rotate-redirect')
  .description(
    'Gives a company a new secret that signs returns to its pages, and shows it; the former one ends at once.',
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
        text: `New secret that signs returns to a shop, for the ${formatEnvironment(testMode)} environment (shown only once): ${redirectSecret}`,
      }
    }),
  )

addEnvironmentCommand(command, 'rotate-notification')
  .description(
    'Gives an account at a provider a new notification address, and registers it if the provider has an API for that; the former one ends at once.',
  )
  .addOption(
    new Option('--provider <PROVIDER>', 'The provider of the account.')
      .choices(REAL_PROVIDERS)
      .makeOptionMandatory(),
  )
  .action(printingInEnvironment(rotateNotifyAddress))

async function rotateNotifyAddress(
  { db, cipher, config, mail, now }: CommandContext,
  { id: companyId, testMode }: Company,
  { provider }: { provider: RealProvider },
): Promise<CommandResult> {
  const { baseUrl, allowPrivate } = config
  const needs = { db, cipher, allowPrivate, log: createLogger('silent') }
  const account = { companyId, provider, now }
  const rotated = await rotateNotifyToken(db, account)
  if (rotated.kind === 'noAccount') {
    throw new CommandError(`The company has no account at ${provider}: see provider show.`)
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
    text: `New notification address: ${notifyUrl}\n${said}`,
    failed: kind === 'failed',
  }
}

function formatReencryptProgress({ name, looked, reencrypted }: ReencryptProgress) {
  return `${name}: ${looked} read, ${reencrypted} encrypted again`
}

function formatColumn({ name, reencrypted, unreadable, unreadableRows, busy }: ReencryptedColumn) {
  const said = [`${name}: ${reencrypted} encrypted again`]
  if (busy > 0) said.push(`  ${busy} locked by other processes`)
  if (unreadable > 0) {
    const more = unreadable > unreadableRows.length ? ', …' : ''
    said.push(`  ${unreadable} that no key decrypts: ${unreadableRows.join(', ')}${more}`)
  }
  return said
}
