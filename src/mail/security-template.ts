// What people read of a change to their account, or to who reaches their company and its money.
import { BASE_CONTENT, type MailTemplates } from './content.ts'
import { formatMailInstant } from './rows.ts'
import { mailTexts } from './texts.ts'

const { labels, security: words } = mailTexts
/** What a person looks after under Minha conta; the rest is in Registro, for owners. */
const OWN: readonly string[] = [
  ...['new_device', 'password_changed', 'password_reset', 'sign_in_failed'],
  ...['totp_enabled', 'totp_disabled', 'recovery_codes_renewed'],
]

export const SECURITY_TEMPLATES: MailTemplates<'security-notice'> = {
  'security-notice'(data, { baseUrl }) {
    const heading = words.what[data.what]
    const rows = [
      { label: labels.company, value: data.companyName },
      { label: labels.actor, value: data.actor },
      { label: labels.about, value: data.subject },
      { label: labels.device, value: data.device },
      { label: labels.network, value: data.address },
      { label: labels.when, value: formatMailInstant(data.at) },
    ]
    const own = OWN.includes(data.what)
    return {
      ...BASE_CONTENT,
      testMode: data.testMode,
      tone: 'warning',
      subject: words.subject(heading, data.companyName),
      preview: words.preview(data.actor),
      heading,
      paragraphs: [words.known, words.unknown],
      rows: rows.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])),
      action: own
        ? { label: words.seeAccount, url: `${baseUrl}/painel/conta` }
        : { label: words.seeLog, url: `${baseUrl}/painel/registro` },
      notes: [words.always],
    }
  },
}
