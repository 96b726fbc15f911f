// What somebody types, as words and a day.
import { describe, expect, test } from 'vitest'
import { parseSearch } from '../../../src/dashboard/layout/search-words.ts'

/** Half past nine in the evening in São Paulo, tomorrow already in UTC. */
const NOW = new Date('2026-11-15T00:30:00.000Z')

const wordsOf = (typed: string) =>
  parseSearch(typed, NOW)?.words.map((word) =>
    word
      .map((part) =>
        'all' in part ? part.all.join('*&').concat('*') : part.text + (part.isWhole ? '' : '*'),
      )
      .join('|'),
  )
const CPF = '#52998224725|529.982.247-25*|52998224725*'
const CNPJ = '#11222333000181|11222333000181*'
const PHONE = '#+988887777|988887777*'
const dayOf = (typed: string) => parseSearch(typed, NOW)?.day?.from

describe('words', () => {
  test.each([
    ['João', ['joao*']],
    ['  Maria   da  SILVA ', ['maria*', 'da*', 'silva*']],
    ['(grande),', ['grande*']],
    ['@exemplo.example', ['exemplo.example*|exemplo*&example*']],
    ['lima.lima', ['lima.lima*|lima*&lima*']],
    ['maria.silva@exemplo.com.br', ['maria.silva@exemplo.com.br*']],
    ['149,90', ['$14990|149,90*']],
    ['R$ 149,90', ['$14990']],
    ['r$149,90', ['$14990']],
    ['149.9', ['$14990|149.9*|1499*']],
    ['149', ['$14900|149*']],
    ['1.490', ['$149000|1.490*|1490*']],
    ['R$ 1.490,00', ['$149000']],
    ['529.982.247-25', [CPF]],
    ['52998224725', ['#52998224725|52998224725*']],
    ['1234567890', ['#+1234567890|#01234567890|1234567890*']],
    ['1.234.567-890', ['#+1234567890|#01234567890|1.234.567-890*|1234567890*']],
    ['11.222.333/0001-81', ['#11222333000181|11.222.333/0001-81*']],
    ['CPF: 529.982.247-25', ['#52998224725|529.982.247-25*|52998224725*']],
    ['529.982.247\u201125', ['#52998224725|529.982.247-25*|52998224725*']],
    ['52998\u200b224725', ['#52998224725|52998224725*']],
    ['tel:011988887777', ['#+011988887777|011988887777*|11988887777*']],
    ['(11) 98888-7777', ['11988887777*|11*&98888*&7777*']],
    ['Turma 12 2026-2027', ['turma*', '1220262027*|12*&2026*&2027*']],
    ['+55 11 98888 7777', ['5511988887777*|11988887777*|55*&11*&98888*&7777*']],
    ['98888-7777', ['#+988887777|98888-7777*|988887777*']],
    ['CNPJ 11222333000181', ['cnpj*|#11222333000181', `${CNPJ}|#11222333000181`]],
    ['AB 12 345', ['ab*|#+ab12345', '$1200|12*|#+ab12345', '$34500|345*|#+ab12345']],
    ['CPF nº 529.982.247-25', ['cpf*|#52998224725', 'no*|#52998224725', `${CPF}|#52998224725`]],
    ['98888 7777', [`$9888800|#+98888|98888*|${PHONE}`, `$777700|7777*|${PHONE}`]],
    ['1 490,00', ['$49000|490,00*|$149000']],
    ['ab-123456', ['#+ab123456|ab-123456*|ab*&123456*']],
    ['https://pague.example/pagar/k7Pm3XwQzt', ['k7pm3xwqzt*']],
    ['maria 149,90', ['maria*', '$14990|149,90*']],
    ['a maria', ['maria*']],
    ['Parcela 2', ['parcela*']],
    ['Bolo 2 kg', ['bolo*', 'kg*']],
    ['2', ['$200']],
    ['maria 2,00', ['maria*', '$200|2,00*']],
    ['maria R$ 2', ['maria*', '$200']],
    ['maria 12', ['maria*', '$1200|12*']],
    // What every object of JavaScript has.
    ['constructor __proto__', ['constructor*', 'proto*']],
  ])('%s', (typed, words) => {
    expect(wordsOf(typed)).toEqual(words)
  })

  test('a letter alone, spaces and signs are no search', () => {
    for (const typed of ['', ' ', 'a', '-', '"', '· ·']) {
      expect(parseSearch(typed, NOW)).toBeUndefined()
    }
  })

  test('of very many words the first eight count, and of a very long one its beginning', () => {
    expect(wordsOf('um '.repeat(100))).toHaveLength(8)
    expect(wordsOf('W'.repeat(128))).toEqual([`${'w'.repeat(60)}*`])
  })
})

describe('days', () => {
  test.each([
    ['maria hoje', '2026-11-14T03:00:00.000Z'],
    ['Maria ONTEM', '2026-11-13T03:00:00.000Z'],
    ['anteontem', '2026-11-12T03:00:00.000Z'],
    ['maria 14/11', '2026-11-14T03:00:00.000Z'],
    ['1/2', '2026-02-01T03:00:00.000Z'],
    ['15/11', '2025-11-15T03:00:00.000Z'],
    ['29/2/2024', '2024-02-29T03:00:00.000Z'],
    ['3/4/25', '2025-04-03T03:00:00.000Z'],
    ['2026-01-31', '2026-01-31T03:00:00.000Z'],
    ['maria 31-1-2026', '2026-01-31T03:00:00.000Z'],
    ['31.01.26', '2026-01-31T03:00:00.000Z'],
  ])('%s', (typed, from) => {
    expect(dayOf(typed)).toBe(from)
  })

  test('a day is a word too, and so is each day beside the first', () => {
    const search = parseSearch('Show 20/12 21/12', NOW)

    expect(search?.day?.word).toEqual([{ text: '20/12', isWhole: false }])
    expect(wordsOf('Show 20/12 21/12')).toEqual(['show*', '21/12*'])
  })

  test('a day ends with its last instant', () => {
    expect(parseSearch('hoje', NOW)?.day?.to).toBe('2026-11-15T02:59:59.999Z')
  })

  test('what no calendar has is a word, and so is a day of another century', () => {
    for (const typed of ['31/2', '32/1', '2026-02-30', '12/13/2026', '0000-01-01', '1/1/1999']) {
      expect([typed, dayOf(typed)]).toEqual([typed, undefined])
    }
    expect(wordsOf('31/2/2026')).toEqual(['#+3122026|31/2/2026*'])
  })
})
