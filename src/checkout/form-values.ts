// What a payer has typed into the form of a link, and what is wrong with it.

export type FieldName = 'method' | 'name' | 'taxId' | 'email' | 'phone' | 'card' | 'installments'

/** The fields of the card's billing address. */
export type AddressField = 'zipCode' | 'street' | 'streetNumber' | 'city' | 'state'

/** The input of a custom question: `custom_` and the field's key. */
export type AnswerName = `custom_${string}`

export type FormErrors = { field: FieldName | AnswerName | AddressField; message: string }[]

/** The typed values; never card data. */
export type FormValues = {
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
