// What a link may not ask of its payers: anything of the card that they pay with.
import { expect, test } from 'vitest'
import { asksForCardData } from '../../src/payment-links/card-questions.ts'

test.each([
  ...[
    'CVV',
    'cvv2',
    'C.V.V.',
    'ＣＶＶ',
    'c v c',
    'cvc_2',
    'Digite o CVV',
    'cvv-do-cartao',
    'Cvv\u200b',
  ],
  ...[
    'Código de segurança',
    'CODIGO DE SEGURANCA',
    'cod. segurança',
    'codigodeseguranca',
    'codigo_de_seguranca',
  ],
  ...['Security code', 'securitycode', 'Card verification value', 'Código de seguridad'],
  ...[
    'Validade do cartão',
    'Data de validade do seu cartão',
    'Vencimento do cartao',
    'cartao_validade',
  ],
  ...['Validade (MM/AA)', 'Card expiry', 'Expiration date of card', 'card_exp', 'Valid thru'],
  ...['Vencimiento de la tarjeta', 'Fecha de caducidad de la tarjeta'],
  ...[
    'Número do cartão',
    'NUMERO   DO  CARTAO',
    'nº do cartão',
    'N. do cartão',
    'numerodocartao',
    'numerocartao',
  ],
  ...[
    'Cartão (número)',
    'numero-do-cartao-de-credito',
    '16 dígitos do cartão',
    'Card number',
    'cardNumber',
  ],
  ...[
    'card_number',
    'creditcardnumber',
    'cc-number',
    'Número de tarjeta',
    'Dados do cartão',
    'Card details',
  ],
  ...[
    'Senha do cartão',
    'senha_cartao',
    'PIN do cartão',
    'Clave de la tarjeta',
    'Card PIN',
    'Código do cartão',
  ],
])('"%s" asks for card data', (text) => {
  expect(asksForCardData(text)).toBe(true)
})

test.each([
  ...[
    'Validade do convite',
    'Vencimento',
    'Validade',
    'Código do produto',
    'Código',
    'Número do pedido',
  ],
  ...[
    'Cartão de visita',
    'Texto do cartão',
    'Cartão com mensagem',
    'Nome no cartão',
    'Mensagem no cartão',
  ],
  ...['Número do cartão fidelidade', 'Número do cartão do SUS', 'Validade do cartão de vacina'],
  ...[
    'Nº do cartão do convênio',
    'Número do cartão do plano de saúde',
    'Loyalty card number',
    'Cartão CNPJ',
  ],
  ...['Número de cartões', 'Quantidade de cartões de visita', 'Número do cartão de estacionamento'],
  ...['Cartão de crédito', 'Credit card', 'Bandeira do cartão', 'Últimos 4 dígitos do cartão'],
  ...[
    'Número da tarjeta de visita',
    'Pan',
    'CID',
    'Senha do Wi-Fi',
    'Número da casa',
    'Segurança',
    'Discard number',
  ],
  ...[
    'Descarte: número',
    'Nome do aluno',
    'Tamanho da camiseta',
    'Data de nascimento',
    'Postcard number',
  ],
])('"%s" does not', (text) => {
  expect(asksForCardData(text)).toBe(false)
})
