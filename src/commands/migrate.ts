import { readConfig } from '../config.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { type Commands, defineCommand } from './command.ts'
import { withDatabase } from './context.ts'
import { readSchemaState } from './schema.ts'

export const commands: Commands = {
  '': defineCommand({
    about: "Brings the database's schema up to date, as each start of the service does.",
    options: {},
    run: () =>
      withDatabase(readConfig(), async (home, db) => {
        const { pending } = await readSchemaState(db)
        await migrateDatabase(home.url, home.directUrl)
        return {
          json: { applied: pending },
          text: pending > 0 ? `Migrations applied: ${pending}.` : 'The schema is up to date.',
        }
      }),
  }),
}
