/** Who imports whom: importing files by imported file. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>

export function readImporters(root: string): Importers

export function reachedTests(importers: Importers, changed: readonly string[]): string[]

export function broughtAlong(changed: readonly string[]): string[]

export function fitInto(
  tests: readonly string[],
  millisOf: (test: string) => number | undefined,
  millisMax: number,
  options?: { readonly always?: readonly string[]; readonly workers?: number },
): { chosen: string[]; left: string[] }
