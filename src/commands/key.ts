import { issueApiKey, listApiKeys, revokeApiKey } from '../companies/api-key.ts'
import { type Commands, columns, command, Refusal, required } from './command.ts'
import { findChosen, findChosenId } from './company.ts'
import { atHome } from './home.ts'
import { companyOption, idArgument, nameOption } from './options.ts'

export const commands: Commands = {
  create: command({
    about: 'Issues an API key and shows it.',
    options: {
      company: required(companyOption),
      name: required(nameOption('What tells it from other keys, such as who uses it.')),
    },
    run: ({ company, name }) =>
      atHome(async ({ db }) => {
        const { id, key } = await issueApiKey(db, (await findChosen(db, company)).id, name)
        return { json: { id, key }, text: `Key ${id} (shown only now): ${key}` }
      }),
  }),

  list: command({
    about: 'Lists the API keys, the oldest first, by their last four characters.',
    options: { company: companyOption },
    run: ({ company }) =>
      atHome(async ({ db }) => {
        const keys = await listApiKeys(db, await findChosenId(db, company))
        const rows = keys.map(({ id, companyId, name, lastFour, lastUsedAt, revokedAt }) => [
          id,
          companyId,
          `…${lastFour}`,
          stateOf(revokedAt, lastUsedAt),
          name,
        ])
        const head = ['ID', 'COMPANY', 'KEY', 'STATE', 'NAME']
        return {
          json: keys,
          text: keys.length > 0 ? columns([head, ...rows]) : 'There is no key yet.',
        }
      }),
  }),

  revoke: command({
    about: 'Ends an API key: its next request is refused, on every process.',
    options: { id: required(idArgument('The id of the key; key list shows it.')) },
    run: ({ id }) =>
      atHome(async ({ db, now }) => {
        if (await revokeApiKey(db, id, now)) {
          return { json: { id, revoked: true }, text: `Key ${id} is revoked.` }
        }
        throw new Refusal(`There is no active key ${id}: see key list.`)
      }),
  }),
}

function stateOf(revokedAt: string | null, lastUsedAt: string | null) {
  if (revokedAt) return `revoked ${revokedAt}`
  return lastUsedAt ? `last used ${lastUsedAt}` : 'never used'
}
