// Who pays the shop of the demonstration: people and companies that do not exist, with documents whose
// check digits are right.
import { newId } from '../../database/id.ts'
import type { SeededRandom } from './random.ts'

const FIRST_NAMES = [
  ...['Ana', 'Beatriz', 'Bruno', 'Camila', 'Carlos', 'Cecília', 'Daniel', 'Débora', 'Eduardo'],
  ...['Fernanda', 'Gabriel', 'Helena', 'Igor', 'João', 'Júlia', 'Larissa', 'Lucas', 'Luiza'],
  ...['Marcelo', 'Mariana', 'Otávio', 'Paula', 'Rafael', 'Renata', 'Sofia', 'Thiago', 'Vitória'],
]
const SURNAMES = [
  ...['Almeida', 'Azevedo', 'Barbosa', 'Cardoso', 'Conceição', 'Costa', 'Ferreira', 'Gonçalves'],
  ...['Lima', 'Machado', 'Martins', 'Melo', 'Moraes', 'Nascimento', 'Nogueira', 'Oliveira'],
  ...['Pereira', 'Ribeiro', 'Rocha', 'Santos', 'Silveira', 'Souza', 'Teixeira', 'Vieira'],
]
const COMPANIES = [
  ...[
    'Hotel Atlântico Ltda',
    'Escola Girassol Ltda',
    'Studio Maré Arquitetura',
    'Clínica Vida Plena',
  ],
  ...[
    'Contábil Horizonte',
    'Academia Movimento',
    'Livraria Travessia',
    'Agência Farol',
    'Café da Praça',
  ],
  ...['Construtora Rocha Firme', 'Pousada Brisa do Sul', 'Advocacia Lima & Costa'],
]
const PEOPLE_COUNT = 48

export type DemoCustomer = {
  id: string
  name: string
  email: string
  taxId: string
  phone: string | null
  /** Of the first payment: before it nobody knew of this customer. */
  firstSeenAt?: Date
}

/** Companies first; nobody twice. */
export function generateCustomers(chance: SeededRandom): DemoCustomer[] {
  const names = new Set<string>()
  while (names.size < PEOPLE_COUNT) {
    const [first, middle, last] = [
      chance.pick(FIRST_NAMES),
      chance.pick(SURNAMES),
      chance.pick(SURNAMES),
    ]
    names.add(middle === last ? `${first} ${last}` : `${first} ${middle} ${last}`)
  }
  const business = COMPANIES.map((name) => ({ name, taxId: buildCnpj(`${chance.digits(8)}0001`) }))
  const people = [...names].map((name) => ({ name, taxId: buildCpf(chance.digits(9)) }))
  return [...business, ...people].map((person) => ({
    id: newId(),
    ...person,
    email: `${toEmailLocalPart(person.name)}@exemplo.example`,
    phone: chance.is(0.6) ? `48${chance.pick(['98', '99'])}${chance.digits(7)}` : null,
  }))
}

function toEmailLocalPart(name: string) {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
  return plain.split(' ').filter(Boolean).join('.')
}

const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

function buildCpf(nine: string) {
  const first = computeCheckDigit(nine, [10, 9, 8, 7, 6, 5, 4, 3, 2])
  return `${nine}${first}${computeCheckDigit(nine + first, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])}`
}

function buildCnpj(twelve: string) {
  const first = computeCheckDigit(twelve, CNPJ_WEIGHTS.slice(1))
  return `${twelve}${first}${computeCheckDigit(twelve + first, CNPJ_WEIGHTS)}`
}

function computeCheckDigit(digits: string, weights: number[]) {
  const rest = weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11
  return rest < 2 ? 0 : 11 - rest
}
