import { expect, test } from 'vitest'
import { containsCardData } from '../../src/http/card-data.ts'
import {
  createNetworkMatcher,
  getNetwork,
  listNetworks,
  parseNetwork,
  readForwardedAddress,
} from '../../src/http/ip.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s is of the network %s', (address, network) => {
  expect(getNetwork(address)).toBe(network)
})

test('an address of IPv6 counts in three networks, of IPv4 for itself', () => {
  expect(listNetworks('2001:db8:1:2ff::9')).toEqual([
    { network: '2001:db8:1:2ff::/64', factor: 1 },
    { network: '2001:db8:1:200::/56', factor: 2 },
    { network: '2001:db8:1:0::/48', factor: 4 },
  ])
  expect(listNetworks('203.0.113.9')).toEqual([{ network: '203.0.113.9', factor: 1 }])
})

test.each([
  ['198.51.100.21', '198.51.100.21'],
  [' 198.51.100.21:4001 ', '198.51.100.21'],
  ['[198.51.100.21]:4001', '198.51.100.21'],
  ['::ffff:198.51.100.21', '198.51.100.21'],
  ['[::ffff:198.51.100.21]:65535', '198.51.100.21'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['"[2001:db8::1]:4711"', '2001:db8::1'],
  ['2001:db8:1:2:3:4:5:6:4001', '2001:db8:1:2:3:4:5:6'],
  ['fe80::1%eth0', 'fe80::1'],
  ...['', 'unknown', '_hidden', 'loja.com.br', '1', '0x7f.1', '198.51.100', '198.51.100.21:'].map(
    (text) => [text, undefined],
  ),
  ...['198.51.100.21:123456', '[2001:db8::1', '198.51.100.256', '198.51.100.21:4001:1'].map(
    (text) => [text, undefined],
  ),
])('a proxy that writes "%s" means %s', (text, address) => {
  expect(readForwardedAddress(String(text))).toBe(address)
})

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  [' 203.0.113.0/24 ', '203.0.113.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['203.0.113.0/32', '203.0.113.0/32'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['2001:db8::/48', '2001:db8::/48'],
  ['::/128', '::/128'],
])('%s is the network %s', (text, network) => {
  expect(parseNetwork(text)).toBe(network)
})

test.each([
  ...['', 'loja.com.br', '203.0.113', '203.0.113.256', '203.0.113.007', '203.0.113.0/33'],
  ...['203.0.113.0/', '203.0.113.0/-1', '203.0.113.0/1e1', '2001:db8::/129', '2001:db8:::/48'],
  ...['fe80::1%eth0', '203.0.113.0/24/24', '/24', '203.0.113.7:80', '1'.repeat(10_000)],
])('"%s" is none', (text) => {
  expect(parseNetwork(text)).toBeUndefined()
})

test.each([
  ['203.0.113.0', true],
  ['203.0.113.255', true],
  ['203.0.112.255', false],
  ['203.0.114.0', false],
  ['::ffff:203.0.113.9', true],
  ['::ffff:203.0.114.9', false],
  ['198.51.100.7', true],
  ['198.51.100.8', false],
  ['2001:db8:0:ffff::1', true],
  ['2001:db8:1::', false],
  ['fe80::1%eth0', true],
  ['unknown', false],
])('%s is inside: %s', (address, isInside) => {
  const networks = ['203.0.113.9/24', '198.51.100.7/32', '2001:db8::/48', 'fe80::/10']

  expect(createNetworkMatcher(networks)(address)).toBe(isInside)
})

test('networks one below the other are no card number, and a card number beside them is', () => {
  const networks = Array.from({ length: 50 }, (_, i) => `203.0.113.${i}`).join('\n')

  expect(containsCardData({ networks })).toBe(false)
  expect(containsCardData({ networks: `${networks}\n4111 1111 1111 1111` })).toBe(true)
  expect(containsCardData({ networks: '4111.1111.1111.1111' })).toBe(true)
})
