// What the OpenAPI document says that no schema can: what the resources are for, what each operation
// does, and what only it refuses.

import { customerTexts } from '../customers/texts.ts'
import type { OperationNotes } from '../http/openapi/complete.ts'
import type { ApiNotes } from '../http/openapi/document.ts'
import { type DocumentedProblem, defineProblem } from '../http/openapi/problems.ts'
import { uploadTexts } from '../http/uploads/texts.ts'
import { linkTexts } from '../payment-links/texts.ts'
import { texts } from '../texts.ts'
import { refundTexts } from '../transactions/refunds/texts.ts'
import { simulationTexts } from '../transactions/simulation/texts.ts'
import { webhookTexts } from '../webhooks/texts.ts'
import { GLOSSARY } from './glossary.ts'
import { specifyEvents } from './stored-events.ts'
import { suitExamples, webhooksOf } from './webhooks.ts'

const DESCRIPTION = `Create a payment link by one call, share its address, and hear by webhook that it was paid.

Bodies and answers are JSON. Money is integer cents; instants are ISO 8601 in UTC; ids are UUIDs. A key is of the test environment (\`sk_live_test…\`) or of the real one, and knows nothing of the other. It may make 100 requests in any 60 seconds. Lists are paged by \`cursor\`, newest first. Every answer names itself in \`X-Request-Id\`. Clients ignore fields that they do not know and tolerate optional ones that are absent.`

const TAGS = [
  {
    name: 'Payment links',
    description: 'A price, the methods it accepts, and an address to share with whoever pays.',
  },
  {
    name: 'Transactions',
    description: 'Each attempt to pay, from the Pix code or the card to the refund.',
  },
  {
    name: 'Customers',
    description: 'Who pays, known by the document. The checkout makes them on the first payment.',
  },
  { name: 'Reports', description: 'What came in, as the dashboard counts it.' },
  { name: 'Events', description: 'What webhooks said, to be read again and sent again.' },
  {
    name: 'Webhook endpoints',
    description: 'The addresses of yours that webhooks go to, each with a secret of its own.',
  },
  {
    name: 'Webhooks',
    description: 'What is sent to your endpoints. Standard Webhooks 1.0: signed, at least once.',
  },
]

const ARCHIVED = defineProblem(
  409,
  'link_archived',
  'The link is archived: it does not change any more.',
  linkTexts.archived,
)

const NOT_RESENDABLE = defineProblem(
  409,
  'not_resendable',
  'No enabled endpoint is there to send it to.',
  webhookTexts.notResendable,
)

const CUSTOMER_EXISTS = defineProblem(
  409,
  'customer_exists',
  'Another customer has this document; `Location` says where.',
  customerTexts.exists,
)

const METHOD_UNAVAILABLE = defineProblem(
  422,
  'method_unavailable',
  'In the real environment nobody is paid by this method yet.',
  linkTexts.methodUnavailable(texts.methods.pix),
)

const NOT_PAYABLE = defineProblem(
  409,
  'link_not_payable',
  'The link is not active, or has all the payments that it takes.',
  simulationTexts.notPayable,
)

const LINK_PROBLEMS: DocumentedProblem[] = [
  ARCHIVED,
  METHOD_UNAVAILABLE,
  defineProblem(
    409,
    'invalid_transition',
    'It cannot become active without more `maxPayments` or a later `expiresAt`.',
    linkTexts.stillExpired,
  ),
]

const BROKEN_FORM = defineProblem(
  400,
  'invalid_form',
  'The form with the file did not come whole.',
  uploadTexts.brokenForm,
)

const REFUND_PROBLEMS: DocumentedProblem[] = [
  defineProblem(
    409,
    'invalid_transition',
    'Only what was approved, and not yet given back, can be refunded.',
    refundTexts.notRefundable('declined'),
  ),
  defineProblem(
    409,
    'refund_window_closed',
    'A Pix can be given back for 90 days, a test card for 180.',
    refundTexts.tooLate(90),
  ),
]

