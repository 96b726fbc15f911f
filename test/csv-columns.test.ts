// Programs read tables by the place and the heading of a column: those that landed stay, new ones come last.
import { expect, test } from 'vitest'
import { buildCustomerColumns } from '../src/customers/csv.ts'
import { maskTaxId } from '../src/format.ts'
import { buildLinkColumns } from '../src/payment-links/list/csv.ts'
import { buildClosingColumns, buildReportColumns, CLOSING_DAY_COLUMNS } from '../src/reports/csv.ts'
import { buildTransactionColumns } from '../src/transactions/csv.ts'

const linkContext = { checkoutUrl: 'https://pay.test', testMode: false, now: new Date(0) }
const sums = 'Recebido (R$);Devolvido (R$);Perdido em contestação (R$);Tarifas (R$);Líquido (R$)'

test.each([
  [
    'transactions',
    buildTransactionColumns(maskTaxId),
    'Criada em;Paga em;Link;Título;Pagador;CPF/CNPJ;Forma de pagamento;Parcelas;Valor;Juros;Total;Reembolsado;' +
      'Situação;Retida por;Cartão ou id do Pix (E2E);Referência externa;Id;Teste;Perdido em contestação;Respostas;' +
      'Origem (ref);Tarifa;Líquido;Previsto para;Partes previstas;Txid do Pix;' +
      'utm_source;utm_medium;utm_campaign;utm_term;utm_content',
  ],
  [
    'links',
    buildLinkColumns(linkContext),
    'ID;Código;Endereço;Título;Descrição;Valor (R$);Formas de pagamento;Parcelas;Juros;Situação;Etiquetas;' +
      'Referência externa;Limite de pagamentos;Expira em;Criado em;Alterado em;Teste;Depois de pago, vai para;' +
      'Mensagem quando não puder ser pago;Mensagem no comprovante;Nome na fatura do cartão;' +
      'Parcelas sem juros;Desconto no Pix',
  ],
  [
    'customers',
    buildCustomerColumns(maskTaxId),
    'Nome;CPF ou CNPJ;E-mail;Telefone;Cadastrado em;Alterado em;ID',
  ],
  [
    "a month's movements",
    buildClosingColumns(maskTaxId),
    'Dia;Movimento;Aconteceu em;Pagador;CPF ou CNPJ;E-mail;Link;Referência;Etiquetas;Forma de pagamento;Parcelas;' +
      'Preço (R$);Juros (R$);Total (R$);Tarifas (R$);Líquido (R$);A mais, fora da venda (R$);Respostas;Previsto para;' +
      'ID do Pix (E2E) ou do provedor;Txid do Pix;Transação',
  ],
  ["a month's days", CLOSING_DAY_COLUMNS, `Dia;Forma de pagamento;Pagamentos;${sums}`],
  [
    'what came in by day',
    buildReportColumns('day'),
    'Dia;Pagamentos;Recebido (R$);Devolvido (R$);Recebido menos devolvido (R$);Tarifas (R$);Líquido (R$)',
  ],
])('the table of %s begins with the columns that landed, in their order', (_, columns, landed) => {
  const headings = columns.map(({ heading }) => heading)

  expect(headings.slice(0, landed.split(';').length).join(';')).toBe(landed)
})
