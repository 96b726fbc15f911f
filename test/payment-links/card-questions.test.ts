// What a link may not ask of its payers: anything of the card that they pay with.
import { expect, test } from 'vitest'
import { asksForCardData } from '../../src/payment-links/card-questions.ts'

const ASKING = [
  'CVV|cvv2|C.V.V.|ＣＶＶ|c v c|cvc_2|Digite o CVV|cvv-do-cartao|Cvv\u200b|Código de segurança',
  'CODIGO DE SEGURANCA|cod. segurança|codigodeseguranca|codigo_de_seguranca|Security code',
  'securitycode|Card verification value|Código de seguridad|Validade do cartão',
  'Data de validade do seu cartão|Vencimento do cartao|cartao_validade|Validade (MM/AA)',
  'Card expiry|Expiration date of card|card_exp|Valid thru|Vencimiento de la tarjeta',
  'Fecha de caducidad de la tarjeta|Número do cartão|NUMERO   DO  CARTAO|nº do cartão',
  'N. do cartão|numerodocartao|numerocartao|Cartão (número)|numero-do-cartao-de-credito',
  '16 dígitos do cartão|Card number|cardNumber|card_number|creditcardnumber|cc-number',
  'Número de tarjeta|Dados do cartão|Card details|Senha do cartão|senha_cartao|PIN do cartão',
  'Clave de la tarjeta|Card PIN|Código do cartão|CCV|ccv|Digite o CCV|CSC|CID|cid|PAN| PAN: ',
  'PAN do cartão|Cód. seg.|cod_seg|Cód. de seg.|Security number|Dígitos de segurança',
  'Three digits on the back|Dígitos atrás|3 dígitos do verso|Dígitos do verso',
  'Código de segurança do seu cartão|Código de segurança (3 dígitos)',
  'Código de seguridad de la tarjeta|Código de segurança de 3 dígitos|Expiry date|Exp date',
  'Exp. date|exp_date|expdate|Date of expiry|Data de expiração|data_de_expiracao',
  'Fecha de caducidad|Vencimiento da tarjeta|MM/AA|mm/yyyy|Data (MM/AA)|Card no|Card no.|card_no',
  'cardNo|n° do cartão|n˚ do cartão|nº cartão|№ do cartão|Nᵒ do cartão|16 dígitos|Os 16 dígitos',
  '16 dígitos da frente|Track 2|track2|Track 1 data|Senha de 4 dígitos|4-digit PIN',
  'Clave de 4 dígitos|\u0421VV|\u0441\u0475\u0475|\u0421\u03bd\u03bd',
  'N\u00famero do c\u0430rt\u00e3o|\u0420\u0410N',
].flatMap((line) => line.split('|'))

const HARMLESS = [
  'Validade do convite|Vencimento|Validade|Código do produto|Código|Número do pedido',
  'Cartão de visita|Texto do cartão|Cartão com mensagem|Nome no cartão|Mensagem no cartão',
  'Número do cartão fidelidade|Número do cartão do SUS|Validade do cartão de vacina',
  'Nº do cartão do convênio|Número do cartão do plano de saúde|Loyalty card number|Cartão CNPJ',
  'Número de cartões|Quantidade de cartões de visita|Número do cartão de estacionamento',
  'Cartão de crédito|Credit card|Bandeira do cartão|Últimos 4 dígitos do cartão',
  'Número da tarjeta de visita|Pan|Senha do Wi-Fi|Número da casa|Segurança|Discard number',
  'Descarte: número|Nome do aluno|Tamanho da camiseta|Data de nascimento|Postcard number',
  'Código de segurança do portão|codigo_de_seguranca_do_portao|Gate security code',
  'Security code for the gate|Social security number|Número de segurança social|CID-10',
  'CID da doença|Código CID|Banco PAN|Pan integral|pan|Panificadora|Passport expiry date',
  'Data de expiração do passaporte|Expiry date of the visa|Competência (MM/AAAA)',
  'Código do pedido (16 dígitos)|Track 1|Soundtrack 2|Senha do portão de 4 dígitos|Nome no cartão',
  'Discard notes|Gift card no.|Seguro do carro|Cód. do segurado|Back number|Número nas costas',
  'Имя и отчество',
].flatMap((line) => line.split('|'))

test.each(ASKING)('"%s" asks for card data', (text) => {
  expect(asksForCardData(text)).toBe(true)
})

test.each(HARMLESS)('"%s" does not', (text) => {
  expect(asksForCardData(text)).toBe(false)
})
