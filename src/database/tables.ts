// The whole data model on one page. Money is integer cents; an instant is a timestamptz that code
// holds as its ISO 8601 text (UTC, milliseconds), since it mostly just passes through.
import { type AnyPgColumn, pgCore, sql } from './drizzle.ts'
import type {
  CustomFieldType,
  DeclineCode,
  DeliveryOutcome,
  DeliveryStatus,
  DisputeKind,
  DisputeStatus,
  EventType,
  FeeSource,
  InterestMode,
  LinkBulkAction,
  Locale,
  MovementKind,
  PayerEmailMode,
  PaymentMethod,
  ProviderName,
  RefundFailure,
  RefundStatus,
  RegistrationState,
  Role,
  Scope,
  StepKind,
  StoredLinkStatus,
  TransactionStatus,
} from './enums.ts'
import { normalizePostgresInstant } from './instant.ts'

const { check, customType, index, integer, jsonb, pgTable, smallint, text, unique, uuid } = pgCore
const { bigint, boolean, date, foreignKey, pgSequence, uniqueIndex } = pgCore

const instantColumn = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: normalizePostgresInstant,
})
const bytesColumn = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
/** The words that searches of the dashboard find a row by (lists/words.ts); null in rows older than this column. */
const wordsColumn = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** A custom question of a link; only a choice has `options`. */
export type CustomField = {
  key: string
  label: string
  type: CustomFieldType
  required: boolean
  options?: string[] | undefined
}
/** A payer's answer, with the label of that time. A number is `1234.56`, a date `2026-12-31`. */
export type CustomAnswer = Pick<CustomField, 'key' | 'label' | 'type'> & { value: string }

/** Text that rows are found by: ordered by its bytes, so that no update of the machine's languages disorders an index. */
const keyColumn = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })
const idColumn = () => uuid().primaryKey()
const companyColumn = () => ({
  companyId: uuid()
    .notNull()
    .references(() => companies.id),
})
const createdAtColumn = () => ({ createdAt: instantColumn().notNull().default(sql`now()`) })
const updatedAtColumn = () => ({ updatedAt: instantColumn().notNull().default(sql`now()`) })

/**
 * A company is two rows: its real environment, which people belong to, and its test environment, which
 * names the real one. All that the API knows belongs to one of them; brand and settings are the same.
 */
export const companies = pgTable(
  'companies',
  {
    id: idColumn(),
    testOf: uuid().references((): AnyPgColumn => companies.id),
    testMode: boolean().notNull().generatedAlwaysAs(sql`test_of is not null`),
    name: text().notNull(),
    taxId: text(),
    city: text().notNull().default('SAO PAULO'),
    color: text(),
    logoUrl: text(),
    supportEmail: text(),
    supportPhone: text(),
    askPhone: boolean().notNull().default(false),
    payerEmail: text().$type<PayerEmailMode>().notNull().default('auto'),
    defaultMaxInstallments: smallint().notNull().default(1),
    defaultInterestMode: text().$type<InterestMode>().notNull().default('absorb'),
    interestRateBps: integer().notNull().default(299),
    interestFreeUpTo: smallint().notNull().default(1),
    minInstallmentCents: integer().notNull().default(500),
    pixExpirySeconds: integer().notNull().default(1800),
    /** The provider of each method; null: the method is not offered. */
    pixProvider: text().$type<ProviderName>(),
    cardProvider: text().$type<ProviderName>(),
    /** Which e-mails are sent; without SMTP_URL none is. */
    mailReceipts: boolean().notNull().default(true),
    mailPayments: boolean().notNull().default(true),
    mailFailures: boolean().notNull().default(true),
    /** Gets the e-mails about payments and failures; null: every owner. */
    noticeEmail: text(),
    /** Signs the payer's return to a link's redirectUrl. Sealed. */
    redirectSecret: bytesColumn().notNull(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (company) => [
    unique().on(company.testOf),
    // Lets other tables refer to a company together with its test mode.
    unique().on(company.id, company.testMode),
    check('companies_payer_email', sql`payer_email in ('auto', 'required', 'optional', 'none')`),
    check(
      'companies_sandbox',
      sql`test_of is not null or (pix_provider is distinct from 'sandbox' and card_provider is distinct from 'sandbox')`,
    ),
  ],
)

/** Keeps rows of one environment out of the other, whatever process writes them. */
const inEnvironmentOf = (
  name: string,
  { companyId, testMode }: { companyId: AnyPgColumn; testMode: AnyPgColumn },
) =>
  foreignKey({
    name,
    columns: [companyId, testMode],
    foreignColumns: [companies.id, companies.testMode],
  })

export const users = pgTable(
  'users',
  {
    id: idColumn(),
    ...companyColumn(),
    email: keyColumn().notNull().unique(),
    passwordHash: text().notNull(),
    role: text().$type<Role>().notNull(),
    /** Sealed; set up, but not asked for before totpEnabledAt. */
    totpSecret: bytesColumn(),
    totpEnabledAt: instantColumn(),
    /** The last 30 s step of a code that was used: no code works twice. */
    totpLastStep: integer(),
    /** SHA-256 in hex of each code that is left. */
    recoveryCodes: text().array().notNull().default(sql`'{}'`),
    /** The user has hidden the first steps (dashboard/home/first-steps.ts). */
    hidesFirstSteps: boolean().notNull().default(false),
    ...createdAtColumn(),
  },
  (user) => [
    index().on(user.companyId),
    check('users_role', sql`role in ('owner','finance','member','accountant')`),
  ],
)

/** Sessions of users. The cookie holds the token, this table its SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    id: idColumn(),
    tokenHash: bytesColumn().notNull().unique(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    userAgent: text().notNull(),
    /** The environment that was chosen; null: that in which the company works by now. */
    testMode: boolean(),
    /** When the password or a code was last typed (dashboard/access/step-up.ts); null: before that was kept. */
    confirmedAt: instantColumn(),
    ...createdAtColumn(),
    lastSeenAt: instantColumn().notNull(),
    expiresAt: instantColumn().notNull(),
  },
  (session) => [index().on(session.userId), index().on(session.expiresAt)],
)

