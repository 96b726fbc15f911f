// The view models of the checkout's pages. Values are ready to be shown: money and dates are text, addresses are
// complete; a view only chooses and places them.

import type { CardBrand } from '../format.ts'
import type { CheckoutTexts } from './texts/pt.ts'

export type CheckoutLayout = {
  /** All texts, in the reader's language. */
  t: CheckoutTexts
  languages: LanguageOption[]
  /** The address of a file of views/assets, with its hash, e.g. asset('checkout.css'). */
  asset(file: string): string
  merchant: MerchantView
  /** Shows the banner "MODO DE TESTE — nenhuma cobrança real". */
  testMode: boolean
  /** The address of "Denunciar este link". Null on pages without a link. */
  reportUrl: string | null
}

/** Another language of the page. */
export type LanguageOption = { lang: string; language: string; href: string; isChosen: boolean }

export type MerchantView = {
  name: string
  /** The name inside a sentence, isolated if it is read from right to left. */
  nameInText: string
  /** One or two letters, shown without a logo: `EV` for `Escola Vila`. */
  initials: string
  /** Formatted CNPJ or CPF. */
  taxId: string | null
  logoUrl: string | null
  /** The text of the page's only <style> (companies/brand-color.ts); the CSP has its hash. Null without a colour. */
  brandStyle: string | null
  supportEmail: string | null
  supportPhone: string | null
}

export type LinkSummary = {
  title: string
  /** `R$ 1.234,56` */
  amount: string
  /** The checkout's own address of the link. */
  url: string
  imageUrl: string | null
}

export type FieldName = 'method' | 'name' | 'taxId' | 'email' | 'phone' | 'card' | 'installments'

/** The fields of the card's billing address. */
export type AddressField = 'zipCode' | 'street' | 'streetNumber' | 'city' | 'state'

export type AddressView = {
  id: AddressField
  name: AddressField
  label: string
  inputmode: 'text' | 'numeric'
  autocomplete: string
  value: string
  whenEmpty: string
  whenInvalid: string
}

/** The input of a custom question: `custom_` and the field's key. */
export type AnswerName = `custom_${string}`

export type CustomFieldView = {
  id: AnswerName
  label: string
  type: 'text' | 'date'
  inputmode: 'text' | 'decimal'
  pattern?: string
  min?: string
  max?: string
  /** The options of a choice. */
  options: string[] | null
  value: string
  isOptional: boolean
  /** The error texts for the script; null when the field may be empty. */
  whenEmpty: string | null
  whenInvalid: string
}

/** Which payers are asked for an e-mail: all, all optionally, payers by card, or none. */
export type AskedEmail = 'required' | 'optional' | 'cards' | 'none'

