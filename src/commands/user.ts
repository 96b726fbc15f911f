import { Option } from '@commander-js/extra-typings'
import { OPERATOR, recordAudit } from '../companies/audit.ts'
import { eq } from '../database/drizzle.ts'
import { ROLES } from '../database/enums.ts'
import { users } from '../database/tables.ts'
import { recordSecurityChange } from '../mail/security.ts'
import { generatePassword } from '../users/password.ts'
import { resetTotp } from '../users/two-factor.ts'
import { createUser, setPassword } from '../users/user.ts'
import { findCompanyByIdOrName } from './chosen-company.ts'
import { CommandError, createCommand } from './command.ts'
import { emailTakenError } from './company.ts'
import { type CommandContext, printingInContext } from './context.ts'
import { companyOption, emailOption } from './options.ts'

export const command = createCommand('user').description('People who sign in to the dashboard.')

command
  .command('create')
  .description('Creates a user of a company and shows the password.')
  .addOption(companyOption().makeOptionMandatory())
  .addOption(emailOption().makeOptionMandatory())
  .addOption(
    new Option(
      '--role <ROLE>',
      "What the person may do (default: owner if the company's first, else member).",
    ).choices(ROLES),
  )
  .action(
    printingInContext(async ({ db, mail, now }, { company, email, role }) => {
      const { id: companyId } = (await findCompanyByIdOrName(db, company)).real
      const first = (await db.$count(users, eq(users.companyId, companyId))) === 0
      const user = { companyId, email, role: role ?? (first ? 'owner' : 'member') } as const
      const password = generatePassword()
      const made = await createUser(db, { ...user, password })
      if (made.kind === 'emailTaken') throw emailTakenError(email)
      const subject = { subjectId: made.id, subject: email }
      const entry = { companyId, actor: OPERATOR, action: 'user_joined', ...subject, now } as const
      // At the first owner there are no other owners to notify.
      if (user.role === 'owner' && !first) await recordSecurityChange(db, mail, entry)
      else await recordAudit(db, entry)
      return {
        json: { id: made.id, ...user, password },
        text: `The ${user.role} ${email} is created.\nPassword (shown only once): ${password}`,
      }
    }),
  )

command
  .command('reset-password')
  .description('Gives a person a new password, shows it, and ends all sessions of the person.')
  .addOption(emailOption().makeOptionMandatory())
  .action(
    printingInContext(async (at, { email }) => {
      const password = generatePassword()
      const user = await setPassword(at.db, email, password)
      if (user.kind === 'notFound') throw unknownEmailError(email)
      await recordReset(at, { ...user, email }, 'password_reset')
      const text = `New password of ${email} (shown only once): ${password}`
      return { json: { email, password }, text }
    }),
  )

command
  .command('reset-second-factor')
  .description(
    'Turns off the second step of a person who lost the app and the recovery codes, and ends all sessions of the person. The person and the owners get an e-mail.',
  )
  .addOption(emailOption().makeOptionMandatory())
  .action(
    printingInContext(async (at, { email }) => {
      const user = await resetTotp(at.db, email)
      if (user.kind === 'notFound') throw unknownEmailError(email)
      if (user.kind === 'notEnabled') throw new CommandError(`${email} has no second step.`)
      await recordReset(at, { ...user, email }, 'totp_disabled')
      const notes = at.mail ? [] : ['No e-mail is sent: the service has no SMTP_URL.']
      const done = `The second step of ${email} is off: the password is enough until it is set up again.`
      return { json: { email, mailed: at.mail !== null }, text: [done, ...notes].join('\n') }
    }),
  )

function unknownEmailError(email: string) {
  return new CommandError(`No user has the e-mail ${email}: check its spelling.`)
}

function recordReset(
  { db, mail, now }: CommandContext,
  { id, companyId, email }: { id: string; companyId: string; email: string },
  action: 'password_reset' | 'totp_disabled',
) {
  const subject = { subjectId: id, subject: email, concerns: id }
  return recordSecurityChange(db, mail, { companyId, actor: OPERATOR, action, ...subject, now })
}