const OPERATIONS: Record<string, OperationNotes> = {
  createPaymentLink: {
    description:
      'A title, a price and the methods are enough. Share the `url` of the answer with whoever pays.',
    problems: [METHOD_UNAVAILABLE],
  },
  createPaymentLinks: {
    description:
      'Each link is judged by the rules of one, and answered in its place: with `status` 201 and the link, or with what it is refused by. Those that pass are made together. It counts as one request, its body may have 1 MB, and one `Idempotency-Key` covers all of it. What looks like a card number anywhere refuses the whole.',
  },
  getPaymentLink: { description: 'With how often it was paid, and how much that brought.' },
  updatePaymentLink: { problems: LINK_PROBLEMS },
  putPaymentLinkImage: { problems: [ARCHIVED, BROKEN_FORM] },
  deletePaymentLinkImage: { problems: [ARCHIVED] },
  duplicatePaymentLink: { problems: [METHOD_UNAVAILABLE] },
  listCustomers: { description: 'Filters narrow together.' },
  getCustomer: { description: 'The document is masked.' },
  createCustomer: { problems: [CUSTOMER_EXISTS] },
  updateCustomer: { problems: [CUSTOMER_EXISTS] },
  listPaymentLinkTransactions: { description: 'The same as the list of all, of one link.' },
  getTransaction: { description: 'As it stands now, with what was given back.' },
  simulatePaymentLinkPayment: { problems: [NOT_PAYABLE] },
  getDispute: { description: 'As the provider tells of it by now.' },
  createRefund: { problems: REFUND_PROBLEMS, located: false },
  listRefunds: { description: 'Those that failed too.' },
  listEvents: {
    description: 'Whether or not an endpoint wanted them. They are kept for 31 days at least.',
  },
  streamEvents: {
    description:
      'Server-sent events that do not end: `id` is that of the event, `event` its type, `data` the very body of its webhook. A client that was cut off sends the last `id` as `Last-Event-ID` and misses nothing; `stream.closed` says why we ended it. A comment every 15 seconds keeps the connection alive. Opening it counts as one request; 20 may be open at a time.',
  },
  getEvent: { description: 'With one delivery for each endpoint that had it.' },
  redeliverEvents: {
    description:
      'After your receiver lost what it had, or for an endpoint that came later. Up to 10,000 deliveries by one order; the ids stay, so what was done already is known by `webhook-id`.',
    problems: [NOT_RESENDABLE],
  },
  redeliverEvent: {
    description: 'To every enabled endpoint that had it, or to one. For 30 days.',
    problems: [
      defineProblem(
        409,
        'event_too_old',
        'The event is more than 30 days old.',
        webhookTexts.tooOld(30),
      ),
      NOT_RESENDABLE,
    ],
  },
  listWebhookEndpoints: { description: 'Without their secrets.' },
  createWebhookEndpoint: {
    description: 'The secret is in this answer and in no other. At most 10 for a company.',
    problems: [
      defineProblem(
        409,
        'too_many_endpoints',
        'The company has 10 endpoints already.',
        webhookTexts.tooManyEndpoints(10),
      ),
    ],
  },
  getWebhookEndpoint: { description: 'Without its secret.' },
  updateWebhookEndpoint: {
    description: 'Only the fields of the body change. Deliveries wait while it is disabled.',
  },
  deleteWebhookEndpoint: { description: 'What was not delivered yet never will be. Events stay.' },
  rotateWebhookEndpointSecret: {
    description: 'The secret before signs too, for 24 hours or as long as the body says.',
  },
  testWebhookEndpoint: {
    description: 'An event like a real one, with `testMode` true, to this endpoint alone.',
    problems: [
      defineProblem(
        409,
        'endpoint_disabled',
        'The endpoint is disabled.',
        webhookTexts.endpointDisabled,
      ),
      defineProblem(
        409,
        'test_environment_only',
        'The endpoint is of the real environment.',
        webhookTexts.testEnvironmentOnly,
      ),
    ],
  },
}

export function apiNotes(): ApiNotes {
  return {
    description: DESCRIPTION,
    tags: TAGS,
    operations: OPERATIONS,
    webhooks: webhooksOf(),
    glossary: GLOSSARY,
    shapeDocument: specifyEvents,
    finishDocument: suitExamples,
  }
}
