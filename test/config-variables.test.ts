// The addresses that may be configured: read as programs read them, or refused by name.
import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'

const SECRET_KEY = Buffer.alloc(32).toString('base64')

test.each([
  ['HTTPS://Vintem.Example.COM', 'https://vintem.example.com'],
  ['https://vintem.example.com:443//', 'https://vintem.example.com'],
  ['https://vintem.example.com.', 'https://vintem.example.com'],
  [' https://vintem.example.com\n', 'https://vintem.example.com'],
  ['https://Vintém.com.br', 'https://xn--vintm-esa.com.br'],
  ['http://[::1]:3000/', 'http://[::1]:3000'],
])('%s is written as programs write it', (given, written) => {
  expect(readConfig({ BASE_URL: given })).toMatchObject({
    baseUrl: written,
    checkoutUrl: `${written}/pagar`,
  })
  expect(readConfig({ CHECKOUT_URL: given }).checkoutUrl).toBe(written)
})

test('the checkout has the path of its address, in the letters that it was given in', () => {
  const { checkoutUrl } = readConfig({ CHECKOUT_URL: 'HTTPS://Loja.com.br/b/Pagar.aqui//' })

  expect(checkoutUrl).toBe('https://loja.com.br/b/Pagar.aqui')
})

test.each([
  ['[::1]', '::1'],
  ['::', '::'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  [' 127.0.0.1 ', '127.0.0.1'],
  ['localhost', 'localhost'],
])('HOST=%s is listened on as %s', (HOST, host) => {
  expect(readConfig({ HOST }).host).toBe(host)
})

test.each([
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?sslmode=verify-ca&options=x', '?sslmode=verify-full&options=x'],
  ['?options=x&sslmode=prefer', '?options=x&sslmode=verify-full'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
])('DATABASE_URL with %s asks for %s, and the driver warns of nothing', (given, asked) => {
  const url = 'postgres://vintem@db/vintem'
  expect(readConfig({ DATABASE_URL: url + given, SECRET_KEY }).databaseUrl).toBe(url + asked)
})

test.each([
  ...['BASE_URL', 'CHECKOUT_URL'].flatMap((name): [string, string, RegExp][] =>
    [
      ' ',
      'https://',
      'https://pay example.com',
      'https://pay.example.com/a b',
      'https://*.example.com',
      'https://pay..example.com',
      'https://pay.example.com:0',
      'https://ana:segredo@pay.example.com',
      'https://pay.example.com/?loja=1',
      'https://pay.example.com/#segredo',
    ].map((value) => [name, value, / must be an address such as https:/]),
  ),
  ['BASE_URL', 'https://vintem.example.com/sub', / no path /],
  ['CHECKOUT_URL', 'https://loja.com.br/pague-já', / a path of letters, /],
  ['CHECKOUT_URL', 'https://loja.com.br/a%20b', / a path of letters, /],
  ['CHECKOUT_URL', 'https://loja.com.br/a//b', / a path of letters, /],
  ['CHECKOUT_URL', 'https://loja.com.br/pagar/*', / a path of letters, /],
  ['CHECKOUT_URL', 'https://loja.com.br/:loja', / a path of letters, /],
  ['CHECKOUT_URL', 'https://loja.com.br/api', / no other page of the service/],
  ['CHECKOUT_URL', 'https://loja.com.br/painel/x', / no other page of the service/],
  ['HOST', ' ', / must be an address to listen on/],
  ['HOST', '[segredo]', / must be an address to listen on/],
  ['HOST', 'http://localhost', / must be an address to listen on/],
  ['HOST', '127.0.0.1:3000', / must be an address to listen on/],
  ['DATABASE_URL', 'segredo', / must be an address such as postgres:/],
  ['DATABASE_URL', 'http://db/vintem', / must be an address such as postgres:/],
  ['DATABASE_URL', 'postgres://ana:segredo%@db/x', / percent-encoded/],
  ['DATABASE_URL', 'postgres://ana:12#segredo@db/x', / percent-encoded/],
  ['DATABASE_URL', 'postgres://ana:12/segredo@db/x', / percent-encoded/],
  ['DATABASE_URL', 'postgres://ana:12?segredo@db/x', / percent-encoded/],
  ['REDIS_URL', 'redis://', / must be an address such as redis:/],
  ['REDIS_URL', 'redis://:segredo%@redis', / percent-encoded/],
  ['REDIS_URL', 'redis://redis/segredo', / its path the number of a database/],
  ['SMTP_URL', 'smtp:mail.example.com', / must be an address such as smtp:/],
  ['SMTP_URL', 'smtp://ana:12#segredo@mail', / percent-encoded/],
])('%s=%s stops the start with one sentence that does not repeat it', (name, value, sentence) => {
  const reading = () => readConfig({ [name]: value })

  expect(reading).toThrow(/^Wrong configuration: [^\n;]+(; SECRET_KEY [^\n;]+)?\.$/)
  expect(reading).toThrow(new RegExp(`^Wrong configuration: ${name} `))
  expect(reading).toThrow(sentence)
  expect(reading).not.toThrow(/segredo/)
})
