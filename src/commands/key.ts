import {
  findApiKey,
  issueApiKey,
  type ListedApiKey,
  listApiKeys,
  MAX_ALLOWED_NETWORKS,
  restrictApiKey,
  revokeApiKey,
} from '../api/api-key.ts'
import { parseScopes } from '../api/scope.ts'
import { OPERATOR, recordAudit } from '../companies/audit.ts'
import type { Company } from '../companies/company.ts'
import { RESOURCES, type Scope } from '../database/enums.ts'
import { parseNetwork } from '../http/ip.ts'
import { recordSecurityChange } from '../mail/security.ts'
import {
  findCompanyIds,
  formatEnvironment,
  isOfEnvironment,
  printingInEnvironment,
} from './chosen-company.ts'
import { CommandError, type CommandResult, createCommand, formatTable, parseBy } from './command.ts'
import { type CommandContext, printingInContext } from './context.ts'
import { addEnvironmentCommand, addListCommand, idArgument, nameOption } from './options.ts'

const NETWORKS_RULE = `1 to ${MAX_ALLOWED_NETWORKS} addresses or networks such as 203.0.113.0/24 or 2001:db8::/48, with commas between`

export const command = createCommand('key').description('Keys of the API.')

addEnvironmentCommand(command, 'create')
  .description('Issues an API key and shows it.')
  .addOption(nameOption('A name that distinguishes it from other keys, such as its user.'))
  .option(
    '--scopes <SCOPE,…>',
    `Its rights: read (read everything), or some of ${RESOURCES.join(', ')} (read and write; with :read only read). Default: everything.`,
    parseBy(
      parseScopes,
      `read, ${RESOURCES.join(', ')}, or one of these with :read, with commas between`,
    ),
  )
  .option(
    '--networks <NETWORK,…>',
    'The networks that may use it, such as 203.0.113.7,2001:db8::/48 (default: all).',
    parseBy(parseNetworkList, NETWORKS_RULE),
  )
  .action(printingInEnvironment(createKey))

addListCommand(command)
  .description('Lists the API keys, oldest first, by their last four characters.')
  .action(
    printingInContext(async ({ db, now }, { company, ...flags }) => {
      const all = await listApiKeys(db, ...(await findCompanyIds(db, company)))
      const keys = all.filter((key) => isOfEnvironment(flags, key))
      const rows = keys.map((key) => [
        key.id,
        key.companyId,
        formatEnvironment(key.testMode),
        key.scopes?.join(',') ?? 'everything',
        key.allowedNetworks?.join(',') ?? 'anywhere',
        `…${key.lastFour}`,
        formatKeyState(key, now),
        key.name,
      ])
      const head = ['ID', 'COMPANY', 'ENVIRONMENT', 'SCOPES', 'FROM', 'KEY', 'STATE', 'NAME']
      return { json: keys, text: formatTable(head, rows, 'There is no key yet.') }
    }),
  )

command
  .command('restrict')
  .description('Limits an API key to networks, from its next request on.')
  .addArgument(idArgument('The id of the key; key list shows it.'))
  .requiredOption(
    '--networks <NETWORK,…|any>',
    'The networks that may use it, or any for all.',
    parseBy((text) => (text === 'any' ? text : parseNetworkList(text)), `any, or ${NETWORKS_RULE}`),
  )
  .action(
    printingInContext(async ({ db, now }, id, given) => {
      const networks = given.networks === 'any' ? null : given.networks
      const key = await findApiKey(db, undefined, id)
      const { kind } = await restrictApiKey(db, { id, allowedNetworks: networks })
      if (!key || kind === 'notActive') throw inactiveKeyError(id)
      const by = { companyId: key.companyId, actor: OPERATOR, now }
      const details = { allowedNetworks: networks?.join(', ') ?? '' }
      const subject = { subjectId: id, subject: key.name, details }
      await recordAudit(db, { ...by, action: 'key_restricted', ...subject })
      const where = networks?.join(', ') ?? 'anywhere'
      return {
        json: { id, allowedNetworks: networks },
        text: `Key ${id} may be used from ${where}.`,
      }
    }),
  )

command
  .command('revoke')
  .description('Revokes an API key: its next request is refused, in every process.')
  .addArgument(idArgument('The id of the key; key list shows it.'))
  .action(
    printingInContext(async ({ db, now }, id) => {
      const key = await findApiKey(db, undefined, id)
      const { kind } = await revokeApiKey(db, id, now)
      if (!key || kind === 'notActive') throw inactiveKeyError(id)
      const by = { companyId: key.companyId, actor: OPERATOR, now }
      await recordAudit(db, { ...by, action: 'key_revoked', subjectId: id, subject: key.name })
      return { json: { id, revoked: true }, text: `Key ${id} is revoked.` }
    }),
  )

type NewKey = { name: string; scopes?: Scope[] | null; networks?: string[] | null }

/** Null scopes or networks mean all of them. */
async function createKey(
  { db, mail, now }: CommandContext,
  { id: companyId, testMode }: Company,
  { name, scopes = null, networks = null }: NewKey,
): Promise<CommandResult> {
  const { id, key } = await db.transaction(async (tx) => {
    const made = await issueApiKey(tx, companyId, name, scopes, networks)
    const by = { companyId, testMode, actor: OPERATOR, now }
    const subject = { subjectId: made.id, subject: name }
    await recordSecurityChange(tx, mail, { ...by, action: 'key_created', ...subject })
    return made
  })
  return {
    json: { id, key, scopes, allowedNetworks: networks, testMode },
    text: `Key ${id} of the ${formatEnvironment(testMode)} environment (shown only once): ${key}`,
  }
}

function inactiveKeyError(id: string) {
  return new CommandError(`There is no active key ${id}: see key list.`)
}

function formatKeyState({ revokedAt, expiresAt, lastUsedAt }: ListedApiKey, now: Date) {
  if (revokedAt) return `revoked ${revokedAt}`
  if (expiresAt && Date.parse(expiresAt) <= now.getTime()) return `replaced ${expiresAt}`
  const used = lastUsedAt ? `last used ${lastUsedAt}` : 'never used'
  return expiresAt ? `${used}, works until ${expiresAt}` : used
}

/** Undefined when an entry is no network, or there are too many. */
function parseNetworkList(text: string) {
  const networks = text.split(',').map(parseNetwork)
  if (networks.length > MAX_ALLOWED_NETWORKS) return undefined
  return networks.every((network) => network !== undefined) ? [...new Set(networks)] : undefined
}