/** Single-use links that are sent to a person: into a company, or back in after a lost password. */
export const invitations = pgTable(
  'invitations',
  {
    id: idColumn(),
    ...companyColumn(),
    email: keyColumn().notNull(),
    role: text().$type<Role>().notNull(),
    tokenHash: bytesColumn().notNull().unique(),
    invitedBy: text().notNull(),
    expiresAt: instantColumn().notNull(),
    ...createdAtColumn(),
  },
  (invitation) => [
    uniqueIndex().on(invitation.companyId, invitation.email),
    check('invitations_role', sql`role in ('owner','finance','member','accountant')`),
  ],
)

export const passwordResets = pgTable(
  'password_resets',
  {
    tokenHash: bytesColumn().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instantColumn().notNull(),
    ...createdAtColumn(),
  },
  (reset) => [index().on(reset.userId)],
)

/** The audit log. It has no foreign key to the user, who may be deleted. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: idColumn(),
    ...companyColumn(),
    /** An e-mail, or who else acted: the operator by the command line. */
    actor: text().notNull(),
    userId: uuid(),
    action: text().notNull(),
    /** The subject of the action: its id, and its name for people. */
    subjectId: text(),
    subject: text(),
    details: jsonb().$type<Record<string, string>>().notNull(),
    address: text(),
    /** Whether it was done in the test environment. */
    testMode: boolean().notNull().default(false),
    ...createdAtColumn(),
  },
  (entry) => [
    index().on(entry.companyId, entry.id),
    index().on(entry.companyId, entry.action, entry.id),
    index().on(entry.companyId, entry.userId, entry.id).where(sql`user_id is not null`),
  ],
)

/**
 * The fees that a company says its providers charge. A card's fee holds from its number of installments up to the
 * next one here.
 */
export const payoutTerms = pgTable(
  'payout_terms',
  {
    ...companyColumn(),
    method: text().$type<PaymentMethod>().notNull(),
    installments: smallint().notNull(),
    /** Hundredths of a percent of the total, and a fixed amount for each payment. */
    rateBps: integer().notNull(),
    fixedCents: integer().notNull(),
    /** These two columns are unused. */
    payoutDays: smallint().notNull().default(0),
    byInstallment: boolean().notNull().default(false),
  },
  (terms) => [
    pgCore.primaryKey({ columns: [terms.companyId, terms.method, terms.installments] }),
    check('payout_terms_installments', sql`installments between 1 and 12`),
    check('payout_terms_method', sql`method in ('pix', 'credit_card')`),
    // Of the smallest payment, R$ 10.00, it is never more than all.
    check('payout_terms_fee', sql`rate_bps between 0 and 3000 and fixed_cents between 0 and 500`),
    check('payout_terms_payout', sql`payout_days between 0 and 90`),
  ],
)

/** The logos as they are served, already resized. */
export const companyLogos = pgTable('company_logos', {
  companyId: companyColumn().companyId.primaryKey(),
  contentType: text().notNull(),
  content: bytesColumn().notNull(),
  ...updatedAtColumn(),
})

