// The files in deploy/ for Prometheus and Grafana, compared with what /metrics really has.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { ProcessLink } from '../server/src/adapters/processes/process-link.ts'
import { siblingsOver } from '../server/src/adapters/processes/sibling-processes.ts'
import { buildApp } from '../server/src/app.ts'
import { createTestDeps } from '../server/test/deps.ts'
import { embeddedTestDatabase } from '../server/test/test-database.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const textOf = (name: string) => readFileSync(fileOf(name), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}
const { groups } = parse(textOf('deploy/prometheus-rules.yml')) as {
  groups: { name: string; rules: Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly datasource?: { readonly type: string; readonly uid: string }
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}
const dashboard = JSON.parse(textOf('deploy/grafana-dashboard.json')) as {
  uid: string
  title: string
  schemaVersion: number
  panels: Panel[]
  templating: { list: { name: string; type: string; query: unknown }[] }
}
const drawn = dashboard.panels.filter(({ type }) => type !== 'row')
const queries = drawn.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

it('every metric of the rules and of the dashboard is one that /metrics has', async () => {
  const t = await createTestDeps(await embeddedTestDatabase())
  // As one of several processes of a port, which have lines of their own.
  const link = new ProcessLink({ send: () => undefined, listen: () => undefined })
  const counts = { wanted: 2, serving: 1, restarts: 0 }
  const siblings = {
    ...siblingsOver(link, { number: 1, count: 2 }),
    figuresOfOthers: async () => ({ counts, texts: [] }),
  }
  const app = await buildApp(t.deps, { siblings })
  const { body } = await app.inject('/metrics')
  await app.close()
  await t.close()
  const types = new Map(
    [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  )
  const known = (name: string) => {
    const histogram = name.replace(/_(bucket|sum|count)$/, '')
    return types.has(name) || types.get(histogram) === 'histogram'
  }
  const named = [...rules.map(({ expr }) => expr), ...queries].flatMap(
    (expr) => expr.match(/\bredpack_\w+/g) ?? [],
  )
  expect(named.length).toBeGreaterThan(60)
  expect([...new Set(named)].filter((name) => !known(name))).toEqual([])
  // Names that say their unit, and counters that say that they are one.
  for (const [name, type] of types) {
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
  }
})

it('every alert says how bad it is, how long it waits, and where to read what to do', () => {
  const guide = textOf('docs/operating.md')
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, annotations, labels, for: wait } of rules) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)])
    expect([alert, wait]).toEqual([alert, expect.stringMatching(/^\d+[mh]$/)])
    expect(annotations['summary']).toMatch(/\w/)
    expect(annotations['what_to_do']).toMatch(/\.$/)
    expect(annotations['section']).toBe(`docs/operating.md, What to watch, ${alert}`)
    expect([alert, guide.includes(`\`${alert}\``)]).toEqual([alert, true])
  }
})

it.skipIf(!hasPromtool)('the rules are accepted and do what they say (promtool)', () => {
  for (const words of [
    ['check', 'rules', fileOf('deploy/prometheus-rules.yml')],
    ['test', 'rules', fileOf('deploy/prometheus-rules.test.yml')],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' })
    expect(`${status} ${status === 0 ? '' : stdout + stderr}`).toBe('0 ')
  }
})

it('the dashboard has what Grafana expects of one', () => {
  expect(dashboard).toMatchObject({ uid: 'redpack', title: 'Redpack' })
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36)
  const variables = new Set(dashboard.templating.list.map(({ name }) => name))
  expect(variables).toEqual(new Set(['datasource', 'job']))
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  for (const { title, datasource, targets = [] } of drawn) {
    expect([title, datasource]).toEqual([title, { type: 'prometheus', uid: '$' + '{datasource}' }])
    expect([title, targets.length > 0]).toEqual([title, true])
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
  }
  for (const query of queries) expect(query).toContain('job=~"$job"')
  // No panel lies over another or beyond the 24 columns.
  const cells = new Map<string, string>()
  for (const { title, gridPos } of dashboard.panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect([title, x < 24, cells.get(`${x} ${y}`)]).toEqual([title, true, undefined])
        cells.set(`${x} ${y}`, title)
      }
    }
  }
})
