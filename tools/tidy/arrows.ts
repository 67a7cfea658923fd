// Runs the arrows of `.dependency-cruiser.mjs` over a tree of folders.

import { join } from 'node:path'
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser'
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import { repositoryRoot } from './repository-files.ts'

export interface Violation {
  readonly rule: string
  readonly from: string
  readonly to: string
}

export interface Cruise {
  readonly violations: readonly Violation[]
  /** Files of the tree itself that were read, packages left out. */
  readonly files: readonly string[]
}

const configuration = await extractDepcruiseConfig(join(repositoryRoot, '.dependency-cruiser.mjs'))

/** Names of all arrows, each of which must be shown to work. */
export const arrowNames: readonly string[] = (
  configuration as { forbidden: { name: string }[] }
).forbidden.map(({ name }) => name)

/** Cruises `folders` below `root` under the arrows of the house. */
export async function cruiseTree(root: string, folders: readonly string[]): Promise<Cruise> {
  const { options, ...ruleSet } = configuration as {
    options: { enhancedResolveOptions: object }
  } & IFlattenedRuleSet
  const { output } = await cruise(
    [...folders],
    { ...options, baseDir: root, validate: true, ruleSet },
    options.enhancedResolveOptions,
  )
  // Without an output type the answer is the result itself and never text.
  const { summary, modules } = output as ICruiseResult
  return {
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    files: modules
      .map(({ source }) => source)
      .filter((source) => /\.(ts|tsx|mjs|css)$/.test(source) && !source.includes('node_modules')),
  }
}