/** E-mails to be sent, written with what they tell of. Rendered when they are sent. */
export const mails = pgTable(
  'mails',
  {
    id: idColumn(),
    /** Null where it concerns a person and no company. */
    companyId: uuid().references(() => companies.id),
    template: text().notNull(),
    recipient: text().notNull(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The id of the mail's subject, by which the mail is found and deleted. */
    subjectId: uuid(),
    attempts: smallint().notNull().default(0),
    /** When to try next: past the lease while an attempt is under way; null when it is over. */
    dueAt: instantColumn().default(sql`now()`),
    sentAt: instantColumn(),
    failure: text(),
    ...createdAtColumn(),
  },
  (mail) => [
    index().on(mail.dueAt).where(sql`due_at is not null`),
    index().on(mail.companyId, mail.id),
    index().on(mail.subjectId).where(sql`subject_id is not null`),
    index().on(mail.createdAt),
  ],
)

/** A company's account at a provider. */
export const providerAccounts = pgTable(
  'provider_accounts',
  {
    ...companyColumn(),
    provider: text().$type<Exclude<ProviderName, 'sandbox'>>().notNull(),
    /** The whole configuration as JSON. Sealed. */
    config: bytesColumn().notNull(),
    /** The unguessable part of the address that the provider notifies. */
    notifyToken: keyColumn().notNull().unique(),
    testMode: boolean().notNull(),
    testedAt: instantColumn(),
    /** Null: the last test went well. */
    testFailure: text(),
    /** Null: the address of our notifications was never registered there by API. */
    registration: text().$type<RegistrationState>(),
    /** The address that is registered there in place of ours; null when none is. */
    registeredUrl: text(),
    /** When the registration was last checked. */
    registrationCheckedAt: instantColumn(),
    /** How far the provider's clock is ahead, by the last charge made there. */
    clockOffsetHours: smallint().notNull().default(0),
    /** When the provider last notified us, and how often it has. */
    notifiedAt: instantColumn(),
    notifiedCount: integer().notNull().default(0),
    /** When we last believed a notification not to be its own, and how often since one was good. */
    refusedAt: instantColumn(),
    refusedCount: integer().notNull().default(0),
    /** Which field of an answer could not be read, and when that was. */
    unreadableField: text(),
    unreadableAt: instantColumn(),
    /** Up to when all that came in there has been read as a list. */
    listedUntil: instantColumn(),
    /** When somebody last began to read that: nobody else does for a while. */
    listTriedAt: instantColumn(),
    /** When what went back was last read as a list. */
    returnsListedAt: instantColumn(),
    /** Until when the provider wants nothing of us that nobody waits for. */
    pausedUntil: instantColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (account) => [
    pgCore.primaryKey({ columns: [account.companyId, account.provider] }),
    inEnvironmentOf('provider_accounts_environment', account),
    index().on(account.registrationCheckedAt).where(sql`registration is not null`),
    check('provider_accounts_registration', sql`registration in ('registered','kept','lost')`),
  ],
)

export const apiKeys = pgTable(
  'api_keys',
  {
    id: idColumn(),
    ...companyColumn(),
    name: text().notNull(),
    secretHash: bytesColumn().notNull().unique(),
    lastFour: text().notNull(),
    /** The key's scopes; null: everything. */
    scopes: text().array().$type<Scope[]>(),
    /** The networks that its requests may come from; null: anywhere. */
    allowedNetworks: text().array(),
    ...createdAtColumn(),
    lastUsedAt: instantColumn(),
    /** Until when a rolled key still works; null is for ever. */
    expiresAt: instantColumn(),
    revokedAt: instantColumn(),
  },
  (key) => [
    index().on(key.companyId, key.id),
    check('api_keys_allowed_networks', sql`cardinality(allowed_networks) between 1 and 20`),
  ],
)

/** Calls that were refused or failed, without any value (api/failed-calls.ts). */
export const failedCalls = pgTable(
  'failed_calls',
  {
    id: idColumn(),
    companyId: uuid().notNull(),
    apiKeyId: uuid().notNull(),
    method: text().notNull(),
    /** The route's pattern; null where there is none. */
    route: text(),
    status: smallint().notNull(),
    code: text(),
    fields: text().array().notNull(),
    requestId: text().notNull(),
    ...createdAtColumn(),
  },
  (call) => [index().on(call.companyId, call.id)],
)

export const customers = pgTable(
  'customers',
  {
    id: idColumn(),
    ...companyColumn(),
    name: text().notNull(),
    email: text(),
    phone: text(),
    /** CPF or CNPJ, upper case, no punctuation. Null when not known, or anonymized. */
    taxId: text(),
    /** When the company had this person anonymized. The row stays: transactions point at it. */
    anonymizedAt: instantColumn(),
    words: wordsColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (customer) => [
    index('customers_words').using('gin', customer.words),
    index('customers_name_words').using('gin', sql`name_words(name)`),
    unique().on(customer.companyId, customer.taxId),
    index().on(customer.companyId, customer.id).where(sql`anonymized_at is null`),
    index('customers_company_id_lower_email_id_index')
      .on(customer.companyId, sql`lower(email)`, customer.id)
      .where(sql`email is not null`),
  ],
)

/** Active links with an expiry that is to come, or that no event has told yet. */
export const IS_EXPIRY_PENDING = sql`status = 'active' and expires_at is distinct from expiry_told_for and expires_at is not null`

export const paymentLinks = pgTable(
  'payment_links',
  {
    id: idColumn(),
    ...companyColumn(),
    slug: keyColumn().notNull().unique(),
    title: text().notNull(),
    description: text(),
    amountCents: integer().notNull(),
    methods: text().array().$type<PaymentMethod[]>().notNull(),
    maxInstallments: smallint().notNull(),
    interestMode: text().$type<InterestMode>().notNull(),
    /** Up to how many installments bear no interest; null: the company's interestFreeUpTo. */
    interestFreeInstallments: smallint(),
    /** The stored status. `expired` is computed at each read from expiresAt. */
    status: text().$type<StoredLinkStatus>().notNull(),
    /** The status before it was completed or archived, to which it returns; null stands for active. */
    completedFrom: text().$type<StoredLinkStatus>(),
    tags: text().array().notNull(),
    redirectUrl: text(),
    linkedCustomerId: uuid().references(() => customers.id),
    expiresAt: instantColumn(),
    maxPayments: integer(),
    externalReference: text(),
    metadata: jsonb().$type<Record<string, string>>().notNull(),
    inactiveMessage: text(),
    /** Null where nothing is asked. */
    customFields: jsonb().$type<CustomField[]>(),
    /** Names the image in payment_link_images; null without one. */
    imageHash: text(),
    /** Stands on the receipt. */
    successMessage: text(),
    /** The name of the payment on the card's bill. */
    statementDescriptor: text(),
    /** The end of a pause in which the link takes no cards, because of card testing. */
    cardsPausedUntil: instantColumn(),
    /** The expiresAt that an event has told. */
    expiryToldFor: instantColumn(),
    words: wordsColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (link) => [
    index('payment_links_words').using('gin', link.words),
    index('payment_links_live').on(link.companyId, link.id).where(sql`status <> 'archived'`),
    index('payment_links_status')
      .on(link.companyId, link.status, link.id)
      .where(sql`status <> 'active'`),
    index('payment_links_expiring').on(link.companyId, link.expiresAt).where(IS_EXPIRY_PENDING),
    index('payment_links_due').on(link.expiresAt).where(IS_EXPIRY_PENDING),
    index('payment_links_reference')
      .on(link.companyId, link.externalReference, link.id)
      .where(sql`external_reference is not null`),
    index().on(link.linkedCustomerId).where(sql`linked_customer_id is not null`),
    index('payment_links_tags').using('gin', link.tags),
    index('payment_links_metadata').using('gin', sql`metadata jsonb_path_ops`),
    index('payment_links_by_amount')
      .on(link.companyId, link.amountCents, link.id)
      .where(sql`status <> 'archived'`),
    check('payment_links_title', sql`char_length(title) between 1 and 128`),
    check('payment_links_description', sql`char_length(description) <= 2048`),
    check('payment_links_amount', sql`amount_cents between 1000 and 20000000`),
    check(
      'payment_links_methods',
      sql`cardinality(methods) between 1 and 2 and methods <@ array['pix','credit_card']`,
    ),
    check('payment_links_installments', sql`max_installments between 1 and 12`),
    check('payment_links_pix_once', sql`max_installments = 1 or 'credit_card' = any(methods)`),
    check('payment_links_interest', sql`interest_mode in ('absorb','pass_to_customer')`),
    check('payment_links_interest_free', sql`interest_free_installments between 1 and 12`),
    check('payment_links_status', sql`status in ('active','inactive','completed','archived')`),
    check('payment_links_tags', sql`cardinality(tags) <= 20`),
    check('payment_links_max_payments', sql`max_payments between 1 and 100000`),
    check(
      'payment_links_custom_fields',
      sql`case jsonb_typeof(custom_fields) when 'array' then jsonb_array_length(custom_fields) between 1 and 5 and octet_length(custom_fields::text) <= 20000 else custom_fields is null end`,
    ),
    check('payment_links_image_hash', sql`image_hash ~ '^[0-9a-f]{16}$'`),
    check('payment_links_success_message', sql`char_length(success_message) <= 500`),
    check('payment_links_statement_descriptor', sql`statement_descriptor ~ '^[A-Z0-9 .-]{1,22}$'`),
  ],
)

/** How often a link was opened and its form begun, by day of São Paulo; nobody's data (checkout/link/visit-counter.ts). */
export const linkVisits = pgTable(
  'link_visits',
  {
    linkId: uuid()
      .notNull()
      .references(() => paymentLinks.id),
    day: date().notNull(),
    opened: integer().notNull(),
    begun: integer().notNull(),
  },
  (row) => [
    pgCore.primaryKey({ columns: [row.linkId, row.day] }),
    index().on(row.day),
    check('link_visits_counts', sql`opened >= 0 and begun >= 0`),
  ],
)

/**
 * The image of a link as it is served, already resized. Of a link that is copied it is written first: what is
 * left of one that was never made nobody asks for.
 */
export const paymentLinkImages = pgTable('payment_link_images', {
  linkId: idColumn(),
  contentType: text().notNull(),
  content: bytesColumn().notNull(),
  ...updatedAtColumn(),
})

/** A link's state after a bulk change, and before it. */
export type BulkLinkState = { status: StoredLinkStatus; tags: string[] }
export type BulkChangedLink = {
  id: string
  before: BulkLinkState
  after: BulkLinkState
  /** Its updatedAt since. */
  at: string
}
export type BulkRefusal = 'archived' | 'expired' | 'complete' | 'tooManyTags' | 'tooBig'

/**
 * One change to many links. The id comes from the form that ordered it, so that a repeated form does nothing twice.
 */
export const linkBulks = pgTable(
  'link_bulks',
  {
    id: idColumn(),
    ...companyColumn(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    action: text().$type<LinkBulkAction>().notNull(),
    tag: text(),
    linkIds: uuid().array().notNull(),
    /** The first so many of them are done, whatever came of it. */
    workedCount: integer().notNull().default(0),
    changed: jsonb().$type<BulkChangedLink[]>().notNull().default([]),
    refused: jsonb().$type<{ id: string; reason: BulkRefusal }[]>().notNull().default([]),
    finishedAt: instantColumn(),
    ...createdAtColumn(),
  },
  (bulk) => [
    index().on(bulk.createdAt),
    index().on(bulk.userId),
    check(
      'link_bulks_action',
      sql`action in ('archive','unarchive','pause','resume','add_tag','remove_tag')`,
    ),
    check('link_bulks_size', sql`cardinality(link_ids) <= 1000`),
  ],
)

const TRANSACTION_CHECKS = [
  check('transactions_total', sql`total_cents = amount_cents + interest_cents`),
  check('transactions_amounts', sql`amount_cents > 0 and interest_cents >= 0`),
  check('transactions_refunded', sql`refunded_cents between 0 and total_cents`),
  check('transactions_charged_back', sql`charged_back_cents between 0 and total_cents`),
  check(
    'transactions_custom_fields',
    sql`case jsonb_typeof(custom_fields) when 'array' then jsonb_array_length(custom_fields) between 1 and 5 and octet_length(custom_fields::text) <= 6000 else custom_fields is null end`,
  ),
  check(
    'transactions_fee',
    sql`fee_cents between 0 and total_cents and (fee_cents is null) = (fee_source is null)`,
  ),
  check(
    'transactions_payout',
    sql`payout_parts between 1 and 12 and (payout_parts is null) = (expected_on is null)`,
  ),
  check('transactions_ref', sql`char_length(ref) between 1 and 64`),
  check('transactions_locale', sql`locale in ('pt', 'en', 'es')`),
  check('transactions_installments', sql`installments between 1 and 12`),
  check(
    'transactions_approved_at',
    sql`approved_at is not null or status not in ('approved','partially_refunded','refunded','charged_back')`,
  ),
]

export const transactions = pgTable(
  'transactions',
  {
    id: idColumn(),
    /** References companies together with testMode. */
    companyId: uuid().notNull(),
    paymentLinkId: uuid()
      .notNull()
      .references(() => paymentLinks.id),
    customerId: uuid()
      .notNull()
      .references(() => customers.id),
    /** The token of the form: a form that is sent twice charges once. */
    attemptToken: keyColumn().notNull(),
    /** The unguessable part of the payment's own URL. */
    token: keyColumn().notNull().unique(),
    status: text().$type<TransactionStatus>().notNull(),
    method: text().$type<PaymentMethod>().notNull(),
    amountCents: integer().notNull(),
    interestCents: integer().notNull(),
    totalCents: integer().notNull(),
    refundedCents: integer().notNull().default(0),
    /** The sum that disputes took for good. */
    chargedBackCents: integer().notNull().default(0),
    installments: smallint().notNull(),
    installmentCents: integer().notNull(),
    interestMode: text().$type<InterestMode>().notNull(),
    interestRateBps: integer().notNull(),
    provider: text().$type<ProviderName>().notNull(),
    providerReference: keyColumn(),
    payerName: text().notNull(),
    /** Null, like the document, once the customer was anonymised. */
    payerEmail: text(),
    payerTaxId: text(),
    payerPhone: text(),
    cardBrand: text(),
    cardLast4: text(),
    cardHolder: text(),
    threeDsStatus: text().$type<'authenticated' | 'failed' | 'attempted'>(),
    threeDsEci: text(),
    threeDsFlow: text().$type<'frictionless' | 'challenge'>(),
    /** The address at which the payer confirms the purchase with the card's bank. */
    challengeUrl: text(),
    declineCode: text().$type<DeclineCode>(),
    abecsCode: text(),
    /** Whether the same card may be tried again. */
    retryable: boolean(),
    pixTxid: text(),
    pixEndToEndId: text(),
    pixBrCode: text(),
    expiresAt: instantColumn(),
    approvedAt: instantColumn(),
    /** When a card was paid as its provider said it, where that was another instant; of a Pix its incoming payments. */
    reportedPaidAt: instantColumn(),
    paidLate: boolean().notNull().default(false),
    /** The first of the Pix of its browser that this one was begun in place of. */
    firstAttemptId: uuid(),
    /** Another payment begun in place of this one, or before it, that was paid first. */
    possibleDuplicateOf: uuid(),
    /** Why the company must look at this payment before it counts, e.g. another amount came in. */
    holdReason: text(),
    /** The amount received, when it differs from the total. */
    receivedCents: integer(),
    /** The provider's fee; null when it is not known. */
    feeCents: integer(),
    feeSource: text().$type<FeeSource>(),
    /** The day in São Paulo on which the rest is paid out, or the first part of it; the others follow each 30 days. */
    expectedOn: date(),
    payoutParts: smallint(),
    testMode: boolean().notNull(),
    externalReference: text(),
    metadata: jsonb().$type<Record<string, string>>().notNull(),
    tags: text().array().notNull(),
    /** Null where nothing was asked, or answered, and once the customer was anonymised. */
    customFields: jsonb().$type<CustomAnswer[]>(),
    /** The link's title at the payment; null in older rows, where it is not known. */
    linkTitle: text(),
    /** The `?ref=` of the payer's address. */
    ref: text(),
    /** The language of the payer's page, for e-mails; null for a payment without a page. */
    locale: text().$type<Locale>(),
    /** When to ask the provider again. Null once nothing is left to ask. */
    checkAt: instantColumn(),
    checks: smallint().notNull().default(0),
    words: wordsColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (transaction) => [
    index('transactions_words').using('gin', transaction.words),
    inEnvironmentOf('transactions_environment', transaction),
    unique().on(transaction.paymentLinkId, transaction.attemptToken),
    unique().on(transaction.provider, transaction.providerReference),
    index().on(transaction.companyId, transaction.id),
    index().on(transaction.paymentLinkId, transaction.id),
    index().on(transaction.customerId, transaction.id),
    index().on(transaction.companyId, transaction.status, transaction.id),
    index().on(transaction.companyId, transaction.updatedAt, transaction.id),
    index().on(transaction.companyId, transaction.totalCents, transaction.id),
    index()
      .on(transaction.companyId, transaction.externalReference, transaction.id)
      .where(sql`external_reference is not null`),
    index().on(transaction.checkAt).where(sql`check_at is not null`),
    // Amounts received in a period, read from the index alone.
    index('transactions_received')
      .on(
        transaction.companyId,
        transaction.approvedAt,
        transaction.testMode,
        transaction.method,
        transaction.paymentLinkId,
        transaction.totalCents,
        transaction.refundedCents,
      )
      .where(sql`approved_at is not null`),
    // The day by which people search a payment.
    index('transactions_effective').on(
      transaction.companyId,
      sql`coalesce(approved_at, created_at)`,
      transaction.id,
    ),
    // Payments that no longer count for their link.
    index('transactions_charged_back_of_link')
      .on(transaction.paymentLinkId)
      .where(sql`status = 'charged_back'`),
    index('transactions_tags').using('gin', transaction.tags),
    index('transactions_metadata').using('gin', sql`metadata jsonb_path_ops`),
    index('transactions_first_attempt')
      .on(transaction.firstAttemptId)
      .where(sql`first_attempt_id is not null`),
    index('transactions_duplicates')
      .on(transaction.companyId, transaction.id)
      .where(sql`possible_duplicate_of is not null`),
    index('transactions_payouts')
      .on(transaction.companyId, transaction.expectedOn)
      .where(sql`expected_on is not null`),
    index('transactions_held')
      .on(transaction.companyId, transaction.id)
      .where(sql`hold_reason is not null`),
    ...TRANSACTION_CHECKS,
  ],
)

/**
 * The book of money (movements/book.ts): each time that money of a payment moved, on the day that it moved. Rows are
 * only added.
 */
export const movements = pgTable(
  'movements',
  {
    id: idColumn().default(sql`gen_random_uuid()`),
    ...companyColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    paymentLinkId: uuid().notNull(),
    method: text().$type<PaymentMethod>().notNull(),
    tags: text().array().notNull(),
    kind: text().$type<MovementKind>().notNull(),
    /** The day in São Paulo that it counts on: the day it moved, or was booked where that month was over. */
    day: date().notNull(),
    movedAt: instantColumn().notNull(),
    bookedAt: instantColumn().notNull(),
    /** Positive for money received, negative for money paid out. */
    cents: integer().notNull(),
    /** The part of a sale that is interest. */
    interestCents: integer().notNull(),
    /** What the provider keeps; null for a sale booked before its fee was known. */
    feeCents: integer(),
  },
  (movement) => [
    // The sum of a range of days is read from this index alone.
    index('movements_by_day').on(
      ...[movement.companyId, movement.day, movement.kind, movement.method],
      ...[movement.cents, movement.feeCents, movement.paymentLinkId, movement.movedAt],
    ),
    index().on(movement.transactionId),
    index().on(movement.paymentLinkId),
    index().on(movement.companyId, movement.movedAt, movement.id),
    // Fees told after their sale was booked.
    index('movements_fees').on(movement.companyId, movement.transactionId).where(sql`kind = 'fee'`),
    uniqueIndex('movements_sale').on(movement.transactionId).where(sql`kind = 'sale'`),
    check(
      'movements_kind',
      sql`kind in ('sale','fee','refund','dispute','dispute_won','surplus','surplus_refund')`,
    ),
    check('movements_fee', sql`fee_cents is not null or kind = 'sale'`),
  ],
)

/** The history of a payment, step by step, for the people of the company. */
export const transactionSteps = pgTable(
  'transaction_steps',
  {
    id: idColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    kind: text().$type<StepKind>().notNull(),
    details: jsonb().$type<Record<string, string | number>>().notNull(),
    ...createdAtColumn(),
  },
  (step) => [index().on(step.transactionId, step.id)],
)

/** Attempts to pay by card, counted so that card testing is stopped before it reaches the provider. */
export const cardAttempts = pgTable(
  'card_attempts',
  {
    transactionId: uuid()
      .primaryKey()
      .references(() => transactions.id),
    paymentLinkId: uuid().notNull(),
    /** Keyed digests: of the payer's address, and of the card's brand and last four. */
    address: bytesColumn().notNull(),
    card: bytesColumn().notNull(),
    ...createdAtColumn(),
  },
  (attempt) => [
    index().on(attempt.paymentLinkId, attempt.createdAt),
    index().on(attempt.address, attempt.createdAt),
    index().on(attempt.card, attempt.createdAt),
    index().on(attempt.createdAt),
  ],
)

/**
 * Money that came in by Pix, one row for each, written once however often the bank tells of it. What
 * goes back of one is its surplus first, and only then what it paid of the sale.
 */
export const incomingPayments = pgTable(
  'incoming_payments',
  {
    id: idColumn(),
    ...companyColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    provider: text().$type<ProviderName>().notNull(),
    /** The provider's own id of it where it tells no endToEndId. */
    endToEndId: keyColumn().notNull(),
    amountCents: integer().notNull(),
    /** The part beyond the sale's total, decided when it was booked. */
    surplusCents: integer().notNull().default(0),
    /** The sum of its refunds, also those made at the provider. */
    refundedCents: integer().notNull().default(0),
    paidAt: instantColumn().notNull(),
    /** As the bank said it, where that was another instant. */
    reportedPaidAt: instantColumn(),
    /** As the payer's bank tells. */
    payerName: text(),
    payerTaxId: text(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (payment) => [
    unique().on(payment.companyId, payment.provider, payment.endToEndId),
    index().on(payment.transactionId, payment.id),
    index('incoming_payments_surplus')
      .on(payment.companyId, payment.id)
      .where(sql`surplus_cents > refunded_cents`),
    check('incoming_payments_amount', sql`amount_cents > 0`),
    check('incoming_payments_surplus', sql`surplus_cents between 0 and amount_cents`),
    check('incoming_payments_refunded', sql`refunded_cents between 0 and amount_cents`),
  ],
)

/** Pix that came in for no charge of ours, until the company says what each is for, or gives it back. */
export const unmatchedPayments = pgTable(
  'unmatched_payments',
  {
    /** The provider's idempotency key, should it be given back. */
    id: idColumn(),
    ...companyColumn(),
    provider: text().$type<Exclude<ProviderName, 'sandbox'>>().notNull(),
    endToEndId: keyColumn().notNull(),
    /** The txid that the provider told; null when it told none. */
    txid: text(),
    amountCents: integer().notNull(),
    refundedCents: integer().notNull().default(0),
    paidAt: instantColumn().notNull(),
    payerName: text(),
    payerTaxId: text(),
    /** The payment that the company booked it on. */
    transactionId: uuid().references(() => transactions.id),
    /** When the provider was first asked to give it back; null again where it refused. */
    refundRequestedAt: instantColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (payment) => [
    unique().on(payment.companyId, payment.provider, payment.endToEndId),
    index('unmatched_payments_open')
      .on(payment.companyId, payment.id)
      .where(sql`transaction_id is null and refunded_cents < amount_cents`),
    check('unmatched_payments_amount', sql`amount_cents > 0`),
    check('unmatched_payments_refunded', sql`refunded_cents between 0 and amount_cents`),
  ],
)

/** Payments that the payer contests: with the bank (MED), or with the card's issuer. */
export const disputes = pgTable(
  'disputes',
  {
    id: idColumn(),
    ...companyColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    /** The Pix that it is about; null of a card. */
    incomingPaymentId: uuid().references(() => incomingPayments.id),
    kind: text().$type<DisputeKind>().notNull(),
    /** The provider's own id of it. */
    providerReference: keyColumn().notNull(),
    /** The bank's `natureza`, or the provider's code. */
    reason: text(),
    amountCents: integer().notNull(),
    status: text().$type<DisputeStatus>().notNull(),
    openedAt: instantColumn().notNull(),
    closedAt: instantColumn(),
    /** As the provider said them, where they were other instants. */
    reportedOpenedAt: instantColumn(),
    reportedClosedAt: instantColumn(),
    /** Until when evidence may be sent. */
    respondBy: instantColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (dispute) => [
    unique().on(dispute.transactionId, dispute.providerReference),
    index().on(dispute.companyId, dispute.id),
    index('disputes_open').on(dispute.companyId, dispute.id).where(sql`status = 'open'`),
    check('disputes_amount', sql`amount_cents > 0`),
    check('disputes_closed_at', sql`(status = 'open') = (closed_at is null)`),
  ],
)

export const refunds = pgTable(
  'refunds',
  {
    id: idColumn(),
    ...companyColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    /** The Pix that is given back; null for a card. */
    incomingPaymentId: uuid().references(() => incomingPayments.id),
    /** The refund order of which this is a part, where the order spans several Pix: the id of its first refund. */
    orderId: uuid(),
    amountCents: integer().notNull(),
    status: text().$type<RefundStatus>().notNull(),
    reason: text(),
    failureReason: text().$type<RefundFailure>(),
    /** Also ours, of one that the provider has answered to without a name of its own: it is not sent again. */
    providerReference: text(),
    /** Since when the provider shows nothing of one that it has answered to. */
    missingSince: instantColumn(),
    /** When to ask the provider again. Null once nothing is left to ask. */
    checkAt: instantColumn(),
    checks: smallint().notNull().default(0),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (refund) => [
    index().on(refund.transactionId, refund.id),
    index().on(refund.companyId, refund.id),
    index().on(refund.incomingPaymentId).where(sql`incoming_payment_id is not null`),
    index().on(refund.checkAt).where(sql`check_at is not null`),
    check('refunds_amount', sql`amount_cents > 0`),
  ],
)

/** Answers kept for a day, so that a repeated request is answered and not carried out again. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    companyId: companyColumn().companyId,
    /** Method and path. */
    route: keyColumn().notNull(),
    key: keyColumn().notNull(),
    /** The API key that sent the request; null in old rows, which any API key of the company may repeat. */
    apiKeyId: uuid(),
    requestHash: bytesColumn().notNull(),
    /** The id for the resource that the request creates: a request that takes over creates the same one. */
    resourceId: uuid().notNull(),
    /** Until when the request under way holds the key; null once it is answered. */
    leasedUntil: instantColumn(),
    status: smallint(),
    /** Sealed, in base64. */
    body: text(),
    location: text(),
    ...createdAtColumn(),
  },
  (row) => [
    pgCore.primaryKey({ columns: [row.companyId, row.route, row.key] }),
    index().on(row.createdAt),
  ],
)

/** The ledger of the simulated bank: only the sandbox provider reads and writes it. */
export const sandboxCharges = pgTable(
  'sandbox_charges',
  {
    reference: keyColumn().primaryKey(),
    scenario: text().notNull(),
    status: text()
      .$type<'processing' | 'challenge' | 'approved' | 'declined' | 'voided'>()
      .notNull(),
    amountCents: integer().notNull(),
    eci: text(),
    /** Opens the page of its challenge, which the transaction's id alone must not. */
    challengeToken: text(),
    endToEndId: text(),
    paidAt: instantColumn(),
    ...createdAtColumn(),
  },
  (charge) => [index().on(charge.createdAt)],
)

/** Refunds in the simulated bank's book; the reference is our refund's id. */
export const sandboxRefunds = pgTable(
  'sandbox_refunds',
  {
    reference: keyColumn().primaryKey(),
    chargeReference: keyColumn().notNull(),
    amountCents: integer().notNull(),
    ...createdAtColumn(),
  },
  (refund) => [index().on(refund.chargeReference)],
)

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: idColumn(),
    ...companyColumn(),
    url: text().notNull(),
    events: text().array().$type<EventType[]>().notNull(),
    /** Sealed. */
    secret: bytesColumn().notNull(),
    /** Sealed: those that sign too until then, with a space between them. */
    previousSecret: bytesColumn(),
    previousSecretUntil: instantColumn(),
    /** The headers of the company's own that each delivery carries. */
    headerNames: text().array().notNull().default(sql`'{}'`),
    /** Sealed: their values, a JSON array in the order of their names. Null when there are none. */
    headerValues: bytesColumn(),
    disabledAt: instantColumn(),
    /** The number of deliveries that may be under way at a time; it adjusts itself (webhooks/deliveries). */
    concurrency: smallint().notNull().default(5),
    ...createdAtColumn(),
  },
  (endpoint) => [
    index().on(endpoint.companyId),
    check('webhook_endpoints_concurrency', sql`concurrency between 1 and 50`),
    check('webhook_endpoints_url', sql`char_length(url) <= 2048`),
    check('webhook_endpoints_events', sql`cardinality(events) > 0`),
    check(
      'webhook_endpoints_headers',
      sql`cardinality(header_names) <= 10 and (cardinality(header_names) = 0) = (header_values is null)`,
    ),
  ],
)

export const eventPositions = pgSequence('events_position_seq')

export const events = pgTable(
  'events',
  {
    id: idColumn(),
    ...companyColumn(),
    type: text().$type<EventType>().notNull(),
    /** The exact bytes that every delivery signs and sends. */
    body: text().notNull(),
    /** Its order in streams (webhooks/events/feed.ts): drawn by a transaction that has its number already. */
    position: bigint({ mode: 'number' })
      .notNull()
      .default(
        sql`case when pg_current_xact_id() is not null then nextval('events_position_seq') end`,
      ),
    ...createdAtColumn(),
  },
  (event) => [
    index().on(event.companyId, event.id),
    index().on(event.companyId, event.position, event.id),
    index().on(event.companyId, event.type, event.id),
    // The subject of an event is only in its body (webhooks/events/log.ts).
    index('events_transaction_index').on(sql`(body::jsonb #>> '{data,transaction,id}')`, event.id),
    index('events_payment_link_index').on(sql`(body::jsonb #>> '{data,paymentLink,id}')`, event.id),
  ],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: idColumn(),
    eventId: uuid()
      .notNull()
      .references(() => events.id),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id),
    status: text().$type<DeliveryStatus>().notNull().default('pending'),
    /** Raised when claimed, so that it fences every later write of that attempt. */
    attempts: smallint().notNull().default(0),
    /** How many of these somebody asked for: they take none of those that it has by itself. */
    resends: smallint().notNull().default(0),
    /** When to try next: past the lease while an attempt is under way; null when it is over. */
    dueAt: instantColumn().default(sql`now()`),
    /** Until when the attempt under way holds this delivery. Null when none is. */
    leasedUntil: instantColumn(),
    outcome: text().$type<DeliveryOutcome>(),
    statusCode: smallint(),
    deliveredAt: instantColumn(),
    ...createdAtColumn(),
  },
  (delivery) => [
    uniqueIndex().on(delivery.eventId, delivery.endpointId),
    index().on(delivery.endpointId, delivery.dueAt).where(sql`due_at is not null`),
    index().on(delivery.endpointId, delivery.id),
    index('webhook_deliveries_failed')
      .on(delivery.endpointId, delivery.id)
      .where(sql`status = 'failed'`),
    index().on(delivery.endpointId).where(sql`leased_until is not null`),
  ],
)

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: uuid()
      .notNull()
      .references(() => webhookDeliveries.id),
    number: smallint().notNull(),
    /** The address of the attempt; the endpoint's address may have changed since. */
    url: text(),
    startedAt: instantColumn().notNull(),
    durationMs: integer().notNull(),
    outcome: text().$type<DeliveryOutcome>().notNull(),
    statusCode: smallint(),
    /** The first 2 kB of the answer. */
    answer: text(),
  },
  (attempt) => [pgCore.primaryKey({ columns: [attempt.deliveryId, attempt.number] })],
)

/** Single facts about this installation, such as the set-up code's hash. */
export const installation = pgTable('installation', {
  name: keyColumn().primaryKey(),
  value: text().notNull(),
  ...createdAtColumn(),
})

/** Payers' reports by "Denunciar este link". */
export const abuseReports = pgTable('abuse_reports', {
  id: idColumn(),
  paymentLinkId: uuid()
    .notNull()
    .references(() => paymentLinks.id),
  reason: text().notNull(),
  details: text(),
  ...createdAtColumn(),
})
