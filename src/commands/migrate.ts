import { readConfig } from '../config.ts'
import { migrateDatabase, readSchemaState } from '../database/migrations/run.ts'
import { createCommand, createProgress, printing } from './command.ts'
import { withDatabase } from './context.ts'

export const command = createCommand('migrate')
  .description(
    "Brings the database's schema up to date, as each start of the service does; run before an update, the update waits for nothing.",
  )
  .action(
    printing(() =>
      withDatabase(readConfig(), async (home, db) => {
        const { pending } = await readSchemaState(db)
        await migrateDatabase(home.url, { onProgress: createProgress() })
        return {
          json: { applied: pending },
          text: pending > 0 ? `Migrations applied: ${pending}.` : 'The schema is up to date.',
        }
      }),
    ),
  )
