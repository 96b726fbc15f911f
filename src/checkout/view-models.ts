// What each page of the checkout is made of. Values come ready to be shown: money and dates are
// text, addresses are whole; a view only chooses and places them.

import type { CardBrand } from '../format.ts'
import type { CheckoutTexts } from './texts/pt.ts'

export type CheckoutLayout = {
  /** All that we say, in the reader's language. */
  t: CheckoutTexts
  languages: LanguageOption[]
  /** Address of a file of views/assets, with its hash, e.g. asset('checkout.css'). */
  asset(file: string): string
  merchant: MerchantView
  /** Shows the banner "MODO DE TESTE — nenhuma cobrança real". */
  testMode: boolean
  /** Where "Denunciar este link" leads. Null on pages that belong to no link. */
  reportUrl: string | null
}

/** A language that the page may be read in instead. */
export type LanguageOption = { lang: string; language: string; href: string; isChosen: boolean }

export type MerchantView = {
  name: string
  /** For a sentence of ours: the name, kept together where it is read from right to left. */
  nameInText: string
  /** One or two letters, shown where there is no logo: `EV` for `Escola Vila`. */
  initials: string
  /** Formatted CNPJ or CPF. */
  taxId: string | null
  logoUrl: string | null
  /** The whole text of the page's only <style> (companies/brand-color.ts); its hash is in the CSP. Null without a colour. */
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

/** Of what the company asks besides: `custom_` and the field's key. */
export type AnswerName = `custom_${string}`

export type CustomFieldView = {
  id: AnswerName
  label: string
  type: 'text' | 'date'
  inputmode: 'text' | 'decimal'
  pattern?: string
  min?: string
  max?: string
  /** Of a choice. */
  options: string[] | null
  value: string
  isOptional: boolean
  /** The sentences that the script says; null where it may be empty. */
  whenEmpty: string | null
  whenInvalid: string
}

/** Of the e-mail of a payer: asked for of all, of those who like, of those who pay by card, or of nobody. */
export type AskedEmail = 'required' | 'optional' | 'cards' | 'none'

export type LinkViewModel = CheckoutLayout & {
  link: LinkSummary
  /** Tags for the preview that WhatsApp and others draw of the link. */
  preview: { title: string; description: string; imageUrl: string }
  /** Where the form is posted. */
  action: string
  /** Hidden field `attempt`. */
  attempt: string
  /** Hidden field `quote`: what the payer was shown, so that a stale form is noticed. */
  quote: string
  /** Cards are left out while the link's are paused and there is Pix instead. */
  methods: { pix: boolean; card: boolean }
  askPhone: boolean
  askEmail: AskedEmail
  /** What was typed before; never card data. */
  values: {
    method: 'pix' | 'credit_card'
    name: string
    taxId: string
    email: string
    phone: string
    installments: number
    /** Hidden fields: where the payer came from, as the address said. */
    origin: { name: string; value: string }[]
    /** By the names of the fields. */
    answers: ReadonlyMap<string, string>
  }
  /** Of what is bought. `start` is shown until all of it is asked for; null of a short one. */
  description: { start: string | null; whole: string } | null
  /** What the company asks besides. */
  customFields: CustomFieldView[]
  /**
   * Whom a link is meant for, masked: `M••••• S••••`, `m•••@e••••.com.br`. Then the form asks for
   * taxId alone, and name, email and phone are not posted. Null on links for anyone.
   */
  linkedCustomer: { name: string; email: string | null } | null
  installments: InstallmentOption[]
  /** Of the installments; the first where none of them was. */
  chosen: InstallmentOption | undefined
  errors: { field: FieldName | AnswerName; message: string }[]
  /** One sentence above the form: a changed price, a declined card, a payment under way elsewhere. */
  notice: {
    tone: 'info' | 'warning' | 'error'
    text: string
    href?: string
    link?: string
    /** Why the form that was sent is here again: who sent it must not take it for the first one. */
    isAnswer?: true
  } | null
  /** The most installments that any card may have. */
  mostInstallments: number
  /** `Até 12x de R$ 123,95`, `À vista`: what the choice of a card says. */
  cardOffer: string
  /** Those that the provider takes, by the names that people know them by. */
  cardBrands: { brand: CardBrand; name: string }[]
  /** The form's, with what takes the card. */
  script: string
  /** Where the card is typed into the provider's frames. Null where our own inputs take it. */
  cardFields: CardFields | null
  /** The provider at whose own page the card is entered. Null where this form takes it. */
  enteredAt: string | null
}

export type CardFields = {
  provider: string
  publicKey: string
  /** Where the installments of a card are asked for by its first digits; null where there is but one. */
  quotesUrl: string | null
}

export type InstallmentOption = {
  count: number
  /** `3x de R$ 35,35` */
  part: string
  /** `primeira de R$ 33,34`, where it differs from the others. */
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

/** How one reaches the company from a page. */
export type ContactView = { kind: 'whatsapp' | 'email'; url: string }

/** Paid by the one it was for, or by as many as it takes. */
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
  /** Of a link that can be paid again by then. */
  retryAfterSeconds: number | null
  /** The company's own words for this moment. */
  message: string | null
  title: string | null
  /** Where one tells the company so, the link in hand. */
  contact: ContactView | null
  /** The link itself, where it may be payable again soon. */
  againUrl: string | null
  /** Where who has paid asks for the receipt once more; null where no e-mail is sent. */
  receiptUrl: string | null
}

export type ReceiptRequestViewModel = CheckoutLayout & {
  link: LinkSummary
  action: string
  backUrl: string
  /** What was typed before. */
  value: string
  error: string | null
  /** Asked for, found or not. */
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
  /** What was typed before. `reason`: `fraud`, `unrecognized`, `not_delivered`, `other`, or empty. */
  values: { reason: string; details: string }
}
