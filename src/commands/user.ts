import { OPERATOR, recordAudit } from '../companies/audit.ts'
import { eq } from '../database/drizzle.ts'
import { ROLES } from '../database/enums.ts'
import { users } from '../database/tables.ts'
import { generatePassword } from '../users/password.ts'
import { createUser, setPassword } from '../users/user.ts'
import { CommandError, type Commands, defineCommand, requireOption } from './command.ts'
import { emailTakenError, findCompanyByIdOrName } from './company.ts'
import { withContext } from './context.ts'
import { choiceOption, companyOption, emailOption } from './options.ts'

export const commands: Commands = {
  create: defineCommand({
    about: 'Makes a person of a company and shows the password.',
    options: {
      company: requireOption(companyOption),
      email: requireOption(emailOption),
      role: choiceOption(
        ROLES,
        "What the person may do (default: owner if the company's first, else member).",
      ),
    },
    run: ({ company, email, role }) =>
      withContext(async ({ db, now }) => {
        const { id: companyId } = (await findCompanyByIdOrName(db, company)).real
        const first = (await db.$count(users, eq(users.companyId, companyId))) === 0
        const user = { companyId, email, role: role ?? (first ? 'owner' : 'member') } as const
        const password = generatePassword()
        const made = await createUser(db, { ...user, password })
        if (made.kind === 'emailTaken') throw emailTakenError(email)
        const subject = { subjectId: made.id, subject: email }
        const by = { companyId, actor: OPERATOR, now }
        await recordAudit(db, { ...by, action: 'user_joined', ...subject })
        return {
          json: { id: made.id, ...user, password },
          text: `The ${user.role} ${email} is made.\nPassword (shown only now): ${password}`,
        }
      }),
  }),

  'reset-password': defineCommand({
    about: 'Gives a person a new password, shows it, and signs the person out everywhere.',
    options: { email: requireOption(emailOption) },
    run: ({ email }) =>
      withContext(async ({ db, now }) => {
        const password = generatePassword()
        const user = await setPassword(db, email, password)
        if (user.kind === 'notFound') {
          throw new CommandError(`Nobody has the e-mail ${email}: check its spelling.`)
        }
        const { id: subjectId, companyId } = user
        const by = { companyId, actor: OPERATOR, now }
        await recordAudit(db, { ...by, action: 'password_reset', subjectId, subject: email })
        return {
          json: { email, password },
          text: `New password of ${email} (shown only now): ${password}`,
        }
      }),
  }),
}