export type LinkViewModel = CheckoutLayout & {
  link: LinkSummary
  /**
   * The price of a Pix; null where the link takes no Pix. `discount`: the texts where that is less than the link's
   * price, `R$ 95,00 · 5% de desconto` and `R$ 100,00, ou R$ 95,00 no Pix (5% de desconto)`.
   */
  pixPrice: { amount: string; discount: { short: string; both: string } | null } | null
  /** Tags for the preview that WhatsApp and others draw of the link. */
  preview: { title: string; description: string; imageUrl: string }
  /** Where the form is posted. */
  action: string
  /** Hidden field `attempt`. */
  attempt: string
  /** Hidden field `quote`: what the payer saw, so that a stale form is noticed. */
  quote: string
  /** Cards are left out during a card pause, if there is Pix. */
  methods: { pix: boolean; card: boolean }
  askPhone: boolean
  askEmail: AskedEmail
  /** Whether a card may be paid with a document of another country. */
  takesForeignDocuments: boolean
  /** The values typed before; never card data. */
  values: {
    method: 'pix' | 'credit_card'
    name: string
    taxId: string
    /** Whether the payer has no CPF. */
    isForeign: boolean
    email: string
    phone: string
    installments: number
    /** Hidden fields: where the payer came from, as the address said. */
    origin: { name: string; value: string }[]
    /** By the names of the fields. */
    answers: ReadonlyMap<string, string>
    address: Partial<Record<AddressField, string>>
  }
  /** The description. `start` is shown first; null for a short one. */
  description: { start: string | null; whole: string } | null
  /** The custom questions. */
  customFields: CustomFieldView[]
  /**
   * The customer that a link is meant for, masked: `M••••• S••••`, `m•••@e••••.com.br`. Then the form asks for
   * taxId alone, and name, email and phone are not posted. Null on links for anyone.
   */
  linkedCustomer: { name: string; email: string | null } | null
  /** The payer's document, if it was sealed in the address; null if the form asks for it. */
  knownDocument: { masked: string; otherUrl: string } | null
  installments: InstallmentOption[]
  /** The chosen installments; by default the first. */
  chosen: InstallmentOption | undefined
  errors: { field: FieldName | AnswerName | AddressField; message: string }[]
  /** One sentence above the form: a changed price, a declined card, a payment in progress elsewhere. */
  notice: {
    tone: 'info' | 'warning' | 'error'
    text: string
    href?: string
    link?: string
    /** The form is the answer to a sent form, and must not look like a new one. */
    isAnswer?: true
  } | null
  /** The highest number of installments of any card. */
  mostInstallments: number
  /** `Até 12x de R$ 123,95`, `À vista`: the text at the choice of a card. */
  cardOffer: string
  /** The brands that the provider accepts, by their common names. */
  cardBrands: { brand: CardBrand; name: string }[]
  /** The form's script, and the script that takes the card. */
  script: string
  /** The provider's frames into which the card is typed. Null if our own inputs take the card. */
  cardFields: CardFields | null
  /** The provider with its own page for entering the card. Null if this form takes the card. */
  enteredAt: string | null
  /** The fields of the billing address; null if the provider needs none. */
  billingAddress: AddressView[] | null
}

export type CardFields = {
  provider: string
  publicKey: string
  /** The address that quotes installments by a card's first digits; null when there is only one installment. */
  quotesUrl: string | null
  /** The address where the script gets a key for each card and begins 3-D Secure; null if it needs neither. */
  sessionUrl: string | null
}

export type InstallmentOption = {
  count: number
  /** `3x de R$ 35,35` */
  part: string
  /** `primeira de R$ 33,34`, if it differs from the others. */
  first: string | null
  /** `R$ 106,05` */
  total: string
  /** `à vista`, `sem juros`, `2,99% a.m.` */
  terms: string
  /** `Taxa de 2,99% a.m. Total a prazo R$ 106,05; à vista R$ 100,00.` */
  note: string | null
  /** `Pagar R$ 106,05 em 3x` */
  button: string
}

/** How a payer reaches the company. */
export type ContactView = { kind: 'whatsapp' | 'email'; url: string }

/** The link was paid by its one payer, or by as many payers as it accepts. */
export type SoldOutReason = 'completed' | 'full'

export type UnpayableViewModel = {
  asset(file: string): string
  t: CheckoutTexts
  languages: LanguageOption[]
  testMode: boolean
  /** Null for an unknown link. */
  merchant: MerchantView | null
  reportUrl: null
  reason: 'unknown' | 'inactive' | 'expired' | SoldOutReason | 'cards_paused' | 'method_unavailable'
  /** For a link that can be paid again after this time. */
  retryAfterSeconds: number | null
  /** The company's own text for this page. */
  message: string | null
  title: string | null
  /** The contact by which the payer can inform the company, with the link in the message. */
  contact: ContactView | null
  /** The link itself, if it may be payable again soon. */
  againUrl: string | null
  /** Where payers ask for their receipt again; null when no e-mail is sent. */
  receiptUrl: string | null
}

export type ReceiptRequestViewModel = CheckoutLayout & {
  link: LinkSummary
  action: string
  backUrl: string
  /** The value typed before. */
  value: string
  error: string | null
  /** Whether it was requested; also true when there is no such payment. */
  isSent: boolean
}

export type MailStopViewModel = CheckoutLayout & {
  link: LinkSummary
  action: string
  backUrl: string
  isStopped: boolean
}

export type AbuseReportViewModel = CheckoutLayout & {
  link: LinkSummary
  action: string
  sent: boolean
  errors: { reason?: string; details?: string }
  /** The values typed before. `reason`: `fraud`, `unrecognized`, `not_delivered`, `other`, or empty. */
  values: { reason: string; details: string }
}
