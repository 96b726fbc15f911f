// The alert rules of the guide for operators, as Prometheus would read them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../src/http/metrics.ts'
import { openTestApp } from '../support/test-app.ts'

type Rule = {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

const TOKEN = 'um-token-para-as-metricas'
const FUNCTIONS =
  /^(absent|max|sum|by|or|and|rate|increase|changes|histogram_quantile|predict_linear|e\d+)$/

const { app, anotherProcess } = await openTestApp()
const file = readFileSync(join(import.meta.dirname, '../../views/docs/samples/alerts.yml'), 'utf8')
const { groups }: { groups: { name: string; rules: Rule[] }[] } = parse(file)
const rules = groups.flatMap((group) => group.rules)

/** What an expression reads: its words that are neither functions, labels nor durations. */
function listMetrics(expr: string) {
  const bare = expr.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ')
  return [...bare.matchAll(/[a-z_:][\w:]*/gi)]
    .map(([word]) => word)
    .filter((word) => !FUNCTIONS.test(word))
}

test('every metric that a rule or the guide names is one that is told', async () => {
  const measured = await anotherProcess({ metrics: await createMetrics(), metricsToken: TOKEN })
  const headers = { authorization: `Bearer ${TOKEN}` }
  const { body } = await measured.inject({ url: '/metrics', headers })
  const told = [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [name, `${name}_count`, `${name}_sum`, `${name}_bucket`] : [name],
  )
  const guide = (await app.inject('/api/docs/acompanhar')).body
  const inGuide = [...guide.matchAll(/\b(?:vintem|nodejs|process)_[a-z\d]\w+/g)].map(
    ([name]) => name,
  )

  const inRules = rules.flatMap(({ expr }) => listMetrics(expr))

  expect(new Set(inRules).size).toBeGreaterThan(10)
  expect([...inRules, ...inGuide].filter((name) => !told.includes(name))).toEqual([])
  const ours = [...body.matchAll(/^# TYPE (vintem_\w+) /gm)].map(([, name]) => name!)
  expect(ours.filter((name) => !inGuide.includes(name))).toEqual([])
})

test('every label that a rule asks for is one that a series has', () => {
  const asked = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/\{(\w+)!?="(\w+)"\}/g)].map(([, label, value]) => `${label} ${value}`),
  )

  expect(new Set(asked)).toEqual(
    new Set(['status failed', 'outcome ok', 'operation charge', 'outcome error', 'status 5xx']),
  )
})

test('each rule says how bad it is, why, and what to do', () => {
  const names = rules.map(({ alert }) => alert)

  expect(new Set(names).size).toBe(names.length)
  for (const { alert, expr, labels, annotations, ...rest } of rules) {
    expect(alert).toMatch(/^Vintem[A-Z][A-Za-z]+$/)
    expect(expr.split('(')).toHaveLength(expr.split(')').length)
    expect(labels).toEqual({ severity: expect.stringMatching(/^(critical|warning)$/) })
    expect(Object.keys(annotations)).toEqual(['summary', 'why', 'action'])
    for (const text of Object.values(annotations)) expect(text.trim().length).toBeGreaterThan(20)
    expect(rest.for ?? '1m').toMatch(/^\d+[mh]$/)
  }
})
